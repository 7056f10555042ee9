// Package cost bounds what a run of a program can use: calls of models and tools, tokens, and money.
//
// Input: an [ir.Program] without mistakes, and what [flow] says of it. Output: for each entry point an [Entry] with the most that a run
// uses, by model and by state, the part that dominates it, what has no bound and the field that would bound it, and whether its
// budgets can be used up.
//
// The promise: no run uses more. The bound is that of an interpretation in which each text is known by its size alone:
//
//   - a react loop makes max_iter calls, a oneshot 1 + repair. Each call is given the system prompt, the tools that all skills offer, and
//     all replies and results before it. A reply has at most max_tokens; each of at most 100 calls of a tool in it returns at most what
//     limits.tool_result allows, the instructions of a skill, or the task;
//   - a machine costs what its costliest path through rows that can be taken costs, of at most max_steps states. Each state is given the
//     value of the one before it;
//   - steps that run one after another, or side by side, are added up; of branches of which one runs the costliest counts. What is done
//     for each item of a list counts for the largest list, and loops round by round, as long as their texts grow;
//   - in a workflow steps count as often as they are tried, with their fallbacks. A field of the context is as large as the largest value
//     that is written there, all of it as all its fields or as all that is written, and objects that are merged may each leave another
//     field. What a model has written as JSON is written again, 1e20 with 21 digits, and no part of it is longer than it was written. Of
//     the items of a list one may be all of it. The caller chooses the initial context, of the size of the input;
//   - each call counts as often as the engine tries it, for its model and all that replace it when it fails;
//   - a budget ends what is inside of it: calls at their number, tokens and money with the calls that are under way.
//
// # Order of evaluation
//
// For workflows and patterns there are two domains of [interp], workCosts and patternCosts. It knows
// in which order steps run and how they are combined. A state has the sizes of the values at a point,
// and what was spent since the block around it began.
//
// What steps of a workflow write never makes a size smaller, and most states have most sizes in
// common: they are kept in trees that share their parts. In a machine, each path has sizes of its own
// as long as there are few. Then all visits have the largest ones, and what remains to be found is the
// longest path through the graph of states.
//
// A pattern has few variables, and a step replaces the whole of one: a state has a list of their
// sizes, and a block is looked at once for the same list. Turns of a loop that change none of them are counted.
//
// The machines of agents have an interpretation of their own, in agent.go.
//
// # Sizes and prices
//
// A token of a text in the sources is at least a byte. A text that a model has written counts with the tokens in which it was written,
// also where another model is given it; texts of errors count as 2,500. The context of a model, in prices.yaml, bounds what a call is
// given: a longer one is refused. Money is that of prices.yaml, at the dearest price of a token of input; what providers charge beside
// tokens is not known.
package cost
