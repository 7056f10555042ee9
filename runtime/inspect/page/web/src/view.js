import { h, isEdited, replace, short, visible } from "./dom.js";
import { Compare } from "./compare.js";
import { Detail } from "./detail.js";
import { Diagram } from "./diagram.js";
import { count, duration, joined, money, stamp, tokens } from "./format.js";
import { Questions } from "./questions.js";
import { Run } from "./run.js";
import { Tree } from "./tree.js";

// RunView is the page of a run. Actions are what a server can do with it; a file has none.
export class RunView {
  constructor(root, actions = {}) {
    this.detail = new Detail(actions.node, actions.link);
    this.tree = new Tree((n) => this.selected(n));
    this.diagram = new Diagram((n) => this.go(n));
    this.questions = new Questions(actions.answer);
    this.compare = new Compare(actions.others, actions.compare);
    this.actions = actions;
    this.about = h("div");
    this.acts = h("p.acts");
    this.head = h("header", null, this.about, this.acts);
    this.tabs = h("div.tabs", { role: "tablist", "aria-label": "views", onkeydown: (e) => this.arrow(e) });
    this.panels = new Map();
    this.add("run", "Run", [this.tree.element, this.detail.element]);
    this.add("diagram", "Diagram", [this.diagram.element]);
    this.add("questions", "Questions", [this.questions.element]);
    this.add("compare", "Compare", [this.compare.element]);
    this.root = h("main.run", null, this.head, this.tabs, [...this.panels.values()].map((p) => p.panel));
    replace(root, this.root);
    this.pick("run");
    this.onhash = () => this.follow();
    this.onslash = (e) => this.slash(e);
    addEventListener("hashchange", this.onhash);
    addEventListener("keydown", this.onslash);
  }

  close() {
    removeEventListener("hashchange", this.onhash);
    removeEventListener("keydown", this.onslash);
  }

  add(name, label, content) {
    const tab = h("button", { type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel-" + name, onclick: () => this.pick(name) }, label);
    const panel = h("div.panel", { role: "tabpanel", id: "panel-" + name, "aria-labelledby": "tab-" + name }, content);
    this.panels.set(name, { tab, panel });
    this.tabs.append(tab);
  }

  show(runs) {
    const isFirst = !this.run;
    this.runs = runs.map((run) => (run instanceof Run ? run : new Run(run)));
    this.run = this.runs[0];
    this.header();
    this.stale = new Set(["diagram", "compare"]);
    if (!isEdited(this.questions.element)) this.stale.add("questions"); // an answer may be under way
    this.tree.show(this.run);
    this.panels.get("compare").tab.hidden = this.runs.length < 2 && !this.actions.others;
    const asked = this.run.nodes.filter((n) => n.kind === "ask").length;
    this.panels.get("questions").tab.textContent = joined(" ", "Questions", asked > 0 && `(${asked})`);
    if (isFirst && !this.follow()) this.selected(this.run.nodes[0]);
    else if (!isFirst) this.detail.update(this.run, this.tree.node);
    this.fill();
  }

  header() {
    const d = this.run.data;
    const ended = Math.max(...(d.processes ?? []).map((p) => p.ended), 0);
    document.title = `${d.run}: ${d.status}`;
    replace(this.about, this.actions.home?.(),
      h("h1", null, "Run ", h("bdi", null, d.run), " ", h("span", { class: "status " + (/^[a-z-]+$/.test(d.status) ? d.status : "") }, d.status)),
      h("p", null, joined(" \u00b7 ", d.program === d.agent ? d.agent : `${d.agent} of ${d.program}`, "began " + stamp(this.run.start), ended > 0 && "took " + duration(ended),
        d.stranded && "needs another version of the program", money(d.totals.cost) + (d.totals.list_prices ? ` at list prices of ${d.totals.list_prices}` : ""), tokens(d.totals.in, d.totals.out, d.totals.estimated), count(d.totals.models, "model call", "model calls"), count(d.totals.tools, "tool call", "tool calls"), d.status !== "paused" && d.problem && short(d.problem, 160))));
    const open = d.questions ?? [];
    const key = JSON.stringify([d.status, d.stranded, open.map((q) => q.question)]);
    if (key === this.key) return; // a button may have the focus
    this.key = key;
    const answer = (question) => h("button.waits", { type: "button", onclick: () => this.pick("questions") }, joined(" ", this.actions.mayAnswer?.(this.run, question) ? "Answer" : "Waits for", visible(question.question)));
    replace(this.acts, open.map(answer), this.actions.run?.(this.run));
  }

  pick(name) {
    for (const [other, { tab, panel }] of this.panels) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
    this.picked = name;
    this.fill();
  }

  // fill draws a view when it is first seen.
  fill() {
    if (!this.run || !this.stale.delete(this.picked)) return;
    if (this.picked === "diagram") {
      this.diagram.show(this.run);
    } else if (this.picked === "questions") {
      this.questions.show(this.run);
    } else if (this.picked === "compare") {
      this.compare.show(this.run, this.runs[1]);
    }
  }

  arrow(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const names = [...this.panels].filter(([, { tab }]) => !tab.hidden).map(([name]) => name);
    const next = names[(names.indexOf(this.picked) + by + names.length) % names.length];
    this.pick(next);
    this.panels.get(next).tab.focus();
  }

  slash(event) {
    if (event.key !== "/" || event.target.matches("input,textarea,select")) return;
    event.preventDefault();
    this.pick("run");
    this.tree.search.focus();
  }

  // selected shows a node that was selected, and makes its address the page's.
  selected(n) {
    this.detail.show(this.run, n);
    if (n.address && location.hash !== "#" + n.address) history.replaceState(null, "", "#" + n.address);
  }

  go(n) {
    this.pick("run");
    this.tree.go(n);
  }

  // follow goes to the place that the address names, and reports whether there is one.
  follow() {
    const n = this.run.byAddress.get(decodeURIComponent(location.hash.slice(1)));
    if (n) this.go(n);
    return Boolean(n);
  }
}
