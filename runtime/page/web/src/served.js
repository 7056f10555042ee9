import { h, replace, short, visible } from "./dom.js";
import { form, labelled, text } from "./answer.js";
import { table } from "./detail.js";
import { stamp } from "./format.js";
import { ask, button, events, perform } from "./server.js";
import { RunView } from "./view.js";

const statuses = ["", "queued", "running", "paused", "done", "failed", "cancelled", "interrupted", "quarantined", "damaged"];
const address = (run) => "?run=" + encodeURIComponent(run);

// serve shows the run that the address of the page names, or the list of runs.
export function serve(root) {
  const run = new URLSearchParams(location.search).get("run");
  if (run) follow(root, run);
  else list(root);
}

// again starts a run like another one.
export async function again(run) {
  const { agent, input, context } = await ask(`runs/${encodeURIComponent(run)}`);
  return ask("runs", { agent, input, context });
}

// follow shows a run, and what happens in it while it is at work, until it is closed.
export function follow(root, id) {
  const run = encodeURIComponent(id);
  const end = new AbortController();
  const post = (what, body = {}) => ask(`runs/${run}/${what}`, body).then(refresh);
  const view = new RunView(root, {
    home: () => h("p", null, h("a", { href: location.pathname }, "All runs")),
    run: (r) => h("p.acts", null,
      ["running", "queued", "paused"].includes(r.data.status) && button("Cancel", () => post("cancel")),
      ["failed", "interrupted", "quarantined"].includes(r.data.status) && button("Resume", () => post("resume"))),
    answer: (r, question) => form(run, question, refresh),
    node: (r, n) => n.address && n.ended >= 0 && ["model", "tool", "call", "ask"].includes(n.kind) && fork(run, n),
  });
  const wait = 150;
  let again;
  let isAsking = false;
  let last; // the run as it was
  let took = 0;
  async function refresh() {
    clearTimeout(again);
    if (end.signal.aborted) return;
    if (isAsking) {
      again = setTimeout(refresh, wait);
      return;
    }
    isAsking = true;
    const begun = performance.now();
    try {
      const shown = await ask(`runs/${run}/page?has=${last?.has ?? ""}`);
      if (shown.same > 0) {
        shown.nodes = last.nodes.slice(0, shown.same).concat(shown.nodes);
        shown.pictures = last.pictures;
      }
      last = shown;
      if (!end.signal.aborted) view.show([shown]);
    } catch (problem) {
      if (!view.run) replace(root, h("main.runs", null, h("p", null, h("a", { href: location.pathname }, "All runs")), h("p.bad", null, visible(problem.message))));
    } finally {
      isAsking = false;
      took = performance.now() - begun;
    }
  }
  let next = 1;
  let due = 0;
  const noted = (event) => {
    if (event.seq) next = event.seq + 1;
    else return; // what a model is saying
    if (due) return;
    due = setTimeout(() => {
      due = 0;
      refresh();
    }, Math.min(Math.max(took, 30), 1000)); // a large run takes the server a while
  };
  // The stream ends when nothing is at work; what changes a run then, such as a cancellation, is no event.
  async function watch() {
    await refresh();
    for (let known = ""; !end.signal.aborted; ) {
      await events(run, next, noted, end.signal).catch(() => {});
      const { status, changed } = await ask(`runs/${run}`).catch(() => ({}));
      if (known !== `${status} ${changed}`) await refresh();
      known = `${status} ${changed}`;
      await new Promise((done) => setTimeout(done, ["done", "failed", "cancelled"].includes(status) || document.hidden ? 5000 : 1000));
    }
  }
  watch();
  const close = () => {
    end.abort();
    view.close();
  };
  return { view, close };
}

// fork makes a copy of a run that goes on from an effect, with another reply.
function fork(run, n) {
  const reply = text("Reply instead (JSON; without one the effect is carried out again)", true);
  const said = h("p.bad", { role: "status" });
  const send = h("button", null, "Fork");
  const submit = (event) => {
    event.preventDefault();
    perform(send, said, async () => {
      const made = await ask(`runs/${run}/forks`, { at: n.address, reply: reply.value() });
      location.href = location.pathname + address(made.run);
    });
  };
  return h("details", null, h("summary", null, "Fork here"), h("form.answer", { onsubmit: submit }, reply.element, send, said));
}

// list shows all runs, and a form that starts one.
export async function list(root) {
  const { program, agents, entry } = await ask("agents");
  document.title = `runs of ${program}`;
  const status = h("select", { onchange: refresh }, statuses.map((s) => h("option", { value: s }, s || "any")));
  const agent = h("select", { onchange: refresh }, h("option", { value: "" }, "any"), agents.map((a) => h("option", { value: a.name }, a.name)));
  const shown = h("div");
  replace(root, h("main.runs", null, h("h1", null, "Runs of ", visible(program)), start(agents, entry),
    h("div.tools", null, labelled("Status", status), labelled("Agent", agent)), shown));
  let pages = 1;
  async function refresh() {
    try {
      const rows = [];
      let next = "";
      for (let i = 0; i < pages; i++) {
        const query = new URLSearchParams({ limit: "100", ...(status.value && { status: status.value }), ...(agent.value && { agent: agent.value }), ...(next && { before: next }) });
        const page = await ask("runs?" + query);
        rows.push(...page.runs);
        next = page.next ?? "";
        if (!next) break;
      }
      const more = next && h("button", { type: "button", onclick: () => ++pages && refresh() }, "Older runs");
      replace(shown, rows.length > 0 ? table("Runs", ["run", "status", "agent", "started", "changed", "problem"], rows.map(row)) : h("p.note", null, "There are no such runs."), more);
    } catch (problem) {
      replace(shown, h("p.bad", null, visible(problem.message)));
    }
  }
  await refresh();
  const timer = setInterval(() => {
    if (!shown.isConnected) clearInterval(timer);
    else if (!document.hidden && !shown.contains(document.activeElement)) refresh();
  }, 3000);
}

function row(r) {
  const time = (at) => (at ? stamp(Date.parse(at)) : "");
  return [
    h("a", { href: address(r.run) }, r.run), h("span", { class: "status " + r.status }, r.status), r.agent ?? "", time(r.begun), time(r.changed), short(r.problem?.message ?? "", 120),
  ];
}

// start is the form that starts a run.
function start(agents, entry) {
  const agent = h("select", { onchange: pick }, agents.map((a) => h("option", { value: a.name, selected: a.name === entry }, a.name)));
  const input = text("Input", false);
  const context = text("Context, as JSON", true);
  const said = h("p.bad", { role: "status" });
  const send = h("button", null, "Start");
  function pick() {
    context.element.hidden = !agents.find((a) => a.name === agent.value)?.has_context;
  }
  pick();
  const submit = (event) => {
    event.preventDefault();
    perform(send, said, async () => {
      const made = await ask("runs", { agent: agent.value, input: input.value(), context: context.element.hidden ? undefined : context.value() });
      location.href = location.pathname + address(made.run);
    });
  };
  return h("details.start", null, h("summary", null, "Start a run"), h("form.answer", { onsubmit: submit }, labelled("Agent", agent), input.element, context.element, send, said));
}
