package ir

// Conversations returns the agent's own conversations with a model: one for react and oneshot, the
// steps of a flow, the agents that a workflow declares. A machine has none.
func (a *Agent) Conversations() []*Step {
	switch n := a.Node.(type) {
	case *React, *Oneshot:
		return []*Step{{File: a.File, PatternAt: a.PatternAt, Prompt: a.Prompt, Call: a.Call, Node: a.Node}}
	case *Flow:
		return n.Conversations
	}

	return nil
}

// Skills returns the skills that the step's model may read. A oneshot has none.
func (s *Step) Skills() []SkillRef {
	if r, ok := s.Node.(*React); ok {
		return r.Uses
	}

	return nil
}

// SkillRefs returns the references to skills in all conversations of an agent, in source order.
func (a *Agent) SkillRefs() []SkillRef { return FlatMap(a.Conversations(), (*Step).Skills) }

// Output returns the schema of the step's value; nil if any text is valid.
func (s *Step) Output() *Schema {
	switch n := s.Node.(type) {
	case *React:
		return n.Output
	case *Oneshot:
		return n.Output
	}

	return nil
}

// List returns the rule for a value that is a list; nil if it need not be one.
func (s *Step) List() *ListRule {
	switch n := s.Node.(type) {
	case *React:
		return n.List
	case *Oneshot:
		return n.List
	}

	return nil
}

// Contained returns the agents that a itself runs, in source order. An agent that runs twice is
// there twice. The agents of undefined references are nil. A machine that other code drives runs no
// agents.
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

// Questions returns the names of the steps of a workflow that ask a person, sorted, each once; nil
// for any other agent.
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

// ValueType returns the known type of an agent's value. It is a text, unless a schema describes it.
// Nothing is known of the value of a workflow, and of a nil agent.
func (a *Agent) ValueType() Type {
	if a == nil {
		return Type{}
	}
	switch node := a.Node.(type) {
	case *React, *Oneshot:
		return a.conversationType(a.Conversations()[0])
	case *Flow:
		if !node.IsWorkflow() {
			return a.flowType(node)
		}
	case *Machine:
		return textType()
	}

	return Type{}
}

// textSchema is the schema of any text.
var textSchema = &Schema{Kind: SchemaString}

func textType() Type { return Type{Schema: textSchema} }

// conversationType returns the known type of the value of a conversation.
func (a *Agent) conversationType(s *Step) Type {
	schema := s.Output()
	if schema == nil || s.List() != nil {
		return textType()
	}

	return Type{Schema: schema, Owner: OwnerConversation, OwnerName: s.Label(a.Name.Value)}
}

// flowType returns the known type of the value of a flow: the type of the step that produces it, if
// all returns agree.
func (a *Agent) flowType(f *Flow) Type {
	runs := map[*Output]*Run{}
	var values []Type
	WalkTasks(f.Body, func(t *Task) {
		switch do := t.Do.(type) {
		case *Run:
			runs[t.Output] = do
		case *Return:
			values = append(values, a.returnType(t.InputExpression(), runs))
		}
	})
	for _, t := range values {
		if t.Owner != values[0].Owner || t.OwnerName != values[0].OwnerName {
			return textType()
		}
	}
	if len(values) == 0 {
		return textType()
	}

	return values[0]
}

// returnType returns the known type of a value that a flow returns: the type of the step that
// produces it, otherwise a text.
func (a *Agent) returnType(value Expression, runs map[*Output]*Run) Type {
	access, isAccess := value.(*Access)
	if !isAccess || access.Output == nil {
		return textType()
	}
	run := runs[access.Output]
	if run == nil || run.Step == nil {
		return textType()
	}

	return a.conversationType(run.Step)
}
