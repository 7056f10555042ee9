import { h } from "./dom.js";

// List shows rows of one height, of which only those that are seen are in the document.
export class List {
  // row(i, item) makes the content of an element with role, whose attributes are set by attributes(i, item).
  constructor({ label, role, itemRole, height, row, onselect, onkey, prefix }) {
    Object.assign(this, { height, row, onselect, onkey, itemRole, prefix });
    this.items = [];
    this.selected = -1;
    this.drawn = new Map(); // rows in the document, by number
    this.layer = h("div.rows", { role: "none" });
    this.element = h(
      "div.list",
      { role, tabindex: "0", "aria-label": label, onscroll: () => this.later(), onkeydown: (e) => this.key(e), onclick: (e) => this.click(e) },
      this.layer,
    );
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(items, selected) {
    this.items = items;
    this.selected = selected;
    this.layer.style.height = `${items.length * this.height}px`;
    this.redraw();
  }

  later() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  // redraw makes all rows anew.
  redraw() {
    this.drawn.clear();
    this.layer.replaceChildren();
    this.draw();
  }

  // draw makes the rows that have come into view, and removes those that have left it.
  draw() {
    const extra = 8;
    const first = Math.max(Math.floor(this.element.scrollTop / this.height) - extra, 0);
    const last = Math.min(Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.height) + extra, this.items.length);
    for (const [i, row] of this.drawn) {
      if (i >= first && i < last) continue;
      row.remove();
      this.drawn.delete(i);
    }
    for (let i = first; i < last; i++) {
      if (this.drawn.has(i)) continue;
      const { attributes, content } = this.row(this.items[i]);
      const row = h("div.row", { role: this.itemRole, id: this.prefix + i, "aria-selected": String(i === this.selected), ...attributes }, content);
      row.style.top = `${i * this.height}px`;
      this.drawn.set(i, row);
      this.layer.append(row);
    }
    const isDrawn = this.selected >= first && this.selected < last;
    if (isDrawn) this.element.setAttribute("aria-activedescendant", this.prefix + this.selected);
    else this.element.removeAttribute("aria-activedescendant");
  }

  select(i, reveal) {
    if (i < 0 || i >= this.items.length) return;
    this.selected = i;
    if (reveal) this.reveal(i);
    this.redraw();
    this.onselect(this.items[i]);
  }

  reveal(i) {
    const top = i * this.height;
    const view = this.element;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (top + this.height > view.scrollTop + view.clientHeight) view.scrollTop = top + this.height - view.clientHeight;
  }

  click(event) {
    const row = event.target.closest(".row");
    if (row) this.select(Number(row.id.slice(this.prefix.length)), false);
  }

  key(event) {
    const full = Math.max(Math.floor(this.element.clientHeight / this.height) - 1, 1);
    const last = this.items.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: full, PageUp: -full, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      this.select(Math.min(Math.max(this.selected + steps[event.key], 0), last), true);
    } else if (this.onkey) {
      this.onkey(event, this.items[this.selected]);
    }
  }
}
