package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unwrittenField finds fields of the context that conditions read, that no step writes, and that the initial context need not have: a
// comparison of one is unknown in each run that does not begin with it.
var unwrittenField = Pass{Name: "unwritten-field", run: func(u *unit) {
	imported := u.importedWorkflows()
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		if imported[a] {
			return // what imports it may give it fields
		}
		c := contextWrites{schema: w.Context}
		ir.WalkTasks(w.Body, c.add)
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			for _, condition := range conditionsOf(t) {
				u.reportUnwritten(&c, condition)
			}
		})
	})
}}

// importedWorkflows are those whose context others begin.
func (u *unit) importedWorkflows() map[*ir.Agent]bool {
	imported := map[*ir.Agent]bool{}
	u.eachTask(func(_ *ir.Flow, t *ir.Task) {
		if do, isImport := t.Do.(*ir.Import); isImport {
			imported[do.Agent.Agent] = true
		}
	})

	return imported
}

// conditionsOf are the conditions by which a step decides.
func conditionsOf(t *ir.Task) []*ir.Formula {
	switch do := t.Do.(type) {
	case *ir.Branch:
		return []*ir.Formula{do.Key}
	case *ir.Loop:
		return []*ir.Formula{do.Exit}
	case *ir.Machine:
		return ir.Map(do.Guards(), func(guard *ir.Guard) *ir.Formula { return guard.Formula })
	}

	return nil
}

// contextWrites are the writes into the context of a workflow.
type contextWrites struct {
	// schema is that of the context; nil for one that is not declared.
	schema *ir.Schema
	writes []ir.ContextWrite
	// unmerged are the steps whose output is not put into the context.
	unmerged []*ir.Task
}

func (c *contextWrites) add(t *ir.Task) {
	c.writes = append(c.writes, t.Writes()...)
	if !t.UpdatesContext && t.SinkTo == nil {
		c.unmerged = append(c.unmerged, t)
	}
}

// reportUnwritten reports each field that a condition reads and that nothing writes, once.
func (u *unit) reportUnwritten(c *contextWrites, f *ir.Formula) {
	if f == nil || f.Root == nil {
		return
	}
	reported := handlesNone(f.Root)
	for _, access := range accessesOf(f.Root) {
		name := expr.NameOf(access)
		if reported[name] || !c.isUnwritten(access) {
			continue
		}
		reported[name] = true
		u.report(c.unwritten(access))
	}
}

// accessesOf are the fields of the context that a condition reads for certain.
func accessesOf(x ir.Expression) []*ir.Access {
	var fields []*ir.Access
	ir.WalkExpression(x, func(x ir.Expression) {
		if access, isAccess := x.(*ir.Access); isAccess && access.Root == ir.RootContext && len(access.Path) > 0 && access.Default == nil {
			fields = append(fields, access)
		}
	})

	return fields
}

// handlesNone are the names of the fields of which a condition says what a missing one means.
func handlesNone(x ir.Expression) map[string]bool {
	handled := map[string]bool{}
	ir.WalkExpression(x, func(x ir.Expression) {
		switch x := x.(type) {
		case *ir.Compare:
			if access, isAccess := ir.AskedForNone(x).(*ir.Access); isAccess {
				handled[expr.NameOf(access)] = true
			}
		case *ir.Placeholder: // a field or the output of a step
			ir.WalkAccesses(x, func(access *ir.Access) { handled[expr.NameOf(access)] = true })
		}
	})

	return handled
}

// isUnwritten reports whether nothing writes a field, and the initial context need not have it. Where the context is not declared,
// that is certain only if a step gives the field and does not put it there.
func (c *contextWrites) isUnwritten(access *ir.Access) bool {
	if c.schema == nil && c.giver(access) == nil || c.schema != nil && isAlwaysThere(access) {
		return false
	}

	return !slices.ContainsFunc(c.writes, func(w ir.ContextWrite) bool { return mayWrite(w, access.Names()) })
}

// isAlwaysThere reports whether a declared context has a field from the beginning, or does not declare it.
func isAlwaysThere(access *ir.Access) bool { return len(lackingOf(access)) == 0 }

// lackingOf returns the indexes in the path of a field of what a declared context need not have from the beginning.
func lackingOf(access *ir.Access) []int {
	var lacking []int
	for i, field := range access.Path {
		p := field.Property
		if p == nil {
			break // what is not declared is not known
		}
		if givesField(p.Schema.Default, access.Names()[i+1:]) {
			break
		}
		if !p.Required && p.Schema.Default == "" {
			lacking = append(lacking, i)
		}
	}

	return lacking
}

// givesField reports whether the JSON of the default of an object has a field below it.
func givesField(defaultJSON string, field []string) bool {
	var value any
	if len(field) == 0 || json.Unmarshal([]byte(defaultJSON), &value) != nil {
		return false
	}
	for _, name := range field {
		object, _ := value.(map[string]any)
		inner, has := object[name]
		if !has {
			return false
		}
		value = inner
	}

	return true
}

// mayWrite reports whether a write may change a field.
func mayWrite(w ir.ContextWrite, field []string) bool {
	if w.Path == nil {
		return true
	}
	for i, name := range ir.Values(w.Path.Path) {
		if i == len(field) {
			return true // something inside of the field
		}
		if name != field[i] {
			return false
		}
	}

	return !w.Merge || w.Value != nil || mayHave(w.Schema, field[len(w.Path.Path):])
}

// mayHave reports whether a value of a schema may have a field.
func mayHave(s *ir.Schema, field []string) bool {
	for _, name := range field {
		if s = s.Followed(); s == nil || s.Kind != ir.SchemaObject || s.Additional != nil || len(s.Properties) == 0 {
			return true
		}
		p := s.Property(name)
		if p == nil {
			return false
		}
		s = p.Schema
	}

	return true
}

// giver returns a step whose output certainly has a field of the context and is not put there; nil if there is none.
func (c *contextWrites) giver(access *ir.Access) *ir.Task {
	return ir.First(c.unmerged, func(t *ir.Task) bool {
		s := t.Type.Schema
		if s == nil || s.Kind != ir.SchemaObject {
			return false
		}
		p := s.Property(access.Path[0].Name.Value)

		return p != nil && mayHave(p.Schema, access.Names()[1:])
	})
}

// unwritten is the diagnostic for a field that nothing writes.
func (c *contextWrites) unwritten(access *ir.Access) *diag.Diagnostic {
	d := diag.New(diag.UnwrittenField, access.Span, "nothing writes %s, and the initial context need not have it", access.Written)
	if giver := c.giver(access); giver != nil {
		d.WithHint("write updates_context: true at step %q, whose output has it", giver.Name.Value)
		return d.Note(giver.Name.Span, "the output of step %q is not put into the context", giver.Name.Value)
	}
	lacking := lackingOf(access)
	required := ir.Map(lacking, func(i int) string {
		owner := "the context"
		if i > 0 {
			owner = access.Path[i-1].Name.Value
		}
		return fmt.Sprintf("%q to required of %s", access.Path[i].Name.Value, owner)
	})
	given := "it"
	if len(lacking) > 1 {
		given = "them"
	}
	d.WithHint("add %s, or give %s a default, if runs begin with it", strings.Join(required, " and "), given)

	return d.Note(access.Path[lacking[0]].Property.Schema.Span, "it is declared here")
}
