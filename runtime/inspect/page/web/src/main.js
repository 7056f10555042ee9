import { h, replace } from "./dom.js";
import { dev } from "./dev.js";
import { Diagram } from "./diagram.js";
import { serve } from "./served.js";
import { RunView } from "./view.js";

const root = document.getElementById("app");
const data = JSON.parse(document.getElementById("data").textContent);
if (data.dev) {
  dev(root);
} else if (data.served) {
  serve(root);
} else if (data.runs.length > 0) {
  new RunView(root).show(data.runs);
} else {
  const diagram = new Diagram(() => {});
  replace(root, h("main.picture", null, h("h1", null, document.title), diagram.element));
  diagram.path.hidden = true;
  diagram.pictures(data.pictures ?? []);
}
