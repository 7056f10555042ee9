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

// unwrittenField finds context fields that conditions read, no step writes, and the initial context
// may lack. A comparison with such a field is unknown in each run that begins without it.
var unwrittenField = Pass{Name: "unwritten-field", run: func(u *unit) {
	imported := u.importedWorkflows()
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		if imported[a] {
			return // the importing workflow may set its fields
		}
		c := contextWrites{schema: w.Context}
		ir.WalkTasks(w.Body, c.addTask)
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			for _, condition := range conditionsOf(t) {
				u.reportUnwritten(&c, condition)
			}
		})
	})
}}

// importedWorkflows returns the workflows whose context another workflow initializes.
func (u *unit) importedWorkflows() map[*ir.Agent]bool {
	imported := map[*ir.Agent]bool{}
	u.eachTask(func(_ *ir.Flow, t *ir.Task) {
		if do, isImport := t.Do.(*ir.Import); isImport {
			imported[do.Agent.Agent] = true
		}
	})

	return imported
}

// conditionsOf returns the conditions of a step.
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
	// schema is the schema of the context, or nil.
	schema *ir.Schema
	writes []ir.ContextWrite
	// unmerged are the steps whose output is not put into the context.
	unmerged []*ir.Task
}

func (c *contextWrites) addTask(t *ir.Task) {
	c.writes = append(c.writes, t.Writes()...)
	if !t.UpdatesContext && t.SinkTo == nil {
		c.unmerged = append(c.unmerged, t)
	}
}

// reportUnwritten reports each field that a condition reads and nothing writes, once.
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
		u.report(c.unwrittenDiagnostic(access))
	}
}

// accessesOf returns the context fields that a condition reads without a default.
func accessesOf(x ir.Expression) []*ir.Access {
	var fields []*ir.Access
	ir.WalkExpression(x, func(x ir.Expression) {
		access, isAccess := x.(*ir.Access)
		if isAccess && access.Root == ir.RootContext && len(access.Path) > 0 && access.Default == nil {
			fields = append(fields, access)
		}
	})

	return fields
}

// handlesNone returns the names of the fields that a condition handles when they are missing.
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

// isUnwritten reports whether nothing writes a field that the initial context may lack. Without a
// declared context this is certain only if a step outputs the field and does not store it.
func (c *contextWrites) isUnwritten(access *ir.Access) bool {
	isDeclared := c.schema != nil
	if isDeclared && isAlwaysSet(access) || !isDeclared && c.stepWithField(access) == nil {
		return false
	}

	return !slices.ContainsFunc(c.writes, func(w ir.ContextWrite) bool { return mayWrite(w, access.Names()) })
}

// isAlwaysSet reports whether a declared context has a field from the beginning, or does not
// declare it.
func isAlwaysSet(access *ir.Access) bool { return len(optionalParts(access)) == 0 }

// optionalParts returns the indexes in the path of a field that the initial context may lack.
func optionalParts(access *ir.Access) []int {
	var lacking []int
	for i, field := range access.Path {
		p := field.Property
		if p == nil {
			break // not declared, so not known
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

// givesField reports whether the JSON default of an object contains a nested field.
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
			return true // a part of the field
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
		s = s.Followed()
		if !isClosedObject(s) {
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

// stepWithField returns a step whose output certainly has a context field and is not stored, or
// nil.
func (c *contextWrites) stepWithField(access *ir.Access) *ir.Task {
	return ir.First(c.unmerged, func(t *ir.Task) bool {
		s := t.Type.Schema
		if s == nil || s.Kind != ir.SchemaObject {
			return false
		}
		p := s.Property(access.Path[0].Name.Value)

		return p != nil && mayHave(p.Schema, access.Names()[1:])
	})
}

// unwrittenDiagnostic describes a field that nothing writes.
func (c *contextWrites) unwrittenDiagnostic(access *ir.Access) *diag.Diagnostic {
	d := diag.New(diag.UnwrittenField, access.Span, "nothing writes %s, and the initial context need not have it", access.Written)
	if giver := c.stepWithField(access); giver != nil {
		d.WithHint("write updates_context: true at step %q, whose output has it", giver.Name.Value)
		return d.Note(giver.Name.Span, "the output of step %q is not put into the context", giver.Name.Value)
	}
	lacking := optionalParts(access)
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

// isClosedObject reports whether a schema lists all fields of an object.
func isClosedObject(s *ir.Schema) bool {
	return s != nil && s.Kind == ir.SchemaObject && s.Additional == nil && len(s.Properties) > 0
}
