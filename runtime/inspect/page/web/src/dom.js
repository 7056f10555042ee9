// What is put on the page is text: nothing here parses markup.

// h makes an element; "div.a.b" has classes, and properties that begin with "on" are listeners.
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== false && c !== ""));
  return element;
}

// replace puts children where others were.
export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((c) => c !== undefined && c !== null && c !== false && c !== ""));
}

// isEdited reports whether a person writes in an element, or has written something there that was not sent.
export function isEdited(element) {
  const fields = [...element.querySelectorAll("input,textarea,select")].filter((f) => !f.closest(".signed")); // a name is kept
  return element.contains(document.activeElement) || fields.some((f) => (f.matches("select") ? f.selectedIndex > 0 : f.value !== f.defaultValue));
}

// Characters that are not seen, or that change what is seen around them.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

// visible is text with such characters by their numbers.
export function visible(text) {
  return text.replace(unseen, (c) => (c === "\r" ? "" : "\u27e8U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u27e9"));
}

// short is the beginning of a text, on one line.
export function short(text, most) {
  const head = visible(text.slice(0, most + 1)).replace(/\s+/g, " ").trim();
  return text.length > most ? head.slice(0, most) + "\u2026" : head;
}

const page = 20000;

// long shows a text, however long it is: at first its beginning.
export function long(text, label) {
  const shown = indented(text);
  let end = Math.min(page, shown.length);
  const block = h("pre", { tabindex: "0", role: "region", "aria-label": label }, visible(shown.slice(0, end)));
  if (end === shown.length) return block;
  const more = h("button", { type: "button", onclick: next }, "");
  function next() {
    const to = Math.min(end + 10 * page, shown.length);
    block.append(visible(shown.slice(end, to)));
    end = to;
    say();
  }
  function say() {
    more.textContent = `Show more: ${(shown.length - end).toLocaleString("en")} characters are left`;
    more.hidden = end === shown.length;
  }
  say();
  return h("div", null, block, more);
}

// indented is JSON with a line for each value, and any other text as it is. Numbers and texts keep their spelling.
export function indented(text) {
  if (!/^\s*[[{]/.test(text) || text.length > 10 * page) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let out = "";
  let depth = 0;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g);
  tokens.forEach((token, i) => {
    const line = "\n" + "  ".repeat(depth);
    const isEmpty = (tokens[i - 1] === "{" && token === "}") || (tokens[i - 1] === "[" && token === "]");
    if (token === "}" || token === "]") {
      depth--;
      out += isEmpty ? token : "\n" + "  ".repeat(depth) + token;
    } else {
      if (tokens[i - 1] === "{" || tokens[i - 1] === "[" || tokens[i - 1] === ",") out += line;
      out += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth++;
    }
  });
  return out.trimStart();
}
