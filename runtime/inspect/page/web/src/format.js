import { h, short } from "./dom.js";

// money is what something has cost, in micro-dollars. All amounts have as many decimals.
export function money(micros) {
  return micros ? "$" + (micros / 1e6).toFixed(6) : "";
}

export function tokens(input, output, isEstimated) {
  return input + output > 0 ? `${input.toLocaleString("en")} in, ${output.toLocaleString("en")} out${isEstimated ? ", estimated" : ""}` : "";
}

export function duration(ms) {
  if (ms > 0 && ms < 1) return `${Math.round(ms * 1000)} \u00b5s`;
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const s = ms / 1000;
  if (s < 60) return `${s.toFixed(1)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

// moment is a time since the begin of a run, so precise that it differs from one that is step later.
export function moment(ms, step) {
  const digitsOf = (step) => Math.min(Math.max(Math.ceil(-Math.log10(step)), 0), 6);
  const digits = digitsOf(step / 1000);
  if (ms < 1000) return `${ms.toFixed(Math.min(digitsOf(step), 3))} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(Math.max(digits, 1))} s`;
  if (step >= (ms < 3600e3 ? 1000 : ms < 86400e3 ? 60e3 : 3600e3)) return duration(ms);
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  const s = ms / 1000;
  return `${two(s / 3600)}:${two((s / 60) % 60)}:${(s % 60).toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0")}`;
}

export function stamp(ms) {
  return new Date(ms).toISOString().replace("T", " ").replace(/\.\d+Z/, " UTC");
}

export function count(n, one, many) {
  if (!n) return "";
  return n === 1 ? `1 ${one}` : `${n.toLocaleString("en")} ${many}`;
}

export function joined(by, ...parts) {
  return parts.filter((p) => p).join(by);
}

// eventNodes describe the nodes of events by their kinds, as the rows of runtime/internal/events/eventkind do: web/main.go puts them here.
const eventNodes = EVENT_NODES;

// words are those of the other nodes.
const words = {
  agent: "agent", branch: "branch", model: "model", tool: "tool", call: "function", guard: "guard", ask: "question", sleep: "wait",
  parallel: "side by side",
};

export function kindWord(kind) {
  return eventNodes[kind]?.word ?? words[kind] ?? kind;
}

// kindMark is the word of a kind in its colour.
export function kindMark(kind) {
  return h("span", { class: joined(" ", "kind", kind, eventNodes[kind]?.tone) }, kindWord(kind));
}

// isProblem reports whether a node of an event is a problem.
export function isProblem(kind) {
  return eventNodes[kind]?.tone === "bad";
}

// hasProblemPart reports whether the problem of a node is what its event is about, and not why it failed.
export function hasProblemPart(n) {
  return n.kind in eventNodes && !n.type;
}

// titles are the functions for those kinds whose title is more than words with fields.
const titles = {
  state: (n) => joined(" ", n.name, n.visit > 1 && `(visit ${n.visit})`),
  branch: (n) => `branch ${n.name}`,
  model: (n) => joined(" ", n.model || n.name, n.text && "\u2014 " + short(n.text, 80), !n.text && n.calls && "\u2192 " + n.calls.map((c) => c.name).join(", ")),
  ask: (n) => joined(" ", n.name, n.text && "\u2014 " + short(n.text, 80)),
  decision: (n) => `${n.from} \u2014${short(n.key || "", 40)}\u2192 ${n.to || "end"}`,
  finish: (n) => joined(": ", n.key || n.name, n.value && short(n.value, 80)),
  parallel: (n) => `${n.children.length} branches`,
};

// title says on a line what a node is.
export function title(n) {
  if (titles[n.kind]) return titles[n.kind](n);
  const words = eventNodes[n.kind]?.title;
  if (words) return words.replace(/\{(\w+)\}/g, (_, field) => short(n[field] ?? "", field === "problem" ? 120 : 80));
  return joined(" ", n.name, n.args && short(n.args, 80));
}
