package agentmd

import "github.com/agentc-dev/agentc/gen/internal/ir"

// parallelKey is the key with which the map phase of a scatter hands out its items.
const parallelKey = "parallel"

// scatter makes a list of items with the body of AGENT.md, gives each to a worker, side by side, and reduces what they
// made of it. With any other key the map phase has the result itself.
func (b *flowBuilder) scatter() []ir.Op {
	phase := b.givesList(b.body(b.loop(b.limit("max_iter", defaultMaxIter))), ir.ListItems, parallelKey)
	ops := []ir.Op{
		&ir.Run{
			Var: "mapped", Step: phase, Input: ir.Input{},
			At: ir.Place{Kind: ir.PlaceOr, State: "map", Keys: []string{parallelKey}},
		},
		when(ir.KeyIs{Var: "mapped", Key: parallelKey, Not: true}, own("mapped")),
		&ir.Group{
			Var:   "results",
			Limit: b.concurrency(),
			List:  &ir.List{Kind: ir.ListItems, Of: "mapped"},
			Item:  "item",
			Runs:  []*ir.Run{{Agent: b.agent("worker"), Input: ir.TextOf{Var: "item"}}},
		},
	}
	if b.joinsResults() {
		return append(ops, &ir.Return{Key: ir.KeyDone, Var: "results", Form: ir.FormDocument})
	}
	reduce := b.step("reduce")
	b.giveOutput(phase, reduce)

	return append(ops,
		runLast("reduced", reduce, brief(task(), section("results", ir.Report{Var: "results"}))),
		own("reduced"),
	)
}
