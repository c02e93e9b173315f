// Starts Swagger UI with the OpenAPI document of this service.
"use strict";

// Shows pictures as pictures: Swagger UI itself shows the text of an SVG.
const pictures = ({ React }) => {
  const h = React.createElement;
  const Picture = ({ content, url }) =>
    h("div", { className: "picture" },
      h("img", { alt: "The picture that was answered", src: `data:image/svg+xml,${encodeURIComponent(content)}` }),
      h("a", { href: url, target: "_blank", rel: "noreferrer" }, "Open the picture alone"),
      h("details", null, h("summary", null, "SVG"), h("pre", null, content)));
  const isPicture = ({ content, contentType }) =>
    typeof content === "string" && String(contentType).startsWith("image/svg+xml");
  const responseBody = (Original) => (props) => h(isPicture(props) ? Picture : Original, props);
  return { wrapComponents: { responseBody } };
};

// What is asked most comes first.
const ORDER = ["states", "play", "games", "many", "operation"];

// A state belongs to a game: where another game is chosen, its start replaces the state.
async function fitState({ target }) {
  const game = target.closest('[data-param-name="game"]');
  const state = game?.closest(".opblock")?.querySelector('[data-param-name="state"] input');
  if (!state || target.tagName !== "SELECT") return;
  const { games } = await (await fetch("../v1/games")).json();
  const chosen = games.find(({ id }) => id === target.value);
  if (!chosen || state.value[0]?.toUpperCase() === chosen.start[0]) return;
  // Swagger UI notices what is typed, not what is set.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(state, chosen.start);
  state.dispatchEvent(new Event("input", { bubbles: true }));
}

// What Swagger UI does not tell those who do not see the page.
function describe() {
  document.getElementById("swagger-ui").setAttribute("role", "main");
  for (const heading of document.querySelectorAll("h3.opblock-tag, .models h4")) heading.setAttribute("aria-level", "2");
}

window.addEventListener("load", () => {
  document.addEventListener("change", fitState);
  window.ui = SwaggerUIBundle({
    url: "../openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    tryItOutEnabled: true,
    // Schemas take long to draw, and stand with the operations.
    defaultModelsExpandDepth: 0,
    tagsSorter: (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b),
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [pictures],
    layout: "BaseLayout",
    onComplete: describe,
  });
});
