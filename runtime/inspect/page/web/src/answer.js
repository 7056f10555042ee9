import { h, replace, visible } from "./dom.js";
import { ask, caller, perform } from "./server.js";

// mayNotAnswer is in the place of the form of a question that the caller may not answer.
export const mayNotAnswer = "Your token may not answer this question.";

// form answers a question. Its fields are made of the schema of the answer; where there are only a few answers, each has a button.
export function form(run, question, done) {
  const schema = parsed(question.schema);
  const said = h("p.bad", { role: "status" });
  const { element: signed, by } = signature();
  const send = async (value) => {
    await ask(`runs/${encodeURIComponent(run)}/answers`, { question: question.question, address: question.address, value, by: by() });
    document.activeElement?.blur(); // what is being written is left alone
  };
  const few = fewAnswers(question, schema);
  if (few) {
    const buttons = few.map(([value, label]) => h("button", { type: "button", onclick: (event) => perform(event.currentTarget, said, () => send(value).then(done)) }, visible(label)));
    return h("form.answer", { onsubmit: (event) => event.preventDefault() }, signed, h("p.acts", { role: "group", "aria-label": "answers" }, buttons), said);
  }
  const field = question.choices?.length > 0 ? choice(question.choices, "answer", true) : schema ? fieldOf(schema, "answer", true, question.example) : text("answer", false);
  const button = h("button", null, "Answer");
  const submit = (event) => {
    event.preventDefault();
    perform(button, said, async () => {
      await send(field.value());
      event.target.reset();
      done();
    });
  };
  return h("form.answer", { onsubmit: submit }, field.element, signed, button, said);
}

const mostButtons = 4;

// example is an answer, where a person writes one.
export function example(question) {
  return question.example && !fewAnswers(question, parsed(question.schema)) && h("p", null, "An answer looks like ", h("code", null, visible(question.example)));
}

// fewAnswers are the answers that have a button each, with their labels; undefined if there are other answers, too. What was done to
// an interrupted call can be said in more ways than by a choice.
function fewAnswers(question, schema) {
  if (question.effect) return undefined;
  if (question.choices?.length > 0) return question.choices.length <= mostButtons ? question.choices.map((c) => [c, c]) : undefined;
  return schema?.type === "boolean" ? [[true, "yes"], [false, "no"]] : undefined;
}

const nameKey = "agentc-name";

// signature says who answers: the holder of the token, or where there is none the name that a person gives.
function signature() {
  const input = h("input", { type: "text", autocomplete: "name", maxlength: "100", value: localStorage.getItem(nameKey) ?? "", oninput: named });
  function named() {
    localStorage.setItem(nameKey, input.value.trim());
    for (const field of document.querySelectorAll(".signed input")) field.value = input.value; // one person sees them all
  }
  const element = h("div.signed");
  let isAsked = false;
  caller().then(({ name, isKnown }) => {
    isAsked = !isKnown;
    replace(element, isKnown ? name && h("p.note", null, "You answer as ", h("b", null, visible(name)), ".") : labelled("Your name", input));
  });
  return { element, by: () => (isAsked && input.value.trim() ? input.value.trim() : undefined) };
}

function parsed(schema) {
  return typeof schema === "string" ? JSON.parse(schema || "null") : schema;
}

// fieldOf is what a value of a schema is entered with: an object by its properties, and what has no field of its own as JSON.
export function fieldOf(schema, label, isNeeded, example) {
  if (schema.type === "object" && schema.properties) {
    const needed = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(([name, of]) => [name, fieldOf(of, name, needed.has(name))]);
    const value = () => Object.fromEntries(fields.map(([name, f]) => [name, f.value()]).filter(([name, v]) => needed.has(name) || (v !== "" && v !== undefined)));
    return { value, element: h("fieldset", null, h("legend", null, visible(label)), fields.map(([, f]) => f.element)) };
  }
  if (schema.enum) return choice(schema.enum, label, isNeeded);
  if (schema.type === "boolean") return choice([true, false], label, isNeeded, (v) => (v ? "yes" : "no"));
  if (schema.type === "string") return text(label, false);
  if (schema.type === "integer" || schema.type === "number") {
    const input = h("input", { type: "number", step: schema.type === "integer" ? "1" : "any", required: isNeeded });
    return { value: () => (input.value === "" ? undefined : Number(input.value)), element: labelled(label, input) };
  }
  return text(label + ", as JSON", true, example);
}

// choice is one of some values. At first none is chosen, so that no one answers by mistake.
function choice(values, label, isNeeded, word = String) {
  const input = h("select", { required: isNeeded }, h("option", { value: "" }, "\u2014"), values.map((v, i) => h("option", { value: String(i) }, visible(word(v)))));
  return { value: () => (input.value === "" ? undefined : values[Number(input.value)]), element: labelled(label, input) };
}

// text is a field for any text, or for JSON.
export function text(label, isJSON, example, value = "", isNeeded = false) {
  const input = h("textarea", { rows: String(Math.min(Math.max(value.split("\n").length, 3), 16)), placeholder: example, required: isNeeded });
  input.defaultValue = value;
  return { value: () => (isJSON ? (input.value.trim() === "" ? undefined : JSON.parse(input.value)) : input.value), element: labelled(label, input) };
}

export function labelled(label, input) {
  return h("label", null, h("span", null, visible(label)), " ", input);
}
