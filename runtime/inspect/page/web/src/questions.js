import { example } from "./answer.js";
import { h, replace, short, visible } from "./dom.js";
import { table } from "./detail.js";
import { duration, stamp } from "./format.js";

// Questions lists what people were asked.
export class Questions {
  constructor(form) {
    this.form = form; // makes a form for an open question; none in a file
    this.element = h("section.questions", { "aria-label": "questions" });
  }

  show(run) {
    const asked = run.nodes.filter((n) => n.kind === "ask");
    const open = run.data.questions ?? [];
    replace(this.element,
      open.map((q) => h("article.question", null, h("h2", null, visible(q.question)), h("p.prompt", null, visible(q.prompt)), q.choices && h("p", null, "The choices are " + q.choices.map(visible).join(", ") + "."),
        example(q), this.form?.(run, q))),
      asked.length > 0 && table("All questions", ["question", "asked", "answer", "by", "waited"], asked.map((n) => [
        h("span", null, n.address ? h("a", { href: "#" + n.address }, visible(n.name)) : visible(n.name ?? ""), " ", short(n.text ?? "", 200)), stamp(run.start + n.begun), short(n.value ?? (n.problem || ""), 200), n.by ?? "",
        n.ended >= 0 ? duration(n.ended - n.begun) : "waits",
      ])),
      asked.length + open.length === 0 && h("p.note", null, "The run asked no one."));
  }
}
