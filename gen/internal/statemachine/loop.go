package statemachine

import (
	"slices"

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
	ends := s.findLoopEnd(loop)
	do := &ir.Loop{ExitField: ends, Width: 1, Reduce: ir.ReduceLast}
	s.task.Do = do
	s.lowerBound(do, loop, ends)
	kind := ofTurn
	if ends == endWhile {
		kind = ofWhile
	}
	memory := s.lowerMemory(do, loop)
	body := memory.bodyFrame(kind)
	body.turns = s.turnNames(do.Max, memory.state)
	do.Body = s.lowerBody(loop, body)
	s.task.Type = resultType(do.Body, unknown)
	end := endOf(body)
	memory.addUpdate(body, end)
	s.lowerConversation(do, loop)

	switch text := textOf(loop.Value(ends)); {
	case ends == endFunction:
		do.Func = s.lowerFunctionName(loop.Value(ends), endExpression)
	case text.Value == "": // a number of turns, or the schema has reported it
	case ends == endWhile:
		do.ExitFirst = true
		s.task.Type = commonType(s.task.Type, withoutOwner(s.data))
		judged := &ir.Access{Root: ir.RootResult, Type: s.task.Type}
		s.later = append(s.later, func() {
			do.Exit = s.parseWhile(text, s.loopConditionScope(spot{frame: body}, judged))
		})
	default:
		s.later = append(s.later, func() {
			do.Exit = s.parseFormula(text, s.loopConditionScope(end, resultAt(end)), expr.Condition)
		})
	}
	memory.lowerOutput(loop, body.turns)
}

// The fields that end a loop. A loop has one of them. The original knows only the first two.
const (
	endFunction   = "exit_condition"
	endExpression = "exit_expression"
	endUntil      = "until"
	endWhile      = "while"
	endRepeat     = "repeat"
)

// findLoopEnd returns the field that ends a loop, or "" without one. It reports others.
func (s *step) findLoopEnd(loop *yamldoc.Node) (end string) {
	for _, name := range []string{endFunction, endExpression, endUntil, endWhile, endRepeat} {
		f := loop.Field(name)
		switch {
		case f == nil:
		case end == "":
			end = name
		default:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used beside %s", name, end))
		}
	}

	return end
}

// lowerBound lowers the number of turns of a loop.
func (s *step) lowerBound(do *ir.Loop, loop *yamldoc.Node, ends string) {
	turns := loop.Field("max_loops")
	do.Max = defaultTurns
	if textOf(loop.Value("on_bound")).Value == "last" {
		do.OnBound = ir.BoundDone
	}
	if ends != endRepeat {
		s.lowerJump(do, loop, ends)
	}
	if ends == endRepeat {
		for _, name := range []string{"max_loops", "on_bound"} {
			if f := loop.Field(name); f != nil {
				s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used beside %s", name, ends).
					WithHint("the body runs as often as %s says", ends))
			}
		}
		turns, do.OnBound = loop.Field(ends), ir.BoundDone
	}
	if turns != nil {
		do.Max, do.MaxAt = s.readCount(turns.Value, defaultTurns), turns.Value.Span
	}
}

// parseWhile parses the condition of the next turn, and returns the exit. Before the first turn,
// the judged value is the input of the loop.
func (s *step) parseWhile(text ir.Text, scope *expr.Scope) *ir.Formula {
	f := s.parseFormula(text, scope, expr.Condition)
	if f == nil || f.Root == nil {
		return f
	}

	return &ir.Formula{Text: f.Text, Root: &ir.Not{Span: f.Root.At(), X: f.Root}}
}

// loopConditionScope returns the names that the condition of a loop can use at a spot in its body:
// it is not part of the body, but reads the variables.
func (s *step) loopConditionScope(at spot, judged *ir.Access) *expr.Scope {
	scope := s.conditionScope(at, judged)
	setLoopName(scope, at.frame.turns)

	return scope
}

// setLoopName makes the variables of a loop all that `loop` names in a scope: the turn is over
// there, or has not begun. turns are the names in the body.
func setLoopName(scope *expr.Scope, turns []expr.Name) {
	scope.Names = slices.DeleteFunc(scope.Names, func(n expr.Name) bool { return n.Name == loopName })
	members, hasState := slices.Clone(turns), false
	for i, member := range turns {
		if member.Name == stateField {
			hasState = member.Absent == ""
		} else {
			members[i] = expr.Name{Name: member.Name, Absent: outsideLoop.Absent}
		}
	}
	name := outsideLoop
	if hasState {
		name = expr.Name{Name: loopName, Members: members}
	}
	scope.Names = append(scope.Names, name)
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
	do := &ir.Loop{
		Over: &ir.Access{Root: ir.RootContext}, Width: max(1, s.readCount(n.Value("max_concurrency"), 1)),
		Failed: itemFailures[textOf(n.Value("on_item_failure")).Value], Reduce: ir.ReduceValues,
	}
	s.task.Do = do
	item := unknown
	if text := textOf(n.Value("iterable_input")); text.Value != "" {
		at, list := s.resolvePath(text, s.document)
		if at != nil {
			s.checkIsInContext(text, at)
			do.Over = at.Access(list, s.document.context)
			s.checkIsList(text, list.Schema)
		}
		if at != nil && list.Schema != nil && list.Schema.Kind == ir.SchemaArray {
			item.Schema = list.Schema.Items
		}
	}

	body := s.childFrame(ofItem, item)
	body.item = &item
	body.turns = s.turnNames(0, nil)
	do.Body = s.lowerBody(n, body)
	output := resultType(do.Body, item)
	if do.Failed == ir.FailureKept {
		output = orNone(output)
	}
	s.task.Type = listTypeOf(output)
	s.lowerFinalize(do, n.Value("finalize"))
}

// itemFailures are the values of on_item_failure.
var itemFailures = map[string]ir.Tolerance{"skip": ir.FailureIgnored, "keep": ir.FailureKept}

// orNone returns the type of a value that may also be None.
func orNone(t ir.Type) ir.Type {
	if t.Schema == nil {
		return t
	}
	schema := *t.Schema.Resolved()
	schema.Nullable = true

	return ir.Type{Schema: &schema}
}

// checkIsInContext reports a map over a part of the input of the workflow, which is not in the context.
func (s *step) checkIsInContext(text ir.Text, at *ir.ContextPath) {
	isOfInput := s.inputTask() != nil && len(at.Path) > 0 && at.Path[0].Value == ir.InputName
	if !isOfInput || s.document.context.Property(ir.InputName) != nil {
		return
	}
	name := at.Path[len(at.Path)-1].Value
	s.report(diag.New(diag.UndefinedVariable, text.Span, "iterable_input names a field of the context, and %s is of the input", text.Value).
		WithHint("put it there in a step before: {name: %s, uses: context_set, input: {path: %s, value: \"{{ %s }}\"}}", name, name, text.Value))
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
