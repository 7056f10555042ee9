import { h, short } from "./dom.js";
import { kindWord, title } from "./format.js";

const space = "http://www.w3.org/2000/svg";

// Diagram shows pictures, and on them the path of a run.
export class Diagram {
  constructor(onselect) {
    this.onselect = onselect;
    this.scale = 1;
    this.sheet = h("div.sheet", { tabindex: "0", role: "region", "aria-label": "pictures" });
    this.slider = h("input", { type: "range", min: "0", value: "0", "aria-label": "steps of the path", oninput: () => this.step(Number(this.slider.value)) });
    this.caption = h("output");
    const zoom = (label, name, change) => h("button", { type: "button", title: name, "aria-label": name, onclick: () => this.zoom(change) }, label);
    this.path = h("span.path", null, this.slider, this.caption);
    this.element = h("section.diagram", { "aria-label": "diagram" }, h("div.tools", null, this.path, h("span.zoom", { role: "group", "aria-label": "size" }, zoom("\u2212", "smaller", 0.8), zoom("+", "larger", 1.25))), this.sheet);
  }

  // pictures puts pictures on the sheet. They were drawn by agentc, whose labels are escaped; as a document of their own, and with the
  // page's policy, nothing in them runs.
  pictures(svgs) {
    const drawn = svgs.map((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement).filter((svg) => svg.namespaceURI === space && svg.localName === "svg");
    drawn.forEach((svg) => svg.querySelector("style")?.remove()); // the page has it
    this.svgs = drawn.map((svg) => document.importNode(svg, true));
    this.sheet.replaceChildren(...(this.svgs.length > 0 ? this.svgs : [h("p.note", null, "There is no picture: the program of the run is not at hand, or it has no machine.")]));
    this.zoom(1);
  }

  show(run) {
    this.path.hidden = false;
    const key = (run.data.pictures ?? []).join("");
    if (key !== this.key) this.pictures(run.data.pictures ?? []);
    this.key = key;
    const path = run.nodes.filter((n) => n.index > 0 && (n.shape || n.line));
    this.steps = path.filter((n, i) => n.kind === "decision" || path[i - 1]?.shape !== n.shape);
    this.slider.max = String(this.steps.length);
    this.slider.disabled = this.steps.length === 0;
    this.step(this.steps.length);
  }

  zoom(change) {
    this.scale = Math.min(Math.max(this.scale * change, 0.2), 4);
    for (const svg of this.svgs) {
      svg.style.width = `${Number(svg.getAttribute("width")) * this.scale}px`;
      svg.style.height = "auto";
    }
  }

  // step shows the first so many steps of the path.
  step(count) {
    this.slider.value = String(count);
    const last = this.steps[count - 1];
    this.caption.textContent = count === 0 ? "before the first step" : `step ${count} of ${this.steps.length}: ${kindWord(last.kind)} ${short(title(last), 60)}`;
    const visits = new Map();
    const refused = new Set();
    const mark = (id, number) => id && visits.set(id, [...(visits.get(id) ?? []), number]);
    this.steps.slice(0, count).forEach((n, i) => {
      mark(n.shape, i + 1);
      mark(n.line, i + 1);
      (n.refused ?? []).forEach((id) => refused.add(id));
    });
    for (const svg of this.svgs) {
      svg.classList.toggle("walked", this.steps.length > 0);
      for (const part of svg.querySelectorAll("g[id]")) {
        const seen = visits.get(part.id);
        part.classList.toggle("seen", seen !== undefined);
        part.classList.toggle("refused", refused.has(part.id) && seen === undefined);
        part.classList.toggle("current", last !== undefined && (part.id === last.shape || part.id === last.line));
        this.badge(part, seen);
      }
    }
  }

  // badge says in which steps a part was reached; a click selects the last of them.
  badge(part, seen) {
    part.querySelector(":scope > .badge")?.remove();
    part.onclick = seen ? () => this.onselect(this.steps[seen.at(-1) - 1]) : null;
    if (!seen || part.classList.contains("edge")) return;
    const box = part.querySelector("rect,circle,polygon").getBBox();
    const text = document.createElementNS(space, "text");
    text.textContent = seen.length > 4 ? `${seen[0]} \u2026 ${seen.at(-1)} (${seen.length}\u00d7)` : seen.join(", ");
    text.setAttribute("class", "badge");
    text.setAttribute("x", String(box.x + box.width));
    text.setAttribute("y", String(box.y - 3));
    text.setAttribute("text-anchor", "end");
    part.append(text);
  }
}
