// Package simulate finds the runs of a program without a model: which rows of its machines and
// which cases of its steps some run takes, and scripts that take them.
//
// Input: an [ir.Program] without errors, and the agents with which runs begin. Output of
// [FindRuns]: for each machine, the states and rows that some run takes; for each flow, the cases
// of its steps; for each row and case that no run takes, the reason. [Result.Scripts] returns
// scripts that together take all of them, each for a run from its beginning to its end.
//
// # The runs
//
// A run begins with an agent and ends as that agent ends. Each conversation finishes at its first
// turn: it calls tools only for a gate, no answer is repaired, and only the steps of workflows
// fail. A machine of a workflow begins in its start_state, or in the state that a step has named as
// current_state. No initial context names one: what only such a run reaches is open.
// Values are as small as their schema permits (package sample). Lists have one item, or two
// where a loop runs for each. A machine runs no more agents than its max_steps permits, and a loop
// that ends by a condition has at most as many rounds as its own limit permits. [Options] can lower
// both. [ir.Place] decides with which keys a conversation may finish, as in the runtime. Budgets
// bound the calls of models.
//
// The rows of a gate count too: in the turn that finishes, its agent calls the typed tools that
// lead to a row and then to finish. A signal may replace the key with which the agent of a state
// finishes. Named guards have any result that a run needs: its script answers for them.
//
// The steps of workflows run with the values and operations of package workflow, which generated
// code calls too. At each question, the search tries the answers that may make a difference: for
// each model, agent of one conversation, person and function a small value that fits its schema,
// others with the values that expressions compare, and a failure.
//
// The values of inputs, contexts and answers are a sample: those that conditions distinguish, and
// those with which texts and data can be computed. Where a step fails because of a value, others may
// avoid that. So whether a run ends is then open, unless the static analysis knows it.
//
// The results of expression guards in an agent's machine are not known, nor is the input of a run.
// A row or case that depends on them is open. The code that drives a machine chooses the value that
// comes with a key.
//
// # The search
//
// The outcomes of an agent depend only on the agent and its place, so there is one node for each of
// its places. A node has a graph from its beginning to an end for each of its outcomes. An edge
// runs other nodes or asks something. The graph of a machine has its states. Package interp creates
// the graph of a pattern or a workflow while it runs the steps on all runs at once: runs that
// continue alike meet at one point, and parallel branches have their own graphs. The graph of a
// gate is created by repeated runs with different answers.
//
// The continuations at the choices of a workflow are bounded. If there are more, a second search adds
// runs that begin with the smallest context. It gives each choice an equal share, and continues
// those with the fewest deviations.
//
// Shortest paths, from the innermost nodes outward, give the outcomes of each node. In the other
// direction, they give the shortest run around each node. The shortest run that takes a row is the
// path to its edge, the edge, the path to the end, and the run around the node. So the work grows
// with the program and not with the number of its runs.
package simulate
