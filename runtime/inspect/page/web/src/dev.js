import { h, replace, visible } from "./dom.js";
import { Diagram } from "./diagram.js";
import { joined } from "./format.js";
import { again, follow, list } from "./served.js";
import { ask, perform } from "./server.js";

// dev shows what agentc dev knows of a project that is edited: its problems, its diagram, and the run that goes on with each edit.
export function dev(root) {
  const said = h("p", { role: "status" });
  const problems = h("ul.problems", { "aria-label": "problems" });
  const build = h("pre", { tabindex: "0", role: "region", "aria-label": "output of the build" });
  const diagram = new Diagram(() => {});
  diagram.path.hidden = true;
  const drawing = h("details", { open: true }, h("summary", null, "Project"), diagram.element);
  const key = (letter, label, act) => h("button", { type: "button", title: `${label} (${letter})`, onclick: (e) => perform(e.currentTarget, failed, act) }, label);
  const failed = h("p.bad", { role: "status" });
  const keys = { r: key("r", "Run again", runAnew), f: key("f", "Fork at the selected effect", forkHere), s: key("s", "Write a test", writeTest) };
  let content = h("div.shown");
  replace(root, h("section.dev", { "aria-label": "project" }, h("p.acts", null, h("b", null, "agentc dev"), Object.values(keys)), said, problems, build, failed, drawing), content);

  const wanted = new URLSearchParams(location.search);
  let shown = wanted.get("run") ?? "";
  let known; // the run that the server showed last
  let open;
  let drawn;
  let isListed = false; // the runs are, where none is shown
  function show(run) {
    open?.close();
    open = undefined;
    if (known === undefined || Boolean(run) !== Boolean(shown)) drawing.open = !run || innerWidth >= 1400; // where there is room for both
    shown = run;
    for (const name of ["r", "f", "s"]) keys[name].disabled = !run;
    const before = content;
    content = h("div.shown"); // what was requested for the place before comes too late
    before.replaceWith(content);
    if (run) open = follow(content, run, known === undefined ? wanted.get("compare") : null, "?runs");
  }
  function go(run) {
    history.replaceState(null, "", location.pathname + "?run=" + encodeURIComponent(run));
    show(run);
  }

  async function runAnew() {
    if (shown) go((await again(shown)).run);
  }
  async function forkHere() {
    const at = open?.view.tree.node?.address;
    if (!at) throw new Error("Select an effect of the run first.");
    go((await ask(`runs/${encodeURIComponent(shown)}/forks`, { at })).run);
  }
  async function writeTest() {
    if (shown) replace(failed, visible((await ask("dev/test", { run: shown })).message));
  }
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.matches("input,textarea,select") || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key].click();
  });

  new EventSource("dev/state").onmessage = ({ data }) => {
    const state = JSON.parse(data);
    const failed = state.build && joined(", ", "the build failed", state.run && "the last good program stays");
    replace(said, visible(joined(" \u00b7 ", state.checked, failed, state.busy && state.busy + "\u2026", state.run && state.effects && `run ${state.run}: ${state.effects}`, state.problem)));
    replace(problems, [...state.diagnostics, ...(state.faults ?? [])].map((d) => h("li", { class: d.severity }, d.place && h("a", { href: d.link }, visible(d.place)), " ", visible(`${d.severity}: ${d.message}`), d.check && h("span.note", null, ` [${d.check}]`))));
    replace(build, visible(state.build ?? ""));
    build.hidden = !state.build;
    if (state.picture !== drawn) diagram.pictures(state.picture ? [[state.picture]] : []);
    drawn = state.picture;
    if (state.run && state.run !== known && known !== undefined) go(state.run);
    else if (known === undefined) show(shown || (wanted.has("runs") ? "" : state.run) || "");
    known = state.run ?? "";
    if (!shown && !state.busy && !isListed) {
      isListed = true;
      list(content).catch(() => (isListed = false)); // until a program serves
    }
  };
}
