package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// defaultTurns is how often a loop runs its body at most: as often as in the original.
const defaultTurns = 5

// loop lowers a step that repeats its body.
func (s *step) loop() {
	s.input()
	loop := s.node.Value("loop")
	do := &ir.Loop{
		Func:   s.functionOf(loop.Value("exit_condition"), "exit_expression"),
		Max:    s.count(loop.Value("max_loops"), defaultTurns),
		Width:  1,
		Reduce: ir.ReduceLast,
	}
	s.task.Do = do
	if textIn(loop.Value("on_bound")).Value == "last" {
		do.OnBound = ir.BoundDone
	}
	if f := loop.Get("max_loops"); f != nil {
		do.MaxAt = f.Value.Span
	}
	body := s.inside(ofTurn, unknown)
	do.Body = s.body(loop, body)
	s.task.Type = result(do.Body, unknown)
	s.decision(loop, "exit_expression", "exit_condition", func(text ir.Text) {
		end := endOf(body)
		do.Exit = s.formula(text, s.condition(end, resultAt(end)), expr.Condition)
	})
}

// body lowers the steps that a loop or a map runs.
func (s *step) body(n *yamldoc.Node, f *frame) *ir.Pipeline {
	step := s.task.Name.Value

	return s.pipeline(n.Value("body"), f, within(s.at.frame.pipeline, step, "body"), "body of "+step)
}

// resultAt is the output of a pipeline, seen from behind its last step.
func resultAt(end spot) *ir.Access {
	if end.index == 0 {
		return &ir.Access{Root: ir.RootResult, Type: end.frame.input}
	}

	return end.previous()
}

// each lowers a map: a step that runs its body for each item of a list.
func (s *step) each() {
	s.input()
	n := s.node.Value("map")
	do := &ir.Loop{Over: &ir.Access{Root: ir.RootContext}, Width: 1, Reduce: ir.ReduceValues}
	s.task.Do = do
	item := unknown
	if text := textIn(n.Value("iterable_input")); text.Value != "" {
		at, list := s.place(text, s.document)
		if at != nil {
			do.Over = at.Access(list)
			s.checkIsList(text, list.Schema)
		}
		if at != nil && list.Schema != nil && list.Schema.Kind == ir.SchemaArray {
			item.Schema = list.Schema.Items
		}
	}

	body := s.inside(ofItem, item)
	body.item = &item
	do.Body = s.body(n, body)
	s.task.Type = listOf(result(do.Body, item))
	s.finalize(do, n.Value("finalize"))
}

// checkIsList reports a field over which a map runs and that is declared as no list.
func (s *step) checkIsList(field ir.Text, schema *ir.Schema) {
	kinds := builtin.KindsOf(schema)
	if kinds&builtin.List != 0 {
		return
	}
	s.report(diag.New(diag.GuardType, field.Span, "%s is %s, but a map runs over a list", field.Value, kinds.There()).
		Note(schema.Span, "it is declared here").
		WithHint("declare it as {type: array, items: …}, or name a field that is a list"))
}

// finalize takes what the output is in place of the list.
func (s *step) finalize(do *ir.Loop, n *yamldoc.Node) {
	value := n.Value("output")
	if f := n.Get("output_template"); f != nil {
		value = f.Value
	}
	if value == nil {
		return
	}
	list := &ir.Access{Root: ir.RootResult, Type: s.task.Type}
	s.task.Type = typeOfData(value)
	s.later = append(s.later, func() {
		scope := s.scope(s.behind())
		scope.Names[previousStep].Value = list
		do.Result = s.datum(value, scope)
	})
}
