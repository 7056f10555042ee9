import { example, form, mayNotAnswer } from "./answer.js";
import { h, isEdited, replace, visible } from "./dom.js";
import { duration, joined } from "./format.js";
import { ask, caller, may } from "./server.js";

// Inbox lists the open questions of all runs, to be answered there.
export class Inbox {
  // address returns the address of the page of a run; onanswer is called after an answer.
  constructor(address, onanswer) {
    this.address = address;
    this.onanswer = onanswer;
    this.title = h("summary");
    this.cards = h("div");
    this.element = h("details.inbox", { hidden: true, open: true, "aria-label": "open questions" }, this.title, this.cards);
    this.shown = "";
  }

  // refresh asks for the questions, unless a person is writing an answer.
  async refresh() {
    if (this.shown && isEdited(this.cards)) return;
    const [{ runs, next }, who] = await Promise.all([ask("runs?status=paused&limit=100"), caller()]);
    const open = runs.flatMap((run) => (run.questions ?? []).map((question) => ({ run, question })));
    const shown = JSON.stringify(open.map(({ run, question }) => [run.run, question.address, question.question]));
    this.element.hidden = open.length === 0;
    if (shown === this.shown) return;
    this.shown = shown;
    replace(this.title, h("h2", null, joined(" ", "Open questions", `(${open.length}${next ? " of the newest 100 paused runs" : ""})`)));
    replace(this.cards, open.map(({ run, question }) => this.card(run, question, who)));
  }

  card(run, question, who) {
    const since = question.since && `for ${duration(Date.now() - Date.parse(question.since))}`;
    const answered = () => {
      document.activeElement?.blur();
      this.onanswer();
    };
    return h("article.question", null,
      h("p.note", null, h("a", { href: this.address(run.run) + "#" + question.address }, run.run), " ", visible(joined(" \u00b7 ", ...new Set([question.agent || run.agent, question.question]), since))),
      h("p.prompt", null, visible(question.prompt)),
      example(question),
      run.stranded && h("p.bad", null, "This run needs another version of the program: an answer is accepted when that version serves, or when the run was resumed with this one."),
      may(who, "answer", run.agent, question.question) ? form(run.run, question, answered) : h("p.note", null, mayNotAnswer));
  }
}
