package ir

// ValueType is what is known of the value of an agent: it is a text, unless a schema describes it. Nothing is known of the value of
// a workflow, and of an agent that is nil.
func (a *Agent) ValueType() Type {
	if a == nil {
		return Type{}
	}
	switch node := a.Node.(type) {
	case *React, *Oneshot:
		return a.typeOf(a.Conversations()[0])
	case *Flow:
		return a.typeOfFlow(node)
	case *Machine:
		return textType()
	}

	return Type{}
}

// textSchema is the schema of any text.
var textSchema = &Schema{Kind: SchemaString}

func textType() Type { return Type{Schema: textSchema} }

// typeOf is what is known of the value of a conversation.
func (a *Agent) typeOf(s *Step) Type {
	schema := s.Output()
	if schema == nil || s.List() != nil {
		return textType()
	}

	return Type{Schema: schema, Owner: OwnerConversation, Of: s.Label(a.Name.Value)}
}

// typeOfFlow is what is known of the value of a flow: that of the step that gives it, if it is always the same one.
func (a *Agent) typeOfFlow(f *Flow) Type {
	runs := map[string]*Run{}
	var values []Type
	Walk(f.Body, func(op Op) {
		switch op := op.(type) {
		case *Run:
			runs[op.Var] = op
		case *Return:
			t := textType()
			if run := runs[op.Var]; run != nil && run.Step != nil && op.Form == FormValue {
				t = a.typeOf(run.Step)
			}
			values = append(values, t)
		}
	})
	for _, t := range values {
		if t.Owner != values[0].Owner || t.Of != values[0].Of {
			return textType()
		}
	}
	if len(values) == 0 {
		return textType()
	}

	return values[0]
}
