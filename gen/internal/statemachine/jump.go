package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// jump is where a run continues when a loop has reached its bound.
type jump struct {
	to ir.Text
	// skips is the number of steps behind the loop that are skipped.
	skips int
	// machine and state are set if the machine around the loop goes to another state instead: state
	// is the one with the loop.
	machine *machine
	state   *ir.State
	// atBound is the variable that is true after the loop has ended at its bound.
	atBound *ir.Output
}

// findJump returns where a run continues after a loop at its bound, given the steps behind it in its list; nil for
// any other step. It reports a target that is neither a later step nor a state.
func (b *builder) findJump(n *yamldoc.Node, behind []*yamldoc.Node, f *frame) *jump {
	loop := n.Value("loop")
	to := frontend.Text(loop.Value("on_bound").Value("to"))
	if to.Value == "" || loop.Field(endRepeat) != nil {
		return nil
	}
	isTarget := func(n *yamldoc.Node) bool { return nameOf(n).Value == to.Value }
	if skips := slices.IndexFunc(behind, isTarget); skips >= 0 {
		return &jump{to: to, skips: skips}
	}
	further := slices.IndexFunc(f.behind, isTarget)
	switch {
	case further == 0:
		return &jump{to: to, skips: len(behind)}
	case further > 0:
		b.report(diag.New(diag.BadValue, to.Span, "step %q is behind step %q, to which a loop before this one skips",
			to.Value, nameOf(f.behind[0]).Value).WithHint("let both loops lead to the same step, or this one to an earlier step"))
		return nil
	case f.machine != nil && f.machine.states[to.Value] != nil:
		return &jump{to: to, machine: f.machine, state: f.state}
	}
	b.reportNoJump(to, slices.Concat(behind, f.behind), f)

	return nil
}

// reportNoJump reports the target of a loop that neither a later step nor a state has as its name.
func (b *builder) reportNoJump(to ir.Text, behind []*yamldoc.Node, f *frame) {
	targets := ir.Map(behind, func(n *yamldoc.Node) string { return nameOf(n).Value })
	what := "no later step of the list"
	if f.machine != nil {
		targets = append(targets, f.machine.stateNames()...)
		what = "neither a later step of the list nor a state of the machine"
	}
	d := diag.New(diag.BadValue, to.Span, "%q is %s", to.Value, what).Suggest(to.Value, targets)
	if len(targets) == 0 {
		d.WithHint("write on_bound: last, or a step behind the loop")
	}
	b.report(d)
}

// lowerJump lowers where the run continues after the loop at its bound.
func (s *step) lowerJump(do *ir.Loop, loop *yamldoc.Node, ends string) {
	f := loop.Field("on_bound")
	switch {
	case f == nil || f.Value.Kind != yamldoc.Map:
		return
	case s.fallback:
		s.report(diag.New(diag.BadValue, f.Value.Span, "a fallback cannot lead to another step").WithHint("write on_bound: last"))
		return
	case s.jump == nil: // it has been reported
		return
	case s.jump.machine != nil:
		s.addBoundRow(do)
		return
	case ends == "" && s.jump.skips > 0:
		s.report(diag.New(diag.BadValue, s.jump.to.Span, "the steps before %q never run: the loop has no end but its bound", s.jump.to.Value).
			WithHint("add a condition that ends it, until: \"…\""))
	}
	do.OnBound = ir.BoundDone
	if s.jump.skips > 0 {
		s.declareAtBound(do)
	}
}

// addBoundRow adds the row on which the machine around the loop leaves its state: the loop fails, and
// no other row is tried before.
func (s *step) addBoundRow(do *ir.Loop) {
	// A task with one of these undoes what it has written before it failed, and so forgets its bound.
	for _, f := range []*yamldoc.Field{s.node.Field("fallback"), s.node.Field("timeout"), s.node.Value("config").Field("max_retries")} {
		if f != nil {
			s.report(diag.New(diag.BadValue, s.jump.to.Span, "a loop with %s cannot lead to another state", f.Key.Text).
				Note(f.Key.Span, "it is here").
				WithHint("write the row: {from: %s, on: failure, to: %s}", s.jump.state.Name.Value, s.jump.to.Value))
			return
		}
	}
	s.declareAtBound(do)
	m, from, at := s.jump.machine, s.jump.state, s.jump.to.Span
	formula := joinFormulas(errorFieldIs("step", s.task.Name.Value, at), s.atBoundFormula())
	m.machine.PrependRow(&ir.Row{
		Span: at, Key: ir.Text{Value: ir.OnFailure, Span: at}, From: ir.Ref{Text: ir.Text{Value: from.Name.Value, Span: at}, State: from},
		To: m.resolveTarget(s.jump.to), When: &ir.Guard{Text: formula.Text, Formula: formula},
	})
}

// declareAtBound declares the variable that is true after the loop has ended at its bound.
func (s *step) declareAtBound(do *ir.Loop) {
	do.AtBound = &ir.Output{
		Name: ir.Text{Value: "bound of " + s.task.Name.Value, Span: s.jump.to.Span},
		Type: ir.Type{Schema: truthType.Schema, Owner: ir.OwnerLoop, OwnerName: s.workflowName() + "/" + s.task.Name.Value},
	}
	s.jump.atBound = do.AtBound
	s.workflow.Outputs = append(s.workflow.Outputs, do.AtBound)
}

// atBoundFormula returns the formula that the loop has ended at its bound.
func (s *step) atBoundFormula() *ir.Formula {
	text := ir.Text{
		Value: s.task.Name.Value + " has ended at its bound", Span: s.node.Value("loop").Value("on_bound").Span,
	}

	return &ir.Formula{Text: text, Root: &ir.Access{
		Span: text.Span, Written: text.Value, Root: ir.RootAtBound, Output: s.jump.atBound, Type: truthType,
	}}
}

// lowerSkipped lowers the steps that the loop skips at its bound, given those behind them.
func (s *step) lowerSkipped(nodes, behind []*yamldoc.Node) *ir.Task {
	f := s.at.frame
	at, data := spot{frame: f, index: len(f.pipeline.Tasks)}, resultType(f.pipeline, f.input)
	inner := at.childFrame(ofBranch, data)
	inner.machine, inner.state = f.machine, f.state
	inner.behind = slices.Concat(behind, f.behind)
	name := nestedName(f.pipeline, s.task.Name.Value, "otherwise")
	body := &ir.Pipeline{Name: name, Description: "the list behind loop " + s.task.Name.Value, Span: nodes[0].Span}
	inner.pipeline = body
	s.builder.lowerSteps(nodes, inner)

	none := &ir.Pipeline{Name: nestedName(f.pipeline, s.task.Name.Value, "bound"), Description: "the bound of " + s.task.Name.Value}
	t := &ir.Task{
		Name: ir.Text{Value: "bound of " + s.task.Name.Value, Span: s.jump.to.Span}, Span: s.node.Span, Part: ir.PartSkipped,
		Do: &ir.Branch{Key: s.atBoundFormula(), Branches: []*ir.Arm{
			{Name: ir.Text{Value: ir.TrueKey, Span: s.jump.to.Span}, Body: none},
			{Name: ir.Text{Value: ir.FalseKey, Span: s.jump.to.Span}, Body: body},
		}},
		Type: withoutOwner(commonType(withoutOwner(data), resultType(body, data))),
	}
	t.Output = &ir.Output{Name: t.Name, Type: t.Type}

	return t
}
