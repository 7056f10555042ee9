// Package stats counts what a program is made of, and bounds what a run of it can cost.
//
// Input: an [ir.Program] without mistakes. Output: for each entry point its agents, states, rows and cycles, and the most calls
// of models that its limits allow. [Text] writes it for a person; as JSON it is what it is.
//
// The bound of an agent is
//
//   - of a react loop: max_iter, because each turn is one call and a faulty ending is a turn;
//   - of a oneshot: 1 + repair;
//   - of a machine: that of the costliest path through its table of at most max_steps states that run an agent, guards taken as
//     possible; beyond a thousand steps each further one counts as the costliest state;
//   - of a machine that Go drives: 0;
//   - of steps that run one after another: their sum. The workers of a group are added up, the workers of a list count
//     max_items times, the variants of a best-of-n n times, the rounds of a debate rounds times. Of a reflexion and a
//     plan-execute, what is before the limit counts max_iter times and what is behind it once less;
//   - of a workflow: the sum of its steps, each as often as it is tried, with its fallback. Of branches of which one runs the
//     costliest counts, and of those that run side by side all; a loop counts max_loops times, and what is done for each item of a
//     list as often as the schema of the context lets the list be long, else without a bound;
//   - of a machine in a workflow: that of the costliest path of at most max_steps states, guards and failures taken as possible,
//     a next_state that only the run decides as any state. The first one at the top may begin in any state, which the initial
//     context can name.
//
// Both ways of a condition are taken as possible, and agents that run in several places count in each. A retry that an engine
// makes because a provider failed is not counted: no limit of the program bounds it.
//
// The promise: no run makes more calls. Numbers end at [Most]; a bound is never given up.
package stats
