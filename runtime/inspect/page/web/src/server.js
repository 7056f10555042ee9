import { h, replace, visible } from "./dom.js";

// Refusal is a reply of the server that is no success.
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.message ?? `The server answers ${status}.`);
    this.status = status;
  }
}

const key = "agentc-token";

function headers() {
  const token = sessionStorage.getItem(key);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

// ask sends a request and returns the JSON of the reply. Where a token is needed it waits for a person to give one.
export async function ask(path, body) {
  for (;;) {
    const reply = await fetch(path, body === undefined ? { headers: headers() } : { method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (reply.ok) return reply.json();
    const refusal = new Refusal(reply.status, await reply.json().catch(() => ({})));
    if (reply.status !== 401) throw refusal;
    await token(sessionStorage.getItem(key) ? refusal.message : "");
  }
}

let who; // the caller, once it is asked for

// caller is who asks: its name and its rights, as far as the server says them. isKnown says that a token names it.
export function caller() {
  who ??= ask("caller").catch(() => ({})).then((found) => ({ ...found, isKnown: Boolean(found.name || sessionStorage.getItem(key)) }));
  return who;
}

// may reports whether a caller has a right to the runs of an agent, and to a question, as far as that is known here: the server
// decides.
export function may({ rights, agents, questions }, right, agent, question) {
  const isAmong = (all, one) => !all || all.length === 0 || one === undefined || all.includes(one);
  return (!rights || rights.includes(right)) && isAmong(agents, agent) && isAmong(questions, question);
}

let asking; // the one form for a token that is open

// token asks for a token, which is kept until the browser's window is closed.
function token(problem) {
  asking ??= new Promise((done) => {
    const input = h("input", { type: "password", required: true, autocomplete: "off", "aria-label": "token" });
    const dialog = h("dialog", { "aria-label": "token" }, h("form", { onsubmit: submit }, h("h2", null, "A token is needed"), problem && h("p.bad", null, problem), input, " ", h("button", null, "Go on")));
    function submit(event) {
      event.preventDefault();
      sessionStorage.setItem(key, input.value.trim());
      who = undefined;
      dialog.remove();
      asking = undefined;
      done();
    }
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

// events calls onevent for each event of a run from a number on, and returns when there are no more.
export async function events(run, from, onevent, signal) {
  const reply = await fetch(`runs/${run}/events?from=${from}`, { headers: { ...headers(), Accept: "application/x-ndjson" }, signal });
  if (!reply.ok) throw new Refusal(reply.status, await reply.json().catch(() => ({})));
  let rest = "";
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) onevent(JSON.parse(line));
  }
}

// button does something when it is pressed, and says below what went wrong.
export function button(label, act) {
  const said = h("span.bad", { role: "status" });
  const pressed = h("button", { type: "button", onclick: () => perform(pressed, said, act) }, label);
  return h("span.act", null, pressed, " ", said);
}

// perform does something while a button is disabled.
export async function perform(pressed, said, act) {
  pressed.disabled = true;
  replace(said);
  try {
    await act();
  } catch (problem) {
    replace(said, visible(problem.message));
  }
  pressed.disabled = false;
}
