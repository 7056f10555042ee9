package simulate

import "github.com/agentc-dev/agentc/gen/internal/ir"

// copied is a name that has the value of another name, or a value made of it.
type copied struct {
	to, from string
	// isPart is set if the value is made of that of from.
	isPart bool
}

// propagateCopy adds the questions about a copy to those about its source. hasGrown reports whether
// some were missing.
func (c *candidates) propagateCopy(of copied) (hasGrown bool) {
	about := c.questions[of.to]
	if about == nil || of.to == of.from {
		return false
	}
	from := c.ensureQuestion(of.from)
	hasGrown = from.merge(about)
	if of.isPart && about.isAsked() && !from.isExact {
		from.isExact, hasGrown = true, true
	}

	return hasGrown
}

// copyFinder finds the copies in workflows.
type copyFinder struct{ copies []copied }

// findCopies returns the names in a workflow, and in those that it imports, that have the value of
// another one.
func findCopies(a *ir.Agent) []copied {
	var f copyFinder
	for _, a := range ir.ReachableFrom(a) {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			f.addBody(w.Body, nil)
		}
	}

	return f.copies
}

// addBody adds the copies in steps whose first one is given the value of one of some names.
func (f *copyFinder) addBody(body *ir.Pipeline, given []copied) {
	for _, t := range body.Steps() {
		f.addTask(t, given)
		given = []copied{{from: outputName(t.Output)}}
	}
}

// addTask adds the copies in a step.
func (f *copyFinder) addTask(t *ir.Task, given []copied) {
	if fallback := t.FailureFallback(); fallback != nil {
		f.addTask(fallback, given)
		f.add(outputName(t.Output), []copied{{from: outputName(fallback.Output)}})
	}
	if t.Input != nil {
		given = nil
		t.Input.Walk(func(access *ir.Access) {
			given = append(given, copied{from: questionName(access), isPart: true})
		})
	}
	output := outputName(t.Output)
	switch do := t.Do.(type) {
	case *ir.PassOn, *ir.Receive:
		f.add(output, given)
		f.addFields(t.Input)
	case *ir.Machine:
		entered := enteredName(t.Output)
		f.add(entered, given)
		for _, s := range do.States {
			f.add(entered, lastOutputs(s.Body, nil))
		}
		for _, s := range do.States {
			f.addBody(s.Body, []copied{{from: entered}})
		}
		f.add(output, []copied{{from: entered}})
	case *ir.Parallel:
		for _, arm := range do.Branches {
			f.addBody(arm.Body, given)
			last := lastOutputs(arm.Body, given)
			f.add(arm.Name.Value, last)
			f.add(output, ir.Map(last, func(c copied) copied { return copied{from: c.from, isPart: true} }))
		}
	case *ir.Import:
		if w, isWorkflow := ir.WorkflowOf(do.Agent.Agent.Node); isWorkflow {
			f.add(output, lastOutputs(w.Body, given))
		}
	case *ir.Branch, *ir.Loop:
		for _, body := range t.Pipelines() {
			f.addBody(body, append(lastOutputs(body, nil), given...))
			f.add(output, lastOutputs(body, given))
		}
	case *ir.Run, *ir.UseFunc, *ir.UseBuiltin, *ir.Ask, *ir.Return: // the output is a new value
	}
}

// addFields adds the copies in the fields of a mapping.
func (f *copyFinder) addFields(d *ir.Datum) {
	if d == nil {
		return
	}
	for _, field := range d.Fields {
		field.Value.Walk(func(access *ir.Access) {
			isAlone := field.Value.Kind == ir.DatumValue && field.Value.Value == ir.Expression(access)
			f.add(field.Name.Value, []copied{{from: questionName(access), isPart: !isAlone}})
		})
		f.addFields(field.Value)
	}
}

// enteredName returns the name of what the states of a machine are given: its input, or the output
// of another state. No field or output has this name.
func enteredName(machine *ir.Output) string { return outputName(machine) + "\x00" }

// add adds that a name has the value of each of some others.
func (f *copyFinder) add(to string, sources []copied) {
	for _, source := range sources {
		source.to = to
		f.copies = append(f.copies, source)
	}
}

// lastOutputs returns the output of the last step, or what is given if there is no step.
func lastOutputs(body *ir.Pipeline, given []copied) []copied {
	last := body.LastTasks()
	if len(last) == 0 {
		return given
	}

	return []copied{{from: outputName(last[0].Output)}}
}
