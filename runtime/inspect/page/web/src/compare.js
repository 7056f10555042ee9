import { h, indented, replace, short, visible } from "./dom.js";
import * as diff from "./diff.js";
import { duration, joined, kindMark, money, title } from "./format.js";
import { List } from "./list.js";
import { settings } from "./run.js";

const compared = ["kind", "name", "args", "text", "value", "problem", "calls"];

// Of runs themselves these are compared, before and after their effects.
const given = ["agent", "input", "context"];
const reached = ["status", "key", "value", "problem", "finalContext"];

// Compare shows two runs side by side, effect by effect. Where others is given it returns the runs from which the second one can be chosen,
// and onother is called with that.
export class Compare {
  constructor(others, onother) {
    this.others = others;
    this.list = new List({
      label: "effects of both runs", role: "listbox", itemRole: "option", height: 30, prefix: "pair-",
      row: (pair) => this.row(pair), onselect: (pair) => this.select(pair),
    });
    this.choice = h("select", { onchange: () => onother(this.choice.value).catch((problem) => this.fail(problem)) });
    this.chooser = h("label", null, "Compare with ", this.choice);
    this.head = h("div.tools");
    this.sides = h("div.sides");
    this.detail = h("div.detail", { tabindex: "0", role: "region", "aria-label": "the difference" });
    this.element = h("section.compare", { "aria-label": "comparison" }, others && h("div.tools", null, this.chooser), this.head, this.sides, this.list.element, this.detail);
  }

  // choose lists the runs that can be compared with one.
  async choose(run, other) {
    if (!this.others) return;
    const runs = await this.others(run);
    if (other && !runs.some(({ id }) => id === other)) runs.push({ id: other });
    replace(this.choice, h("option", { value: "" }, "\u2014"), runs.map(({ id, about }) => h("option", { value: id, selected: id === other }, visible(joined(": ", id, about)))));
  }

  // fail says why there is no other run.
  fail(problem) {
    for (const part of [this.sides, this.list.element, this.detail]) part.hidden = true;
    replace(this.head, h("p.bad", { role: "status" }, visible(problem.message)));
  }

  show(left, right) {
    this.choose(left, right?.data.run).catch((problem) => this.fail(problem));
    for (const part of [this.sides, this.list.element, this.detail]) part.hidden = !right;
    if (!right) {
      replace(this.head, h("p.note", null, "Choose the run with which this one is compared."));
      return;
    }
    this.runs = [left, right];
    this.pairs = pairs(left, right);
    const effects = this.pairs.filter((p) => p.isEffect);
    const differing = effects.filter((p) => p.fields.length > 0);
    const first = this.pairs.findIndex((p) => p.fields.length > 0);
    const go = h("button", { type: "button", onclick: () => this.list.select(first, true) }, "First difference");
    replace(this.head, h("p", null, h("b", null, left.data.run), " and ", h("b", null, right.data.run), ": ",
      differing.length === 0 ? "no effect differs." : `${differing.length} of ${effects.length} effects differ, the first at ${differing[0].label}.`,
      this.pairs[0].fields.length > 0 && ` They began with another ${this.pairs[0].fields.join(" and ")}.`,
      [left, right].filter(({ data }) => !data.hasTurns && data.totals.models > 0).map(({ data }) => ` What models were asked in ${data.run} is not known here.`)), first >= 0 && go);
    replace(this.sides, h("span.address"), h("span.mark"), [left, right].map((run) => h("span.side", null, h("bdi", null, run.data.run))));
    const before = this.pairs.findIndex((p) => p.label === this.at);
    this.list.show(this.pairs, -1);
    this.list.select(before >= 0 ? before : Math.max(first, 0), before < 0);
  }

  row({ label, nodes, fields, isEffect }) {
    const side = (n) => h("span.side", null, n ? (isEffect ? [kindMark(n.kind), " ", h("bdi", null, visible(title(n)))] : h("bdi", null, visible(label === "begin" ? short(n.input, 80) : joined(": ", n.status, n.key)))) : h("i", null, "\u2014"));
    return {
      attributes: { class: "row" + (fields.length > 0 ? " differs" : "") },
      content: [h("span.address", null, label), h("span.mark", null, fields.length > 0 ? "\u2260" : "="), side(nodes[0]), side(nodes[1])],
    };
  }

  select({ label, nodes, fields, isEffect }) {
    const [a, b] = nodes;
    this.at = label;
    const of = (n) => n && isEffect && joined(", ", n.model, money(n.cost), n.ended > n.begun && duration(n.ended - n.begun));
    replace(this.detail, h("h2", null, label),
      h("p", null, joined(" \u2014 ", of(a), of(b))),
      (!a || !b) && h("p.note", null, `Only run ${this.runs[a ? 0 : 1].data.run} has this effect.`),
      a && b && fields.length === 0 && h("p.note", null, "Both are the same."),
      a && b && fields.map((f) => [h("h3", null, f), f === asked ? this.asked(label.slice(1)) : diff.shown(indented(written(a[f])), indented(written(b[f])), "difference of " + f)]).flat());
  }

  // asked compares what models were asked.
  asked(address) {
    const [before, after] = this.runs.map((run) => request(run, run.turns.get(address)));
    return diff.shown(before, after, "difference of what was asked");
  }
}

const asked = "asked"; // the field of a pair whose models were asked something else

function written(value) {
  return typeof value === "string" ? visible(value) : value === undefined ? "" : JSON.stringify(value);
}

// meant is a value as it is compared: JSON by its value, whatever its spaces and the order of its members.
function meant(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  // Numbers are compared as they are spelled: those with many digits are not the same to a script.
  const spelled = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
  return JSON.stringify(sorted(JSON.parse(spelled)));
}

// sorted is JSON with the members of its objects in order, and with the JSON that is in its texts, such as arguments of calls.
function sorted(value) {
  if (typeof value === "string") return meant(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

// request is a turn as text.
function request(run, turn) {
  const { system, tools, schema } = run.whole(turn);
  return JSON.stringify({ model: turn.model, ...settings(turn), system, tools, schema, messages: run.messages(turn) }, null, 1).replaceAll("\\n", "\n");
}

// asks is a turn as it is compared.
function asks(run, turn) {
  const { system, tools, schema } = run.whole(turn);
  return meant({ model: turn.model, ...settings(turn), system, tools, schema, messages: run.messages(turn) });
}

// pairs are the begin of both runs, their effects in the order of their addresses, and their ends, with the fields in which they differ.
function pairs(left, right) {
  const all = new Map();
  [left, right].forEach((run, side) => {
    for (const [address, n] of run.byAddress) {
      if (n.kind === "parallel") continue;
      if (!all.has(address)) all.set(address, { label: "#" + address, isEffect: true, nodes: [undefined, undefined], order: address.split(".").map(Number) });
      all.get(address).nodes[side] = n;
    }
  });
  const list = [...all.values()].sort((a, b) => {
    for (let i = 0; i < Math.min(a.order.length, b.order.length); i++) {
      if (a.order[i] !== b.order[i]) return a.order[i] - b.order[i];
    }
    return a.order.length - b.order.length;
  });
  const differing = (a, b, fields) => fields.filter((f) => written(a[f]) !== written(b[f]) && meant(a[f]) !== meant(b[f]));
  const wereAsked = asking(left, right);
  for (const pair of list) {
    const [a, b] = pair.nodes;
    pair.fields = a && b ? differing(a, b, compared) : ["effect"];
    if (a && b && wereAsked(pair.label.slice(1))) pair.fields.push(asked);
  }
  const whole = (label, fields) => ({ label, nodes: [left.data, right.data], fields: differing(left.data, right.data, fields) });
  return [whole("begin", given), ...list, whole("end", reached)];
}

// asking returns a function that reports whether two models were asked something else. Turns contain only what is new, so that a
// difference is one of their own or of a turn before.
function asking(left, right) {
  const known = new Map();
  const own = ({ run, ...turn }) => JSON.stringify(turn);
  return function differ(address) {
    if (known.has(address)) return known.get(address);
    const [a, b] = [left.turns.get(address), right.turns.get(address)];
    known.set(address, false);
    known.set(address, Boolean(a && b && (own(a) === own(b) ? a.like && differ(a.like) : asks(left, a) !== asks(right, b))));
    return known.get(address);
  };
}
