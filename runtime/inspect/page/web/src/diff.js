import { h, visible } from "./dom.js";

const mostCells = 4e6;

// lines compares two texts line by line: [" " or "-" or "+", line] each. Of texts that differ in too many lines all are shown.
export function lines(before, after) {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

const same = (line) => [" ", line];

// between finds the longest common subsequence.
function between(a, b) {
  if (a.length * b.length > mostCells) return [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const all = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      all.push([" ", a[i++]]);
      j++;
    } else if (j === b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      all.push(["-", a[i++]]);
    } else {
      all.push(["+", b[j++]]);
    }
  }
  return all;
}

const around = 3;
const mostLines = 1000;

// shown draws a comparison. Of lines that are the same those around a difference are shown.
export function shown(before, after, label) {
  const all = lines(before.slice(0, 1e6), after.slice(0, 1e6));
  const near = new Uint8Array(all.length);
  all.forEach(([mark], i) => {
    if (mark !== " ") near.fill(1, Math.max(i - around, 0), i + around + 1);
  });
  const rows = [];
  for (let i = 0; i < all.length && rows.length < mostLines; i++) {
    const [mark, line] = all[i];
    if (near[i]) rows.push(h(mark === "+" ? "ins" : mark === "-" ? "del" : "span", null, `${mark} ${visible(line.slice(0, 2000))}\n`));
    else if (i === 0 || near[i - 1]) rows.push(h("span.same", null, "\u22ee\n"));
  }
  return h("pre.diff", { tabindex: "0", role: "region", "aria-label": label }, rows);
}
