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
  // A link within the button that opens an operation is one thing to press too many.
  const DeepLink = () => ({ text }) => h("span", null, text);
  return { wrapComponents: { responseBody, DeepLink } };
};

// Swagger UI resolves the whole document at once, for the security schemes alone, which have no references. That takes
// most of the time until the page answers, so it waits until an operation is opened.
const later = {
  statePlugins: {
    spec: {
      wrapActions: {
        requestResolvedSubtree: (request) => (path) => (path[0] === "components" ? null : request(path)),
      },
    },
  },
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
  for (const heading of document.querySelectorAll("h3.opblock-tag, .models h4")) heading.setAttribute("aria-level", "2");
  for (const heading of document.querySelectorAll(".opblock :is(h4, h5)")) heading.setAttribute("aria-level", "3");
  for (const field of document.querySelectorAll(".opblock :is(select, input, textarea):not([aria-label])")) {
    const row = field.closest("[data-param-name]");
    field.setAttribute("aria-label", row && !field.matches(".examples-select-element") ? row.dataset.paramName : "Example or kind of answer");
  }
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
    // The usual one has too little contrast.
    syntaxHighlight: { theme: "tomorrow-night" },
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [pictures, later],
    layout: "BaseLayout",
    onComplete() {
      describe();
      new MutationObserver(describe).observe(document.getElementById("swagger-ui"), { childList: true, subtree: true });
    },
  });
});
