package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// defaultTurns is the default limit of a loop, as in the original.
const defaultTurns = 5

// lowerLoop lowers a step that repeats its body.
func (s *step) lowerLoop() {
	s.lowerInput()
	loop := s.node.Value("loop")
	do := &ir.Loop{
		Func:   s.lowerFunctionName(loop.Value("exit_condition"), "exit_expression"),
		Max:    s.readCount(loop.Value("max_loops"), defaultTurns),
		Width:  1,
		Reduce: ir.ReduceLast,
	}
	s.task.Do = do
	if textOf(loop.Value("on_bound")).Value == "last" {
		do.OnBound = ir.BoundDone
	}
	if f := loop.Field("max_loops"); f != nil {
		do.MaxAt = f.Value.Span
	}
	body := s.childFrame(ofTurn, unknown)
	do.Body = s.lowerBody(loop, body)
	s.task.Type = resultType(do.Body, unknown)
	s.lowerDecision(loop, "exit_expression", "exit_condition", func(text ir.Text) {
		end := endOf(body)
		do.Exit = s.parseFormula(text, s.conditionScope(end, resultAt(end)), expr.Condition)
	})
}

// lowerBody lowers the body of a loop or a map.
func (s *step) lowerBody(n *yamldoc.Node, f *frame) *ir.Pipeline {
	step := s.task.Name.Value

	return s.lowerPipeline(n.Value("body"), f, nestedName(s.at.frame.pipeline, step, "body"), "body of "+step)
}

// resultAt returns the output of a pipeline at the spot after its last step.
func resultAt(end spot) *ir.Access {
	if end.index == 0 {
		return &ir.Access{Root: ir.RootResult, Type: end.frame.input}
	}

	return end.previousOutput()
}

// lowerMap lowers a step that runs its body for each item of a list.
func (s *step) lowerMap() {
	s.lowerInput()
	n := s.node.Value("map")
	do := &ir.Loop{Over: &ir.Access{Root: ir.RootContext}, Width: 1, Reduce: ir.ReduceValues}
	s.task.Do = do
	item := unknown
	if text := textOf(n.Value("iterable_input")); text.Value != "" {
		at, list := s.resolvePath(text, s.document)
		if at != nil {
			do.Over = at.Access(list, s.document.context)
			s.checkIsList(text, list.Schema)
		}
		if at != nil && list.Schema != nil && list.Schema.Kind == ir.SchemaArray {
			item.Schema = list.Schema.Items
		}
	}

	body := s.childFrame(ofItem, item)
	body.item = &item
	do.Body = s.lowerBody(n, body)
	s.task.Type = listTypeOf(resultType(do.Body, item))
	s.lowerFinalize(do, n.Value("finalize"))
}

// checkIsList reports a map over a field that is not declared as a list.
func (s *step) checkIsList(field ir.Text, schema *ir.Schema) {
	kinds := builtin.KindsOf(schema)
	if kinds&builtin.List != 0 {
		return
	}
	s.report(diag.New(diag.GuardType, field.Span, "%s is %s, but a map runs over a list", field.Value, kinds.There()).
		Note(schema.Span, "it is declared here").
		WithHint("declare it as {type: array, items: …}, or name a field that is a list"))
}

// lowerFinalize lowers the output that replaces the list of a map.
func (s *step) lowerFinalize(do *ir.Loop, n *yamldoc.Node) {
	value := n.Value("output")
	if f := n.Field("output_template"); f != nil {
		value = f.Value
	}
	if value == nil {
		return
	}
	list := &ir.Access{Root: ir.RootResult, Type: s.task.Type}
	s.task.Type = typeOfData(value)
	s.later = append(s.later, func() {
		scope := s.scopeAt(s.afterBody())
		scope.Names[previousStep].Value = list
		do.Result = s.lowerDatum(value, scope)
	})
}
