package statemachine

import "github.com/agentc-dev/agentc/gen/internal/ir"

// TypeOf is what is known of the value of an agent of the project. It is a text, unless a schema describes it.
func TypeOf(a *ir.Agent) ir.Type {
	if a == nil {
		return unknown
	}
	switch node := a.Node.(type) {
	case *ir.React, *ir.Oneshot:
		return valueOf(a, a.Conversations()[0])
	case *ir.Flow:
		return valueOfFlow(a, node)
	case *ir.Machine:
		return textType
	}

	return unknown
}

// valueOf is what is known of the value of a conversation.
func valueOf(a *ir.Agent, s *ir.Step) ir.Type {
	schema := s.Output()
	if schema == nil || s.List() != nil {
		return textType
	}

	return ir.Type{Schema: schema, Owner: ir.OwnerConversation, Of: s.Label(a.Name.Value)}
}

// valueOfFlow is what is known of the value of a flow: that of the step that gives it, if it is always the same one.
func valueOfFlow(a *ir.Agent, f *ir.Flow) ir.Type {
	runs := map[string]*ir.Run{}
	var values []ir.Type
	ir.Walk(f.Body, func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Run:
			runs[op.Var] = op
		case *ir.Return:
			t := textType
			if run := runs[op.Var]; run != nil && run.Step != nil && op.Form == ir.FormValue {
				t = valueOf(a, run.Step)
			}
			values = append(values, t)
		}
	})
	if t := same(values...); t.Schema != nil {
		return t
	}

	return textType
}
