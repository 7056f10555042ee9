import { h, visible } from "./dom.js";
import { duration, isProblem, joined, kindMark, moment, money, title } from "./format.js";
import { List } from "./list.js";

const filters = {
  all: ["everything", () => true],
  model: ["models", (n) => n.kind === "model"],
  tool: ["tools and functions", (n) => n.kind === "tool" || n.kind === "call"],
  ask: ["questions", (n) => n.kind === "ask"],
  decision: ["decisions", (n) => n.kind === "decision" || n.kind === "finish"],
  problem: ["problems", (n) => n.problem || n.earlier || n.retries || isProblem(n.kind)],
};

// Tree is the run as a tree beside a waterfall.
export class Tree {
  constructor(onselect) {
    this.collapsed = new Set();
    this.view = [0, 1];
    this.list = new List({
      label: "what the run did", role: "tree", itemRole: "treeitem", height: 28, prefix: "row-",
      row: (n) => this.row(n),
      onselect: (n) => {
        this.node = n;
        onselect(n);
      },
      onkey: (e, n) => this.key(e, n),
    });
    this.search = h("input", { type: "search", placeholder: "Search", "aria-label": "search", oninput: () => this.refresh() });
    this.filter = h(
      "select", { "aria-label": "show", onchange: () => this.refresh() },
      Object.entries(filters).map(([value, [label]]) => h("option", { value }, label)),
    );
    this.found = h("span.found", { role: "status" });
    const zoom = (label, name, change) => h("button", { type: "button", title: name, "aria-label": name, onclick: () => this.zoom(change) }, label);
    this.ruler = h("div.ruler", { "aria-hidden": "true" });
    this.element = h(
      "section.tree", { "aria-label": "run" },
      h("div.tools", null, this.search, this.filter, this.found,
        h("span.zoom", { role: "group", "aria-label": "time axis" }, zoom("\u2212", "zoom out", 2), zoom("+", "zoom in", 0.5), zoom("\u2190", "earlier", "left"), zoom("\u2192", "later", "right"))),
      this.ruler,
      this.list.element,
    );
    this.list.element.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    new ResizeObserver(() => this.run && this.drawRuler()).observe(this.ruler);
  }

  show(run) {
    const address = this.node?.address;
    this.run = run;
    this.node = (address && run.byAddress.get(address)) || run.nodes[Math.min(this.node?.index ?? 0, run.nodes.length - 1)];
    this.refresh();
  }

  // refresh finds the rows that are shown.
  refresh() {
    const word = this.search.value.trim().toLowerCase();
    const [, fits] = filters[this.filter.value];
    this.isFlat = word !== "" || this.filter.value !== "all";
    const rows = [];
    for (let i = 0; i < this.run.nodes.length; i++) {
      const n = this.run.nodes[i];
      if (!this.isFlat) {
        rows.push(n);
        if (this.collapsed.has(i)) i = n.end - 1;
      } else if (fits(n) && (word === "" || says(n, word))) {
        rows.push(n);
      }
    }
    this.found.textContent = this.isFlat ? `${rows.length} of ${this.run.nodes.length}` : "";
    this.list.show(rows, rows.indexOf(this.node));
    this.drawRuler();
  }

  // go selects a node, wherever it is.
  go(node) {
    for (let n = node.parent; n; n = n.parent) this.collapsed.delete(n.index);
    if (this.isFlat && !this.list.items.includes(node)) {
      this.search.value = "";
      this.filter.value = "all";
    }
    this.refresh();
    this.list.select(this.list.items.indexOf(node), true);
  }

  row(n) {
    const isOpen = !this.collapsed.has(n.index);
    const hasRows = n.children.length > 0 && !this.isFlat;
    const name = h("span.name", null,
      h("span.fold", { "aria-hidden": "true" }, hasRows ? (isOpen ? "\u25be" : "\u25b8") : ""),
      kindMark(n.kind), h("span.title", null, h("bdi", null, visible(title(n)))));
    name.style.paddingLeft = `${this.isFlat ? 0 : Math.min(n.depth, 12) * 14}px`;
    const took = n.to0 > n.from0 && n.from0 >= 0 ? duration(n.to0 - n.from0) : "";
    const spent = h("span.spent", null, n.copied ? "copied" : joined(" \u00b7 ", money(n.sumCost), took));
    return {
      attributes: {
        class: "row" + (n.problem ? " problem" : "") + (n.waits ? " waits" : "") + (n.copied ? " copied" : ""),
        "aria-level": this.isFlat ? 1 : n.depth + 1, "aria-setsize": n.siblings, "aria-posinset": n.position,
        "aria-expanded": hasRows ? String(isOpen) : undefined,
      },
      content: [name, spent, this.bar(n)],
    };
  }

  bar(n) {
    const lane = h("span.lane", { "aria-hidden": "true" });
    for (const gap of this.run.axis.gaps) this.mark(lane, "gap", gap.from, gap.to, `a wait of ${duration(gap.ms)}, drawn shorter`);
    if (n.from0 >= 0) this.mark(lane, `bar ${n.kind}${n.problem ? " failed" : ""}${n.isOpen ? " open" : ""}`, this.run.axis.at(n.from0), n.isOpen && this.run.axis.isRunning ? 1 : this.run.axis.at(Math.max(n.to0, n.from0)));
    return lane;
  }

  mark(lane, kind, from, to, title) {
    const [left, right] = this.view;
    const a = Math.max((from - left) / (right - left), 0);
    const b = Math.min((to - left) / (right - left), 1);
    if (b < 0 || a > 1) return;
    const mark = h("span", { class: kind, title });
    mark.style.left = `${a * 100}%`;
    mark.style.width = `max(${(b - a) * 100}%, 2px)`;
    lane.append(mark);
  }

  drawRuler() {
    const [left, right] = this.view;
    const lane = h("span.lane");
    this.ruler.replaceChildren(lane);
    const count = Math.min(Math.max(Math.floor(lane.clientWidth / 72), 2), 8);
    const times = Array.from({ length: count }, (_, i) => this.run.axis.time(left + ((right - left) * i) / count));
    times.forEach((time, i) => {
      const nearest = Math.min(...[times[i - 1], times[i + 1]].filter((t) => t !== undefined).map((t) => Math.abs(t - time)));
      const tick = h("span", null, "+" + moment(time, Math.max(nearest, 0.001)));
      tick.style.left = `${(i * 100) / count}%`;
      lane.append(tick);
    });
  }

  zoom(change) {
    let [left, right] = this.view;
    const width = right - left;
    if (change === "left" || change === "right") {
      const by = Math.min(Math.max((change === "left" ? -1 : 1) * width * 0.5, -left), 1 - right);
      this.view = [left + by, right + by];
    } else {
      const node = this.node && this.node.from0 >= 0 ? this.run.axis.at(this.node.from0) : left;
      const middle = change < 1 && node >= left && node <= right ? node : (left + right) / 2;
      const half = Math.min((width * change) / 2, 0.5);
      left = Math.min(Math.max(middle - half, 0), 1 - 2 * half);
      this.view = [left, left + 2 * half];
    }
    this.drawRuler();
    this.list.redraw();
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8);
  }

  fold(n, close) {
    if (close) this.collapsed.add(n.index);
    else this.collapsed.delete(n.index);
    this.refresh();
  }

  key(event, n) {
    if (!n || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = n.children.length > 0 && !this.collapsed.has(n.index);
    if (event.key === "ArrowLeft" && isOpen) this.fold(n, true);
    else if (event.key === "ArrowLeft" && n.parent) this.go(n.parent);
    else if (event.key === "ArrowRight" && n.children.length > 0 && !isOpen) this.fold(n, false);
    else if (event.key === "ArrowRight" && isOpen) this.go(n.children[0]);
    else if (event.key === "Enter" || event.key === " ") this.fold(n, isOpen);
    else if (event.key === "+" || event.key === "=") this.zoom(0.5);
    else if (event.key === "-") this.zoom(2);
    else return;
    event.preventDefault();
  }
}

// says reports whether a node has a word, in any case.
function says(n, word) {
  return ["name", "address", "args", "value", "text", "thoughts", "problem", "model", "key", "from", "to", "kind"].some((field) => n[field]?.toLowerCase().includes(word));
}
