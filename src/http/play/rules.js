// The rules of a game, which the service gives as Markdown: paragraphs, lists, headings and words of notation.

import { html } from "./dom.js";

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return html("code", {}, part.slice(1, -1));
    return part.startsWith("**") ? html("strong", {}, part.slice(2, -2)) : part;
  });
}

/** The rules as elements. */
export function rules(markdown) {
  return markdown.trim().split(/\n\s*\n/).map((block) => {
    const heading = /^#+ (.*)$/.exec(block);
    if (heading) return html("h2", {}, inline(heading[1]));
    if (!/^\s*[-*] /.test(block)) return html("p", {}, inline(block));
    const items = block.split(/\n(?=\s*[-*] )/).map((item) => item.replace(/^\s*[-*] /, ""));
    return html("ul", {}, items.map((item) => html("li", {}, inline(item))));
  });
}
