import { h, short } from "./dom.js";
import { kindWord, title } from "./format.js";

const space = "http://www.w3.org/2000/svg";
const margin = 10; // around pictures
const smallest = 0.6; // the scale to which a picture is made smaller where there is no room for it

// Diagram shows pictures, and on them the path of a run.
export class Diagram {
  constructor(onselect) {
    this.onselect = onselect;
    this.scale = 1;
    this.sheet = h("div.sheet", { tabindex: "0", role: "region", "aria-label": "pictures" });
    this.slider = h("input", { type: "range", min: "0", value: "0", "aria-label": "steps of the path", oninput: () => this.step(Number(this.slider.value)) });
    this.caption = h("output");
    const zoom = (label, name, change) => h("button", { type: "button", title: name, "aria-label": name, onclick: () => this.zoom(change) }, label);
    const nesting = (label, by) => h("button", { type: "button", onclick: () => this.unfold(this.level + by) }, label);
    this.less = nesting("Fold", -1);
    this.more = nesting("Unfold", 1);
    this.open = h("button", { type: "button", onclick: () => this.onselect(this.steps[Number(this.slider.value) - 1]) }, "Open step");
    this.path = h("span.path", null, this.slider, this.open, this.caption);
    this.element = h("section.diagram", { "aria-label": "diagram" }, h("div.tools", null, this.path, this.less, this.more, h("span.zoom", { role: "group", "aria-label": "size" }, zoom("\u2212", "smaller", 0.8), zoom("+", "larger", 1.25))), this.sheet);
  }

  // pictures shows pictures, each of which is drawn with one level of frames, two, and so on to all. They begin with as many as there is
  // room for.
  pictures(drawings) {
    this.drawings = drawings;
    this.most = Math.max(1, ...drawings.map((levels) => levels.length));
    const { clientWidth: width, clientHeight: height } = this.sheet;
    const isLarge = (svg) => width > 0 && (size(svg, "width") > width || size(svg, "height") > 2 * height);
    let level = this.most;
    while (level > 1 && drawings.some((levels) => isLarge(levels[Math.min(level, levels.length) - 1]))) level--;
    const widest = Math.max(1, ...drawings.map((levels) => size(levels[Math.min(level, levels.length) - 1], "width")));
    this.scale = Math.min(Math.max((width - 2 * margin) / widest, smallest), 1);
    this.unfold(level);
    const top = this.sheet.querySelector("g");
    this.sheet.scrollLeft = top ? top.getBoundingClientRect().left + top.getBoundingClientRect().width / 2 - this.sheet.getBoundingClientRect().left - width / 2 : 0;
  }

  // unfold draws a level of nesting. The pictures were drawn by agentc, whose labels are escaped; as a document of their own, and with
  // the page's policy, nothing in them runs.
  unfold(level) {
    this.level = Math.min(Math.max(level, 1), this.most);
    const svgs = this.drawings.map((levels) => levels[Math.min(this.level, levels.length) - 1]);
    const drawn = svgs.map((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement).filter((svg) => svg.namespaceURI === space && svg.localName === "svg");
    drawn.forEach((svg) => svg.querySelector("style")?.remove()); // the page has it
    this.svgs = drawn.map((svg) => document.importNode(svg, true));
    this.sheet.replaceChildren(...(this.svgs.length > 0 ? this.svgs : [h("p.note", null, "There is no picture: the program of the run is not at hand, or it has no machine.")]));
    this.less.hidden = this.more.hidden = this.most === 1;
    this.less.disabled = this.level === 1;
    this.more.disabled = this.level === this.most;
    this.zoom(1);
    this.taken = undefined;
    if (this.steps) this.step(Number(this.slider.value));
    for (const box of this.sheet.querySelectorAll(".folded")) {
      box.onclick = () => {
        this.unfold(this.level + 1);
        document.getElementById(box.id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
      };
    }
  }

  show(run) {
    this.path.hidden = false;
    this.isBroken = ["failed", "quarantined", "damaged"].includes(run.data.status);
    const path = run.nodes.filter((n) => n.index > 0 && (n.shape || n.lines));
    this.steps = path.filter((n, i) => n.kind === "decision" || path[i - 1]?.shape !== n.shape);
    this.slider.max = String(this.steps.length);
    this.slider.value = this.slider.max;
    this.slider.disabled = this.steps.length === 0;
    const key = (run.data.pictures ?? []).join("");
    if (key !== this.key) this.pictures(run.data.pictures ?? []);
    else this.step(this.steps.length);
    this.key = key;
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
    this.open.disabled = count === 0;
    const last = this.steps[count - 1];
    this.caption.textContent = count === 0 ? "before the first step" : `step ${count} of ${this.steps.length}: ${kindWord(last.kind)} ${short(title(last), 60)}`;
    const visits = new Map();
    const refused = new Set();
    const mark = (id, number) => id && visits.set(id, [...(visits.get(id) ?? []), number]);
    this.steps.slice(0, count).forEach((n, i) => {
      mark(n.shape, i + 1);
      (n.lines ?? []).forEach((id) => mark(id, i + 1));
      (n.refused ?? []).forEach((id) => refused.add(id));
    });
    this.taken ??= this.svgs.map((svg) => new Taken(svg));
    this.svgs.forEach((svg, number) => {
      svg.classList.toggle("walked", this.steps.length > 0);
      for (const part of svg.querySelectorAll("g[id]")) {
        const prefix = part.id.slice(0, part.id.lastIndexOf("-") + 1);
        const held = part.dataset.holds?.split(" ").map((id) => prefix + id) ?? [];
        const found = [part.id, ...held].flatMap((id) => visits.get(id) ?? []);
        const seen = found.length > 0 ? [...new Set(found)].sort((a, b) => a - b) : undefined;
        part.classList.toggle("seen", seen !== undefined);
        part.classList.toggle("refused", refused.has(part.id) && seen === undefined);
        const isCurrent = last !== undefined && (part.id === last.shape || held.includes(last.shape) || (last.lines ?? []).includes(part.id));
        part.classList.toggle("current", isCurrent);
        part.classList.toggle("broken", isCurrent && this.isBroken && count === this.steps.length); // where the run ended badly
        this.badge(part, seen, this.taken[number]);
      }
    });
  }

  // badge says in which steps a part was reached; a click selects the last of them.
  badge(part, seen, taken) {
    part.querySelector(":scope > .badge")?.remove();
    if (!part.classList.contains("folded")) part.onclick = seen ? () => this.onselect(this.steps[seen.at(-1) - 1]) : null;
    if (!seen || part.classList.contains("edge")) return;
    const box = part.querySelector("rect,circle,polygon").getBBox();
    const text = document.createElementNS(space, "text");
    text.textContent = steps(seen);
    text.setAttribute("class", "badge");
    part.append(text);
    const width = text.getComputedTextLength();
    const [left, middle, right] = [box.x - width - 4, box.x + box.width / 2, box.x + box.width + 4];
    const [above, beside, below] = [box.y - 3, box.y + box.height / 2 + 4, box.y + box.height + height];
    const places = [
      [Math.max(right - width - 4, middle + 8), above], [Math.min(box.x, middle - width - 8), above], [right, beside], [left, beside],
      [right, above], [left - 4, above], [Math.max(right - width - 4, middle + 8), below], [Math.min(box.x, middle - width - 8), below],
    ];
    const [x, y] = places.find(([x, y]) => taken.isFree(x, y, width)) ?? places[0];
    text.setAttribute("x", String(x));
    text.setAttribute("y", String(y));
  }
}

const height = 11; // of a badge
const cell = 16;
const step = 6;
const mostEdges = 1000;

// Taken are the places of a picture where its arrows, labels and boxes are, so that badges are written beside them.
class Taken {
  constructor(svg) {
    this.points = new Map(); // by their cells
    this.width = Number(svg.getAttribute("width"));
    const edges = svg.querySelectorAll(".edge > path");
    if (edges.length > mostEdges) return;
    for (const path of edges) {
      const length = path.getTotalLength();
      for (let at = 0; at < length + step; at += step) this.add(path.getPointAtLength(Math.min(at, length)));
    }
    for (const shape of svg.querySelectorAll(".edge > rect, .node > :first-child, .frame > text")) {
      const { x, y, width, height } = shape.getBBox();
      for (let across = 0; across < width + step; across += step) {
        for (let down = 0; down < height + step; down += step) this.add({ x: x + Math.min(across, width), y: y + Math.min(down, height) });
      }
    }
  }

  add({ x, y }) {
    const key = `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
    if (!this.points.has(key)) this.points.set(key, []);
    this.points.get(key).push([x, y]);
  }

  // isFree reports whether nothing is where a text of a width would be written.
  isFree(left, bottom, width) {
    const [top, right] = [bottom - height, left + width];
    for (let i = Math.floor(left / cell); i <= Math.floor(right / cell); i++) {
      for (let j = Math.floor(top / cell); j <= Math.floor(bottom / cell); j++) {
        const isHit = ([x, y]) => x > left - 1 && x < right + 1 && y > top && y < bottom + 1;
        if (this.points.get(`${i} ${j}`)?.some(isHit)) return false;
      }
    }
    return left >= 0 && right <= this.width;
  }
}

// steps are numbers of steps in a few characters: a range, a short list, or the first, the last and how many there are.
function steps(numbers) {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (numbers.length > 2 && last - first === numbers.length - 1) return `${first}\u2013${last}`;
  return numbers.length > 3 ? `${first} \u2026 ${last} (${numbers.length}\u00d7)` : numbers.join(", ");
}

// size is what a drawing says of its own.
function size(svg, side) {
  return Number(new RegExp(` ${side}="(\\d+)"`).exec(svg)?.[1] ?? 0);
}
