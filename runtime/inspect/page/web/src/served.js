import { h, indented, replace, short, visible } from "./dom.js";
import { fieldOf, form, labelled, mayNotAnswer, text } from "./answer.js";
import { fold, table } from "./detail.js";
import { Inbox } from "./inbox.js";
import { joined, money, stamp } from "./format.js";
import { Run } from "./run.js";
import { ask, button, caller, events, may, perform } from "./server.js";
import { RunView } from "./view.js";

const statuses = ["", "queued", "running", "paused", "done", "failed", "cancelled", "interrupted", "quarantined", "damaged"];
const address = (run, other) => "?run=" + encodeURIComponent(run) + (other ? "&compare=" + encodeURIComponent(other) : "");

// serve shows the run that the address of the page names, or the list of runs.
export function serve(root) {
  const wanted = new URLSearchParams(location.search);
  const run = wanted.get("run");
  if (run) follow(root, run, wanted.get("compare"));
  else list(root);
}

// again starts a run like another one.
export async function again(run) {
  const { agent, input, context } = await ask(`runs/${encodeURIComponent(run)}`);
  return ask("runs", { agent, input, context });
}

// others are the newest runs with which one can be compared; the one of which it is a copy is first.
async function others({ data: { run, forkedFrom } }) {
  const { runs } = await ask("runs?limit=100");
  const about = (r) => joined(", ", r.run === forkedFrom && "copied from", r.status, r.agent, r.begun && stamp(Date.parse(r.begun)));
  const found = runs.filter((r) => r.run !== run).map((r) => ({ id: r.run, about: about(r) }));
  if (forkedFrom && !found.some(({ id }) => id === forkedFrom)) found.push({ id: forkedFrom, about: "copied from" });
  return found.sort((a, b) => (b.id === forkedFrom) - (a.id === forkedFrom));
}

// follow shows a run, beside another one if that is named, and what happens in it while it is at work, until it is closed.
// home is the address of the list of runs.
export function follow(root, id, beside, home = location.pathname) {
  const run = encodeURIComponent(id);
  const end = new AbortController();
  const post = (what, body = {}) => ask(`runs/${run}/${what}`, body).then(refresh);
  let who = {}; // the caller, and its rights
  const isLeft = ({ status, questions }) => ["failed", "cancelled", "interrupted", "quarantined"].includes(status) || (status === "paused" && !questions?.length);
  const mayResume = (data) => isLeft(data) && mayTakeUp(data);
  const mayTakeUp = ({ status, agent }) =>
    may(who, "start", agent) && (status !== "cancelled" || may(who, "cancel", agent));
  const mayAnswer = (r, question) => may(who, "answer", r.data.agent, question.question);
  const view = new RunView(root, {
    home: () => h("p", null, h("a", { href: home }, "All runs")),
    run: (r) => h("p.acts", null,
      ["running", "queued", "paused"].includes(r.data.status) && may(who, "cancel", r.data.agent) && button("Cancel", () => post("cancel")),
      r.data.stranded && may(who, "admin", r.data.agent) && button("Resume with this version", () => post("resume", { force_shape: true })),
      !r.data.stranded && mayResume(r.data) && button("Resume", () => post("resume"))),
    answer: (r, question) => (mayAnswer(r, question) ? form(id, question, refresh) : h("p.note", null, mayNotAnswer)),
    mayAnswer,
    node: (r, n) => n.address && n.ended >= 0 && ["model", "tool", "call", "ask"].includes(n.kind) && may(who, "admin", r.data.agent) && fork(run, n),
    link: (other) => h("a", { href: address(other) }, visible(other)),
    others,
    compare,
  });
  let other; // the run beside it
  async function compare(chosen) {
    other = chosen ? new Run(await ask(`runs/${encodeURIComponent(chosen)}/page?has=`)) : undefined;
    history.replaceState(null, "", location.pathname + address(id, chosen) + location.hash);
    if (last && !end.signal.aborted) view.show(shownRuns());
  }
  const shownRuns = () => (other ? [last, other] : [last]);
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
      if (!shown.unchanged) {
        if (shown.same > 0) {
          shown.nodes = last.nodes.slice(0, shown.same).concat(shown.nodes);
          shown.pictures = last.pictures;
        }
        last = shown;
        if (!end.signal.aborted) view.show(shownRuns());
      }
    } catch (problem) {
      if (!view.run) replace(root, h("main.runs", null, h("p", null, h("a", { href: home }, "All runs")), h("p.bad", null, visible(problem.message))));
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
    }, Math.min(Math.max(2 * took, 30), 5000)); // a large run takes the server a while, which has other work
  };
  // The stream ends when nothing is at work; what changes a run then, such as a cancellation, is no event.
  async function watch() {
    who = await caller();
    await refresh();
    if (beside && view.run) {
      view.pick("compare");
      await compare(beside).catch((problem) => view.compare.fail(problem));
    }
    for (let known = ""; !end.signal.aborted; ) {
      await events(run, next, noted, end.signal).catch(() => {});
      const { status, changed } = await ask(`runs/${run}`).catch(() => ({}));
      if (known !== `${status} ${changed}`) await refresh();
      known = `${status} ${changed}`;
      await new Promise((done) => setTimeout(done, ["done", "failed", "cancelled"].includes(status) || document.hidden ? 5000 : 1000));
    }
  }
  watch();
  const quiet = setInterval(() => last?.status === "running" && !document.hidden && refresh(), 2000); // not everything in a run is an event
  const close = () => {
    end.abort();
    clearInterval(quiet);
    view.close();
  };
  return { view, close };
}

// fork is a form that makes a copy of a run, which goes on from an effect with an edited reply, or carries it out again.
function fork(run, n) {
  return fold("Fork here", false, () => {
    const before = recorded(n);
    const isLong = before.length > mostEdited;
    const reply = text("Reply in the copy", false, isLong ? "It is too long to be edited here: write another one" : "", isLong ? "" : before, isLong);
    const said = h("p.bad", { role: "status" });
    const make = async (how) => {
      const made = await ask(`runs/${run}/forks`, { at: n.address, ...how });
      location.href = location.pathname + address(made.run);
    };
    const send = h("button", null, "Fork with this reply");
    const repeat = h("button", { type: "button", onclick: () => perform(repeat, said, () => make({})) }, "Fork and do it again");
    const submit = (event) => {
      event.preventDefault();
      perform(send, said, () => make({ reply: reply.value() }));
    };
    return [h("form.answer", { onsubmit: submit }, reply.element, h("p.acts", null, send, repeat), said)];
  });
}

const mostEdited = 1e5; // characters of a reply that is edited

// recorded is the reply of an effect as a fork takes it.
function recorded(n) {
  const json = (text) => {
    try {
      JSON.parse(text);
      return text; // as it is spelled
    } catch {
      return JSON.stringify(text);
    }
  };
  const calls = (n.calls ?? []).map((c) => `{"name":${JSON.stringify(c.name)},"args":${json(c.args ?? "")}}`);
  if (n.kind !== "model") return n.value ?? "";
  return calls.length === 0 ? (n.text ?? "") : indented(`{${n.text ? `"text":${JSON.stringify(n.text)},` : ""}"calls":[${calls}]}`);
}

// list shows all runs, and a form that starts one.
export async function list(root) {
  const { program, agents, entry } = await ask("agents");
  const who = await caller();
  document.title = `runs of ${program}`;
  const status = h("select", { onchange: refresh }, statuses.map((s) => h("option", { value: s }, s || "any")));
  const agent = h("select", { onchange: refresh }, h("option", { value: "" }, "any"), agents.map((a) => h("option", { value: a.name }, a.name)));
  const search = h("input", { type: "search", oninput: searched });
  const shown = h("div");
  const inbox = new Inbox(address, refresh);
  replace(root, h("main.runs", null, h("h1", null, "Runs of ", visible(program)), inbox.element, may(who, "start") && start(agents, entry),
    h("div.tools", null, labelled("Search", search), labelled("Status", status), labelled("Agent", agent)), shown));
  let pages = 1;
  let pause;
  function searched() {
    clearTimeout(pause);
    pause = setTimeout(refresh, 250);
  }
  async function refresh() {
    try {
      const rows = [];
      let next = "";
      for (let i = 0; i < pages; i++) {
        const wanted = { status: status.value, agent: agent.value, search: search.value.trim(), before: next };
        const query = new URLSearchParams([["limit", "100"], ...Object.entries(wanted).filter(([, value]) => value)]);
        const page = await ask("runs?" + query);
        rows.push(...page.runs);
        next = page.next ?? "";
        if (!next) break;
      }
      const more = next && h("button", { type: "button", onclick: () => ++pages && refresh() }, "Older runs");
      replace(shown, rows.length > 0 ? table("Runs", ["run", "status", "agent", "input", "question or result", "cost", "started", "changed"], rows.map(row)) : h("p.note", null, status.value || agent.value || search.value ? "There are no such runs." : "There are no runs yet."), more);
      await inbox.refresh();
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
    h("a", { href: address(r.run) }, r.run), h("span", null, h("span", { class: "status " + r.status }, r.status), r.stranded && h("span.note", null, " needs another version")), r.agent ?? "", short(r.input ?? "", 100), latest(r),
    money((r.cost?.usd ?? 0) * 1e6) + (r.cost?.estimated ? ", estimated" : ""), time(r.begun), time(r.changed),
  ];
}

// latest is what a run waits for, or what came of it.
function latest({ questions = [], problem, result, status }) {
  if (questions.length > 0 && status !== "cancelled") return short(questions[0].prompt, 120) + (questions.length > 1 ? ` (and ${questions.length - 1} more)` : "");
  return short(problem?.message ?? result?.value ?? "", 120);
}

// start is the form that starts a run.
function start(agents, entry) {
  const agent = h("select", { onchange: pick }, agents.map((a) => h("option", { value: a.name, selected: a.name === entry }, a.name)));
  const input = text("Input", false);
  const context = h("div");
  let given; // the field of the context
  const said = h("p.bad", { role: "status" });
  const send = h("button", null, "Start");
  function pick() {
    const { has_context: has, context_schema: schema } = agents.find((a) => a.name === agent.value) ?? {};
    given = has ? (schema?.properties ? fieldOf(schema, "Context", false) : text("Context, as JSON", true)) : undefined;
    replace(context, given?.element);
  }
  pick();
  // A context without a single value is none.
  const contextValue = () => {
    const value = given?.value();
    return value && Object.values(value).every((v) => v === "" || v === undefined) ? undefined : value;
  };
  const submit = (event) => {
    event.preventDefault();
    perform(send, said, async () => {
      const made = await ask("runs", { agent: agent.value, input: input.value(), context: contextValue() });
      location.href = location.pathname + address(made.run);
    });
  };
  return h("details.start", null, h("summary", null, "Start a run"), h("form.answer", { onsubmit: submit }, labelled("Agent", agent), input.element, context, send, said));
}
