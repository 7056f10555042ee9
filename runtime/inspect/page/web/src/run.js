// settings are the settings of the model that a turn asks: its fields but those that every turn has.
export function settings({ run, address, agent, like, same, model, system, messages, tools, schema, ...others }) {
  return others;
}

// Run is a run as the views read it: nodes with their spans, sums and neighbours.
export class Run {
  constructor(data) {
    this.data = data;
    this.nodes = data.nodes;
    this.start = Date.parse(data.begun);
    this.byAddress = new Map();
    this.turns = new Map((data.turns ?? []).map((turn) => [turn.address, turn]));
    this.link();
    this.axis = new Axis(this.nodes, data.status === "running");
  }

  // link gives each node its number, parent, the number behind what is below it, its place among its siblings, and sums.
  link() {
    const stack = [];
    const close = (depth, end) => {
      while (stack.length > 0 && stack.at(-1).depth >= depth) {
        const n = stack.pop();
        n.end = end;
        n.children.forEach((child, i) => {
          child.position = i + 1;
          child.siblings = n.children.length;
        });
        if (n.parent) n.parent.sum(n);
      }
    };
    this.nodes.forEach((plain, i) => {
      close(plain.depth, i);
      const n = Object.assign(new Node(), plain, { index: i, parent: stack.at(-1), children: [], position: 1, siblings: 1 });
      n.from0 = n.begun;
      n.to0 = Math.max(n.begun, n.ended);
      n.sumIn = n.in ?? 0;
      n.sumOut = n.out ?? 0;
      n.sumCost = n.cost ?? 0;
      n.isEstimated = n.estimated ?? false;
      n.isOpen = n.begun >= 0 && n.ended < 0 && n.kind !== "resume" && n.kind !== "parallel"; // these two have no results
      if (n.parent) n.parent.children.push(n);
      if (n.address && !this.byAddress.has(n.address)) this.byAddress.set(n.address, n);
      this.nodes[i] = n;
      stack.push(n);
    });
    close(0, this.nodes.length);
  }

  // messages is what a turn sent, with those messages first that earlier turns had.
  messages(turn) {
    const parts = [];
    for (let t = turn, most = Infinity; t; ) {
      const same = t.same ?? 0;
      parts.unshift(t.messages.slice(0, Math.max(most - same, 0)));
      most = Math.min(most, same);
      t = t.like ? this.turns.get(t.like) : undefined;
    }
    return parts.flat();
  }

  // whole is the turn that has the system prompt, the tools and the schema of a turn.
  whole(turn) {
    let t = turn;
    while (t.like && this.turns.has(t.like)) t = this.turns.get(t.like);
    return t;
  }

  // before is the turn of the same agent before that at an address.
  before(turn) {
    if (turn.like) return this.turns.get(turn.like);
    let last;
    for (const t of this.turns.values()) {
      if (t === turn) return last;
      if (t.agent === turn.agent) last = t;
    }
    return undefined;
  }

  // stateAt is what a run knew and had spent at a node.
  stateAt(node) {
    const state = { steps: new Map(), memory: new Map(), cost: 0, tokens: 0, calls: 0, warnings: [] };
    for (let i = 0; i <= node.index; i++) {
      const n = this.nodes[i];
      if (n.kind === "step") state.steps.set(n.name, n.value ?? "");
      if (n.kind === "budget") state.warnings.push(`${n.name}: ${n.value}`);
      if (n.kind === "model") {
        state.calls++;
        state.cost += n.cost ?? 0;
        state.tokens += (n.in ?? 0) + (n.out ?? 0);
      }
      if (n.kind === "tool" && !n.problem) remember(state.memory, n);
    }
    return state;
  }
}

class Node {
  // sum adds what is below a node.
  sum(child) {
    if (child.from0 >= 0 && (this.from0 < 0 || child.from0 < this.from0)) this.from0 = child.from0;
    this.to0 = Math.max(this.to0, child.to0);
    this.sumIn += child.sumIn;
    this.sumOut += child.sumOut;
    this.sumCost += child.sumCost;
    this.isEstimated ||= child.isEstimated;
  }
}

// remember does to a memory what a tool did to that of the run.
function remember(memory, n) {
  if (n.name !== "mem_set" && n.name !== "mem_append") return;
  try {
    const { key, value, item } = JSON.parse(n.args);
    const text = (v) => (typeof v === "string" ? v : JSON.stringify(v));
    if (n.name === "mem_set") memory.set(key, text(value));
    else memory.set(key, joinLines(memory.get(key), text(item ?? value)));
  } catch {
    // arguments that are no JSON were refused
  }
}

function joinLines(before, line) {
  return before === undefined ? line : before + "\n" + line;
}

// Axis says where a time is drawn, from 0 to 1. Times in which nothing is done, such as the days until a person answers, are short.
class Axis {
  constructor(nodes, isRunning) {
    const spans = nodes.filter((n) => n.begun >= 0 && n.kind !== "resume" && !(n.kind === "ask" || n.kind === "sleep")).map((n) => [n.begun, Math.max(n.ended, n.begun)]);
    const moments = nodes.filter((n) => n.begun >= 0 && (n.kind === "ask" || n.kind === "sleep")).flatMap((n) => [[n.begun, n.begun], [n.ended, n.ended]]).filter(([t]) => t >= 0);
    const busy = merged([...spans, ...moments, [0, 0]]);
    const work = busy.reduce((sum, [from, to]) => sum + to - from, 0);
    const most = Math.max(work * 0.06, 0.001);
    this.points = [[0, 0]];
    this.gaps = [];
    for (const [from, to] of busy) {
      const [time, x] = this.points.at(-1);
      const gap = from - time;
      const width = Math.min(gap, most);
      if (gap > width * 3 && gap > 2000) this.gaps.push({ from: x, to: x + width, ms: gap });
      this.points.push([from, x + width], [to, x + width + to - from]);
    }
    const ended = this.points.at(-1)[1];
    this.isRunning = isRunning && nodes.some((n) => n.isOpen);
    this.length = Math.max(this.isRunning ? ended * 1.06 : ended, 0.001); // effects under way have no end yet
    for (const g of this.gaps) {
      g.from /= this.length;
      g.to /= this.length;
    }
  }

  at(time) {
    const x = between(this.points, time, 0, 1);
    return x / this.length;
  }

  // time is what is drawn at a place.
  time(x) {
    return between(this.points, x * this.length, 1, 0);
  }
}

// between finds a value in one column of sorted points and returns that of the other.
function between(points, value, column, other) {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][column] < value) low = middle + 1;
    else high = middle;
  }
  const after = points[low];
  const before = points[Math.max(low - 1, 0)];
  const width = after[column] - before[column];
  if (width <= 0) return after[other];
  return before[other] + ((value - before[column]) / width) * (after[other] - before[other]);
}

function merged(spans) {
  spans.sort((a, b) => a[0] - b[0]);
  const all = [];
  for (const [from, to] of spans) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
