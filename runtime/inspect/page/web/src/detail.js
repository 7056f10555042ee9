import { h, isEdited, long, replace, short, visible } from "./dom.js";
import * as diff from "./diff.js";
import { count, duration, hasProblemPart, joined, kindMark, money, stamp, title, tokens } from "./format.js";
import { settings } from "./run.js";

// Detail says all that is known of a node.
export class Detail {
  constructor(actions, link) {
    this.actions = actions; // what a server can do; none in a file
    this.link = link ?? ((run) => run); // a link to another run, where a server has it
    this.element = h("section.detail", { "aria-label": "selected step", tabindex: "0" });
  }

  // update shows a node of a run that has gone on, unless it is as it was, or a person writes there. What was unfolded stays unfolded.
  update(run, n) {
    if (this.known === known(run, n) || isEdited(this.element)) return;
    const label = (fold) => fold.querySelector("summary").textContent;
    const open = new Set([...this.element.querySelectorAll("details[open]")].map(label));
    const top = this.element.scrollTop;
    this.show(run, n);
    for (const fold of this.element.getElementsByTagName("details")) { // more of them come in those that are opened
      if (!open.has(label(fold))) continue;
      fold.open = true;
      fold.dispatchEvent(new Event("toggle"));
    }
    this.element.scrollTop = top;
  }

  show(run, n) {
    this.run = run;
    this.known = known(run, n);
    const parts = [this.heading(n), this.facts(n), ...this.problems(n)];
    if (n.index === 0) parts.push(...this.whole());
    const turn = run.turns.get(n.address);
    if (n.kind === "model") parts.push(...this.turn(n, turn));
    else parts.push(...this.effect(n));
    if (n.kind === "decision") parts.push(...this.decision(n));
    if (n.index > 0) parts.push(this.state(n));
    if (this.actions) parts.push(this.actions(run, n));
    replace(this.element, parts);
    this.element.scrollTop = 0;
  }

  heading(n) {
    const link = n.address && h("a.address", { href: "#" + n.address, title: "a link to this place" }, "#" + n.address);
    return h("h2", null, kindMark(n.kind), " ", h("bdi", null, short(n.index === 0 ? this.run.data.agent : title(n), 200)), " ", link);
  }

  facts(n) {
    const begun = this.run.start + n.from0;
    return list([
      ["at", n.from0 >= 0 && `${stamp(begun)} (+${duration(n.from0)})`],
      ["took", n.to0 > n.from0 && n.from0 >= 0 && duration(n.to0 - n.from0)],
      ["model", n.model],
      ["tokens", tokens(n.sumIn, n.sumOut, n.isEstimated)],
      ["cost", n.sumCost > 0 && money(n.sumCost) + (n.isEstimated ? ", estimated" : "")],
      ["stopped because", n.stop],
      ["copied", n.copied && `from run ${this.run.data.forkedFrom}: this run did not carry it out`],
      ["begun", n.attempts > 1 && `${n.attempts} times`],
      ["answered by", n.by],
      ["by way of", n.channel],
      ["choices", n.choices?.join(", ")],
      ["key", n.kind === "finish" && n.key],
      ["waits", n.waits && "for an answer"],
      ["synthetic", n.synthetic && "the model did not call finish"],
    ]);
  }

  problems(n) {
    return [
      ...(n.earlier ?? []).map((p) => h("p.bad", null, "Failed, and was tried again: " + visible(p))),
      ...(n.retries ?? []).map((r) => h("p.bad", null, `Attempt ${r.Attempt} failed, ${r.Model ? r.Model + " was asked instead" : "again after " + r.Wait}: ${visible(r.Problem)}`)),
      n.problem && !hasProblemPart(n) && h("p.bad", null, joined(": ", n.type || "failed", visible(n.problem))),
      n.isOpen && !n.waits && h("p.note", null, "It has begun, and has no result."),
    ];
  }

  // whole says what is known of the run.
  whole() {
    const d = this.run.data;
    const t = d.totals;
    const models = new Map();
    for (const n of this.run.nodes.filter((n) => n.kind === "model")) {
      const sum = models.get(n.model ?? "") ?? { calls: 0, in: 0, out: 0, cost: 0 };
      models.set(n.model ?? "", { calls: sum.calls + 1, in: sum.in + (n.in ?? 0), out: sum.out + (n.out ?? 0), cost: sum.cost + (n.cost ?? 0) });
    }
    return [
      list([
        ["started by", d.by],
        ["copy of", d.forkedFrom && h("span", null, "run ", this.link(d.forkedFrom), d.forkedAt && `, up to #${d.forkedAt}`)],
        ["effects", joined(", ", count(t.models, "model call", "model calls"), count(t.tools, "tool call", "tool calls"), count(t.calls, "function call", "function calls"), count(t.answers, "answer", "answers"))],
        ["trouble", joined(", ", count(t.retries, "retry", "retries"), count(t.repairs, "repair", "repairs"), count(t.synthetic, "synthetic finish", "synthetic finishes"), count(t.unpriced, "call of unknown cost", "calls of unknown cost"))],
      ]),
      ...part("Input", d.input), ...part("Context", d.context), ...part("Final context", d.finalContext),
      ...part(joined(" ", "Result", d.key && `(${visible(d.key)})`), d.value), ...part("Problem", d.status !== "paused" && d.problem),
      models.size > 0 && table("Costs by model", ["model", "calls", "tokens in", "tokens out", "cost"], [...models].map(([name, m]) => [name || "?", m.calls, m.in.toLocaleString("en"), m.out.toLocaleString("en"), money(m.cost)])),
      (d.processes ?? []).length > 1 && table("Processes", ["process", "began", "worked for", "left the run"], d.processes.map((p, i) => [
        i + 1, stamp(this.run.start + p.begun), duration(p.ended - p.begun), joined(", ", p.newShape && "a program of another shape", p.newText && "other prompts", p.status === "open" ? "did not say" : p.status),
      ])),
      !d.hasTurns && t.models > 0 && h("p.note", null, d.atWork ? "Prompts are shown when the run has stopped." : "Prompts are not on this page: journals do not contain them, and the program of the run was not at hand."),
    ];
  }

  // turn shows a request and its answer.
  turn(n, turn) {
    const parts = [];
    if (turn) {
      const whole = this.run.whole(turn);
      const before = this.run.before(turn);
      const messages = this.run.messages(turn);
      const same = this.same(messages, before);
      parts.push(h("h3", null, "Asked"));
      parts.push(list([["agent", turn.agent], ["model", turn.model], ...Object.entries(settings(turn)).map(([name, value]) => [name, value.toString()])]));
      if (before) parts.push(this.changes(turn, before, messages, same));
      if (whole.system) parts.push(fold("System prompt", false, () => [long(whole.system, "system prompt")]));
      if (whole.tools) parts.push(fold(`Tools (${whole.tools.length})`, false, () => whole.tools.map((t) => fold(t.name, false, () => [t.description && h("p", null, visible(t.description)), t.schema && long(JSON.stringify(t.schema), "schema")]))));
      if (whole.schema) parts.push(fold("Schema of the answer", false, () => [long(JSON.stringify(whole.schema), "schema of the answer")]));
      if (same > 0) parts.push(fold(`The first ${count(same, "message", "messages")}, as before`, false, () => messages.slice(0, same).map(message)));
      parts.push(...messages.slice(same).map(message));
    }
    parts.push(h("h3", null, "Answered"));
    if (n.thoughts) parts.push(fold("Thoughts", false, () => [long(n.thoughts, "thoughts")]));
    if (n.text) parts.push(long(n.text, "answer"));
    return [...parts, ...called(n.calls)];
  }

  same(messages, before) {
    if (!before) return 0;
    const earlier = this.run.messages(before);
    let i = 0;
    while (i < earlier.length && i < messages.length && (earlier[i] === messages[i] || JSON.stringify(earlier[i]) === JSON.stringify(messages[i]))) i++;
    return i;
  }

  // changes says what is other than in the turn before.
  changes(turn, before, messages, same) {
    const [now, then] = [this.run.whole(turn), this.run.whole(before)];
    const dropped = this.run.messages(before).length - same;
    const isOther = (now.system ?? "") !== (then.system ?? "");
    return h("div.changes", null,
      h("p", null, "Against the turn ", h("a", { href: "#" + before.address }, "#" + before.address), ": ",
        joined(", ", count(messages.length - same, "new message", "new messages"), count(dropped, "message fewer", "messages fewer"),
          isOther && "another system prompt", JSON.stringify(now.tools) !== JSON.stringify(then.tools) && "other tools") || "the same", "."),
      isOther && diff.shown(then.system ?? "", now.system ?? "", "changes of the system prompt"),
      dropped > 0 && messages[same] && diff.shown(text(this.run.messages(before)[same]), text(messages[same]), "changes of a message"));
  }

  effect(n) {
    const labels = { tool: ["Arguments", "Result"], call: ["Arguments", "Result"], ask: ["Question", "Answer"], step: ["", "Value"], finish: ["", "Value"] };
    const [args, value] = labels[n.kind] ?? ["Arguments", "Value"];
    return [...part("Question", n.kind === "ask" && n.text), ...part(args, n.args), ...part("Form of the answer", n.schema), ...part(value, n.value), ...part("Problem", hasProblemPart(n) && n.problem)];
  }

  decision(n) {
    return [
      n.machine && list([["machine", n.machine], ["key", n.key], ["matched", n.matched]]),
      ...(n.guards ?? []).map((g) => h("p", { class: g.ok ? "good" : "bad" }, `Guard ${visible(g.guard)}: ${g.ok ? "yes" : "no"}${g.reason ? " (" + visible(g.reason) + ")" : ""}`)),
      n.notTaken && h("h3", null, "Rows that were not taken"), n.notTaken && h("ul", null, n.notTaken.map((row) => h("li", null, visible(row)))),
    ];
  }

  // state says what the run had at a node: values of steps, memory, what was spent.
  state(n) {
    return fold("The run at this point", false, () => {
      const at = this.run.stateAt(n);
      const values = (label, map) => map.size > 0 && [h("h4", null, label), ...[...map].map(([name, value]) => fold(visible(name) + " = " + short(value, 60), false, () => [long(value, name)]))];
      return [
        list([["spent", joined(", ", count(at.calls, "model call", "model calls"), at.tokens && `${at.tokens.toLocaleString("en")} tokens`, money(at.cost)) || "nothing"], ["budget", at.warnings.at(-1)]]),
        values("Values", at.steps), values("Memory", at.memory), at.steps.size + at.memory.size === 0 && h("p.note", null, "No values and no memory yet."),
      ].flat();
    });
  }
}

// known is what may change of a node.
function known(run, n) {
  return JSON.stringify([n.address, n.index, n.ended, n.end, n.text, n.value, n.problem, n.waits, run.turns.size, n.index === 0 && run.data.status]);
}

function text(m) {
  return [m.text ?? "", ...(m.calls ?? []).map((c) => `calls ${c.name} ${JSON.stringify(c.args ?? null)}`)].join("\n");
}

function message(m) {
  const head = joined(" ", m.role === "tool" ? `result of ${m.name}` : m.role, m.failed && "(failed)");
  return h(`article.message.${["user", "assistant", "tool", "system"].includes(m.role) ? m.role : "other"}`, null,
    h("h4", null, visible(head)), m.text && long(m.text, head), called(m.calls));
}

// called shows the calls of a message.
function called(calls) {
  return (calls ?? []).map((c) => h("div", null, h("p", null, "calls ", h("b", null, visible(c.name))), c.args && long(typeof c.args === "string" ? c.args : JSON.stringify(c.args), "arguments of " + c.name)));
}

// part is a value under its heading; nothing without a value.
export function part(label, value) {
  return value ? [h("h3", null, label), long(value, label)] : [];
}

// list shows names with their values, but for those without.
export function list(pairs) {
  const rows = pairs.filter(([, value]) => value);
  return rows.length > 0 && h("dl", null, rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, h("bdi", null, value instanceof Node ? value : visible(String(value)))))));
}

export function table(label, heads, rows) {
  const cellOf = (cell, i) => h("td", { role: "cell", "data-label": heads[i] }, cell instanceof Node ? cell : visible(String(cell)));
  // The roles are for narrow screens, on which a row is drawn as a list.
  return h("div.table", { tabindex: "0", role: "region", "aria-label": label }, h("table", { role: "table" }, h("caption", null, label),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map((head) => h("th", { scope: "col", role: "columnheader" }, head)))),
    h("tbody", { role: "rowgroup" }, rows.map((row) => h("tr", { role: "row" }, row.map(cellOf))))));
}

// fold shows its content when it is opened.
export function fold(label, open, content) {
  const body = h("div.body");
  const fill = () => body.childNodes.length === 0 && replace(body, content());
  if (open) fill();
  return h("details", { open, ontoggle: (e) => e.target.open && fill() }, h("summary", null, visible(label)), body);
}
