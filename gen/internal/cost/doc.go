// Package cost bounds what a run of a program can use: calls of models and tools, tokens, and
// money.
//
// Input: an [ir.Program] without mistakes, and the facts of package [flow]. Output: for each entry
// point an [Entry] with the most that a run uses, by model and by state, the part that dominates
// it, the values without a bound and the fields that would bound them, and whether its budgets can
// be exhausted.
//
// The promise: no run uses more. The analysis interprets the program and knows each text only by
// its size:
//
// - A react loop makes max_iter calls, a oneshot 1 + repair. The input of each call has the system
// prompt, the tools that all skills offer, and all earlier replies and results. A reply has at most
// max_tokens. Each of at most 100 tool calls in it returns at most limits.tool_result, the
// instructions of a skill, or the task.
// - A machine costs as much as its costliest path of at most max_steps states, through rows that
// can be taken. Each state receives the value of the previous one.
// - Sequential and parallel steps are added. Of alternative branches the costliest counts. The body
// of a loop over a list counts for the largest list, and the body of any other loop round by round,
// as long as its texts grow.
// - In a workflow steps count with their retries and fallbacks. A field of the context is as large
// as the largest value that is written there. The whole context is the sum of its fields, or of all
// writes. Objects that are merged may each leave another field. JSON of a model is written again,
// 1e20 with 21 digits, and no part of it is longer than it was. One item of a list may be all of
// it. The caller chooses the initial context, of the size of the input.
// - Each call counts with the retries of the engine, for its model and all fallbacks.
// - A budget ends what it limits: calls at their number, tokens and money after the calls in
// progress.
//
// # Order of evaluation
//
// There are three domains of [interp]: workCosts for workflows, patternCosts for patterns, and fsmCosts
// for machines of agents. Package interp defines in which order steps run and how they are combined.
// A state has the sizes of the values at a point, and the spending since the surrounding block began.
//
// Writes of a workflow never make a size smaller, and most states share most sizes. Trees with
// shared parts hold them. In a machine, each path has its own sizes as long as there are few paths.
// Then all visits have the largest sizes, and the longest path through the graph of states remains
// to be found.
//
// A pattern has few variables, and a step replaces a whole variable. A state has a list of their
// sizes, and a block is analyzed once for the same list. Turns of a loop that change no size are
// counted.
//
// The first state of the machine of an agent is analyzed with the input of the machine. All others are
// nodes of a graph, and each is analyzed with the largest value that leads to it. A value that grows
// too often has no bound. The longest path is found as in a workflow.
//
// # Sizes and prices
//
// A token of a text in the sources is at least a byte. A text of a model counts with the tokens in
// which it was written, also as the input of another model. Texts of errors count as 2,500. The
// context of a model, in prices.yaml, bounds the input of a call, because a longer one is refused.
// Money is computed from prices.yaml, at the highest price of a token of input. Other charges of
// providers are not known.
package cost
