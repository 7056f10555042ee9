package ir

// Conversations returns the agent's own conversations with a model: one for react and oneshot, the steps of a flow, the
// agents that a workflow declares, none for a machine.
func (a *Agent) Conversations() []*Step {
	switch n := a.Node.(type) {
	case *React, *Oneshot:
		return []*Step{{File: a.File, PatternAt: a.PatternAt, Prompt: a.Prompt, Call: a.Call, Node: a.Node}}
	case *Flow:
		return n.Conversations
	}

	return nil
}

// Skills returns the skills that the step's model may read; none for a oneshot.
func (s *Step) Skills() []SkillRef {
	if r, ok := s.Node.(*React); ok {
		return r.Uses
	}

	return nil
}

// SkillRefs returns the references of all conversations of an agent to skills, in source order.
func (a *Agent) SkillRefs() []SkillRef { return Flat(a.Conversations(), (*Step).Skills) }

// Output returns the schema of the step's value; nil when any text will do.
func (s *Step) Output() *Schema {
	switch n := s.Node.(type) {
	case *React:
		return n.Output
	case *Oneshot:
		return n.Output
	}

	return nil
}

// List returns what the step says of a value that is a list; nil when none has to be.
func (s *Step) List() *ListRule {
	switch n := s.Node.(type) {
	case *React:
		return n.List
	case *Oneshot:
		return n.List
	}

	return nil
}

// Contained returns the agents that a runs itself, in source order; an agent that is run twice is there twice. The
// agents of references to nothing are nil. A machine that others drive runs none.
func (a *Agent) Contained() []AgentRef {
	var refs []AgentRef
	switch n := a.Node.(type) {
	case *Machine:
		refs = make([]AgentRef, 0, len(n.States))
		for _, s := range n.States {
			if s.Agent != nil {
				refs = append(refs, AgentRef{s.Name, s.Agent})
			}
		}
	default:
		Walk(a.Body(), func(op Op) {
			if ref := AgentOf(op); ref != nil {
				refs = append(refs, *ref)
			}
		})
	}

	return refs
}

// Questions returns the names of the steps of a workflow that ask a person, sorted, each once; nil for any other agent.
func (a *Agent) Questions() []string {
	w, isWorkflow := WorkflowOf(a.Node)
	if !isWorkflow {
		return nil
	}
	var names []string
	WalkTasks(w.Body, func(t *Task) {
		if _, asks := t.Do.(*Ask); asks {
			names = append(names, t.Name.Value)
		}
	})

	return Sorted(names)
}

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
		if !node.IsWorkflow() {
			return a.typeOfFlow(node)
		}
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
	runs := map[*Output]*Run{}
	var values []Type
	WalkTasks(f.Body, func(t *Task) {
		switch do := t.Do.(type) {
		case *Run:
			runs[t.Output] = do
		case *Return:
			values = append(values, a.typeOfReturn(t.Value(), runs))
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

// typeOfReturn is what is known of a value that a flow returns: that of the step that gives it, or it is a text.
func (a *Agent) typeOfReturn(value Expression, runs map[*Output]*Run) Type {
	access, isAccess := value.(*Access)
	if !isAccess || access.Output == nil {
		return textType()
	}
	run := runs[access.Output]
	if run == nil || run.Step == nil {
		return textType()
	}

	return a.typeOf(run.Step)
}
