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

window.addEventListener("load", () => {
  window.ui = SwaggerUIBundle({
    url: "../openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    tryItOutEnabled: true,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [pictures],
    layout: "BaseLayout",
  });
});
