import { h, replace, visible } from "./dom.js";
import * as diff from "./diff.js";
import { duration, joined, kindWord, money, title } from "./format.js";
import { List } from "./list.js";

const compared = ["kind", "name", "args", "text", "value", "problem", "calls"];

// Compare shows two runs side by side, effect by effect.
export class Compare {
  constructor() {
    this.list = new List({
      label: "effects of both runs", role: "listbox", itemRole: "option", height: 30, prefix: "pair-",
      row: (pair) => this.row(pair), onselect: (pair) => this.select(pair),
    });
    this.head = h("div.tools");
    this.detail = h("div.detail", { tabindex: "0", role: "region", "aria-label": "the difference" });
    this.element = h("section.compare", { "aria-label": "comparison" }, this.head, this.list.element, this.detail);
  }

  show(left, right) {
    this.runs = [left, right];
    this.pairs = pairs(left, right);
    const first = this.pairs.findIndex((p) => p.fields.length > 0);
    const differ = this.pairs.filter((p) => p.fields.length > 0).length;
    const go = h("button", { type: "button", onclick: () => this.list.select(first, true) }, "First difference");
    replace(this.head, h("p", null, h("b", null, left.data.run), " and ", h("b", null, right.data.run), ": ",
      first < 0 ? "no effect differs." : `${differ} of ${this.pairs.length} effects differ, the first at #${this.pairs[first].address}.`), first >= 0 && go);
    this.list.show(this.pairs, -1);
    if (this.pairs.length > 0) this.list.select(Math.max(first, 0), true);
  }

  row({ address, nodes, fields }) {
    const side = (n) => h("span.side", null, n ? [h(`span.kind.${n.kind}`, null, kindWord(n.kind)), " ", h("bdi", null, title(n))] : h("i", null, "\u2014"));
    return {
      attributes: { class: "row" + (fields.length > 0 ? " differs" : "") },
      content: [h("span.address", null, "#" + address), h("span.mark", null, fields.length > 0 ? "\u2260" : "="), side(nodes[0]), side(nodes[1])],
    };
  }

  select({ address, nodes, fields }) {
    const [a, b] = nodes;
    const of = (n) => n && joined(", ", n.model, money(n.cost), n.ended > n.begun && duration(n.ended - n.begun));
    replace(this.detail, h("h2", null, "#" + address),
      h("p", null, joined(" \u2014 ", of(a), of(b))),
      (!a || !b) && h("p.note", null, `Only run ${this.runs[a ? 0 : 1].data.run} has this effect.`),
      a && b && fields.length === 0 && h("p.note", null, "Both are the same."),
      a && b && fields.map((f) => [h("h3", null, f), diff.shown(written(a[f]), written(b[f]), "difference of " + f)]).flat(),
      a && b && this.asked(address));
  }

  // asked compares what models were asked.
  asked(address) {
    const turns = this.runs.map((run) => run.turns.get(address));
    if (!turns[0] || !turns[1]) return undefined;
    const [before, after] = turns.map((turn, i) => request(this.runs[i], turn));
    return h("div", null, h("h3", null, "asked"), before === after ? h("p.note", null, "Both models were asked the same.") : diff.shown(before, after, "difference of what was asked"));
  }
}

function written(value) {
  return typeof value === "string" ? visible(value) : value === undefined ? "" : JSON.stringify(value);
}

// request is a turn as text.
function request(run, turn) {
  const { system, tools, schema } = run.whole(turn);
  return JSON.stringify({ model: turn.model, temperature: turn.temperature, system, tools, schema, messages: run.messages(turn) }, null, 1).replaceAll("\\n", "\n");
}

// pairs are the effects of both runs, in the order of their addresses, with the fields in which they differ.
function pairs(left, right) {
  const all = new Map();
  [left, right].forEach((run, side) => {
    for (const [address, n] of run.byAddress) {
      if (n.kind === "parallel") continue;
      if (!all.has(address)) all.set(address, { address, nodes: [undefined, undefined], order: address.split(".").map(Number) });
      all.get(address).nodes[side] = n;
    }
  });
  const list = [...all.values()].sort((a, b) => {
    for (let i = 0; i < Math.min(a.order.length, b.order.length); i++) {
      if (a.order[i] !== b.order[i]) return a.order[i] - b.order[i];
    }
    return a.order.length - b.order.length;
  });
  for (const pair of list) {
    const [a, b] = pair.nodes;
    pair.fields = a && b ? compared.filter((f) => written(a[f]) !== written(b[f])) : ["effect"];
  }
  return list;
}
