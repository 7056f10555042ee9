package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// errorName is the name of the failure that led to a step.
const errorName = "error"

// whereErrors explains where a failure has a value.
const whereErrors = "it is known in a fallback, and in a state that a row on failure leads to"

// errorType is the type of a failure.
var errorType = ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{
	requiredText("message"), requiredText("type"), requiredText("step"),
}}}

func requiredText(name string) *ir.Property {
	return &ir.Property{Name: ir.Text{Value: name}, Schema: textType.Schema, Required: true}
}

// errorAccess returns the failure that led to a step. maybe is true if the step may be reached
// without one.
func errorAccess(maybe bool) *ir.Access {
	return &ir.Access{Root: ir.RootError, Type: errorType, MayBeNone: maybe}
}

// errorAt returns the name of the failure that led to a spot. Where no failure leads is only known
// with all rows: see [builder.reportErrorReads].
func errorAt(at spot) expr.Name {
	if at.frame == nil || !at.frame.mayFollowFailure() {
		return expr.Name{Name: errorName, Absent: whereErrors}
	}

	return expr.Name{Name: errorName, Value: errorAccess(!at.frame.isFallback)}
}

// mayFollowFailure reports whether a failure may lead to the pipeline: it is inside of a fallback or
// a state.
func (f *frame) mayFollowFailure() bool {
	for ; f != nil; f = f.up {
		if f.isFallback || f.kind == ofState {
			return true
		}
	}

	return false
}

// setName gives a name of a scope another meaning, or adds the name.
func setName(s *expr.Scope, name expr.Name) {
	i := slices.IndexFunc(s.Names, func(n expr.Name) bool { return n.Name == name.Name })
	if i < 0 {
		s.Names = append(s.Names, name)
		return
	}
	s.Names[i] = name
}

// reportErrorReads reports the reads of `error` in the steps of a pipeline to which no failure
// leads. hasError is true if one leads to the pipeline.
func (b *builder) reportErrorReads(p *ir.Pipeline, hasError bool) {
	for _, t := range p.Steps() {
		b.reportTaskErrorReads(t, hasError)
		for t = t.Fallback; t != nil; t = t.Fallback {
			b.reportTaskErrorReads(t, true)
		}
	}
}

// reportTaskErrorReads is reportErrorReads for a step without its fallback.
func (b *builder) reportTaskErrorReads(t *ir.Task, hasError bool) {
	m, isMachine := t.Do.(*ir.Machine)
	if isMachine {
		t.Input.Walk(b.errorReadReporter(hasError))
		b.reportMachineErrorReads(m, hasError)
		return
	}
	t.WalkOwnReads(b.errorReadReporter(hasError))
	for _, inside := range t.Pipelines() {
		b.reportErrorReads(inside, hasError)
	}
}

// errorReadReporter returns a function that reports an access to a failure where there is none.
func (b *builder) errorReadReporter(hasError bool) func(*ir.Access) {
	return func(x *ir.Access) {
		if x.Root == ir.RootError && !hasError {
			b.report(diag.New(diag.UndefinedVariable, x.Span, "%q is not defined here: no failure leads here", errorName).WithHint("%s", whereErrors))
		}
	}
}

// reportMachineErrorReads is reportErrorReads for the states of a machine and the guards of its
// rows. A row on failure has the failure of its state.
func (b *builder) reportMachineErrorReads(m *ir.Machine, hasError bool) {
	after := statesAfterFailures(m)
	for _, row := range m.Rows() {
		isAfter := hasError || row.Key.Value == ir.OnFailure || after[row.From.State]
		if row.From.State == nil {
			isAfter = isAfter || len(after) > 0
		}
		if row.When != nil {
			row.When.Formula.Walk(b.errorReadReporter(isAfter))
		}
	}
	for _, s := range m.States {
		b.reportErrorReads(s.Body, hasError || after[s])
	}
}

// statesAfterFailures returns the states to which a row on failure leads, directly or through other
// states.
func statesAfterFailures(m *ir.Machine) map[*ir.State]bool {
	after := map[*ir.State]bool{}
	next := statesByRows(m)
	var add func(s *ir.State)
	addAll := func(states []*ir.State) {
		for _, s := range states {
			add(s)
		}
	}
	add = func(s *ir.State) {
		if s == nil || after[s] {
			return
		}
		after[s] = true
		if s.NextOpen {
			addAll(m.States)
		}
		for _, to := range s.Next {
			add(to.State)
		}
		addAll(next[s])
	}
	for _, row := range m.Rows() {
		if row.Key.Value == ir.OnFailure {
			add(row.To.State)
		}
	}
	if len(after) > 0 {
		addAll(next[nil])
	}

	return after
}

// statesByRows returns the states to which the rows of each state lead. Those of nil are the states
// to which rows of all states lead.
func statesByRows(m *ir.Machine) map[*ir.State][]*ir.State {
	next := map[*ir.State][]*ir.State{}
	for _, row := range m.Rows() {
		if row.From.State != nil || row.From.Value == ir.CatchAll {
			next[row.From.State] = append(next[row.From.State], row.To.State)
		}
	}

	return next
}

// onTimeout is the event of rows for failures because the time of a question or a call is over. A
// row on it is a row on failure with a guard.
const onTimeout = "timeout"

// timeoutGuard returns the guard of a row on timeout, at the position of the event.
func timeoutGuard(at source.Span) *ir.Guard {
	formula := errorFieldIs("type", "TimeoutError", at)

	return &ir.Guard{Text: formula.Text, Formula: formula}
}

// errorFieldIs returns the formula that a field of the failure has a value.
func errorFieldIs(field, value string, at source.Span) *ir.Formula {
	access := errorAccess(false)
	access.Span, access.Written, access.Type = at, errorName+"."+field, textType
	access.Path = []ir.Field{{Name: ir.Text{Value: field, Span: at}}}

	return &ir.Formula{
		Text: ir.Text{Value: access.Written + " == '" + value + "'", Span: at},
		Root: &ir.Compare{Span: at, Op: ir.OpEqual, X: access, Y: &ir.Literal{Span: at, Value: value}},
	}
}

// joinFormulas returns a formula that holds if both do, at the position of the second.
func joinFormulas(a, b *ir.Formula) *ir.Formula {
	return &ir.Formula{
		Text: ir.Text{Value: a.Text.Value + " and (" + b.Text.Value + ")", Span: b.Text.Span},
		Root: &ir.Logic{Span: b.Text.Span, X: []ir.Expression{a.Root, b.Root}},
	}
}
