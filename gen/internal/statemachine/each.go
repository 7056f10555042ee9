package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// each lowers a map: a step that runs its body for each item of a list.
func (s *step) each() {
	s.input()
	n := s.node.Value("map")
	do := &ir.Loop{Items: &ir.ContextPath{}}
	s.task.Do = do
	item := unknown
	if text := textIn(n.Value("iterable_input")); text.Value != "" {
		var list ir.Type
		if at, of := s.place(text, s.document); at != nil {
			do.Items, list = at, of
		}
		item = itemOf(list)
	}

	body := s.inside(ofItem, item)
	body.item = &item
	do.Body = s.body(n, body)
	s.task.Type = listOf(result(do.Body, item))
	s.finalize(do, n.Value("finalize"))
}

// itemOf is what is known of the items of a list.
func itemOf(list ir.Type) ir.Type {
	if list.Schema == nil || list.Schema.Kind != ir.SchemaArray {
		return unknown
	}

	return ir.Type{Schema: list.Schema.Items}
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
