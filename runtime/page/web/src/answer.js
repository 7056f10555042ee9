import { h, visible } from "./dom.js";
import { ask, perform } from "./server.js";

// form answers a question. Its fields are made of the schema of the answer.
export function form(run, question, done) {
  const schema = parsed(question.schema);
  const field = question.choices?.length > 0 ? choice(question.choices, "answer", true) : schema ? fieldOf(schema, "answer", true, question.example) : text("answer", false);
  const said = h("p.bad", { role: "status" });
  const send = h("button", null, "Answer");
  const submit = (event) => {
    event.preventDefault();
    perform(send, said, async () => {
      await ask(`runs/${run}/answers`, { question: question.question, address: question.address, value: field.value() });
      document.activeElement?.blur(); // what is being written is left alone
      event.target.reset();
      done();
    });
  };
  return h("form.answer", { onsubmit: submit }, field.element, send, said);
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
