// Package simulate finds the runs of a program without a model: which rows of its machines and
// which cases of the steps of its flows some run takes, and scripts that take them.
//
// Input: an [ir.Program] without errors, and the agents with which runs begin. Output of [Program]:
// for each machine that they reach, which states and rows some run takes, for each flow, which
// cases of its steps, and for each row and case that none takes, why. [Result.Scripts] gives
// scripts, each for a run from its beginning to its end, that together take all of them.
//
// # What a run is
//
// A run begins with an agent, ends as that agent ends, and has each conversation finish at its
// first turn: no tool is called but for a gate, nothing is repaired, and only the steps of
// workflows fail. Values are as small as their schema allows (package sample), lists have one item,
// or two where a loop runs for each. A machine runs no more agents than its max_steps says, and a
// loop that goes on until something is done has at most as many rounds as its own limit says;
// [Options] can lower both. With which keys a conversation may finish is what [ir.Place] says, as
// in the runtime. Calls of models that a budget allows are counted.
//
// The rows of a gate count too: in the turn that finishes, its agent calls the typed tools that
// lead to a row and on to finish. A signal may put another key in the place of the one with which
// the agent of a state finishes. Named guards say what suits a run: its script answers for them.
//
// The steps of workflows are done with the values and operations of package workflow, which
// generated code calls too. Where something is asked, the answers are tried that may make a
// difference: of each model, agent of one conversation, person and function a small value that fits
// its schema, others with what expressions compare such a value with, and a failure.
//
// What guards that are expressions of an agent's machine say, and what a run is given, is not
// known: what depends on it is open. But who drives a machine chooses what comes with a key.
//
// # How runs are found
//
// What an agent can finish with depends on nothing but the agent and its place, so each agent is
// looked at once for each of its places: a node. A node has a graph of what it can do, from its
// beginning to an end for each of its outcomes; an edge runs other nodes or asks something. The
// graph of a machine has its states. The graph of a pattern or a workflow is made while package interp
// runs its steps on all its runs at once: runs that go on alike meet at one point, and those of
// branches side by side have graphs of their own. That of a gate is made by running it again and
// again, each time with other answers. From the inside out, shortest paths give the outcomes of each node;
// from the outside in, they give the shortest run around each. The shortest run that takes a row is
// the path to its edge, the edge, the path on, and what is around. So the work grows with the
// program and not with the number of its runs.
package simulate
