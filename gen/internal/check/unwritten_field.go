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

// unwrittenField finds context fields that conditions read, maps run over or imports copy back, no
// step writes, and the initial context may lack. A comparison with such a field is unknown, a map over
// it fails, and nothing is copied, in each run that begins without it.
var unwrittenField = Pass{Name: "unwritten-field", run: func(u *unit) {
	imported := u.importedWorkflows()
	u.eachTask(func(_ *ir.Flow, t *ir.Task) { u.reportNothingCopied(t) })
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		if imported[a] {
			return // the importing workflow may set its fields
		}
		c := contextWrites{schema: w.Context, unwritten: ir.SetOf(u.flow.FindUnwritten(w))}
		ir.WalkTasks(w.Body, c.addTask)
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			for _, condition := range t.Conditions() {
				u.reportUnwritten(&c, condition)
			}
			u.reportMissingList(&c, t)
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

// contextWrites are the writes into the context of a workflow.
type contextWrites struct {
	// schema is the schema of the context, or nil.
	schema *ir.Schema
	writes []ir.ContextWrite
	// unwritten are the fields that conditions read where no step can have written them.
	unwritten map[*ir.Access]bool
	// unmerged are the steps whose output is not put into the context.
	unmerged []*ir.Task
}

func (c *contextWrites) addTask(t *ir.Task) {
	c.writes = append(c.writes, t.ContextWrites()...)
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
		switch {
		case reported[name], handlesOptionalParts(reported, access):
			continue
		case c.isUnwritten(access):
			u.report(c.unwrittenDiagnostic(access))
		case !c.mayLack(access) || u.hasReported(diag.ParallelRead, access.Span):
			continue
		case c.unwritten[access]:
			u.report(c.tooEarlyDiagnostic(access))
		case u.flow.MayBeMissing(access):
			u.report(c.missingDiagnostic(access, "the condition is unknown then, and the run fails"))
		default:
			continue
		}
		reported[name] = true
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
			if access, isAccess := ir.ComparedWithNone(x).(*ir.Access); isAccess {
				handled[expr.NameOf(access)] = true
			}
		case *ir.Placeholder: // a field or the output of a step
			ir.WalkAccesses(x, func(access *ir.Access) { handled[expr.NameOf(access)] = true })
		}
	})

	return handled
}

// handlesOptionalParts reports whether a condition handles each part of a field that may be missing,
// such as review of review.author, which an object has that is there.
func handlesOptionalParts(handled map[string]bool, access *ir.Access) bool {
	optional := optionalParts(access)
	isOpen := func(i int) bool {
		part := *access
		part.Path = access.Path[:i+1]
		return !handled[expr.NameOf(&part)]
	}

	return len(optional) > 0 && !slices.ContainsFunc(optional, isOpen)
}

// isUnwritten reports whether nothing writes a field that the initial context may lack. Without a
// declared context this is certain only if a step outputs the field and does not store it.
func (c *contextWrites) isUnwritten(access *ir.Access) bool {
	isDeclared := c.schema != nil
	if isDeclared && isAlwaysSet(access) || !isDeclared && c.stepWithField(access) == nil {
		return false
	}

	return !c.mayWrite(access)
}

// mayWrite reports whether some step may write a field.
func (c *contextWrites) mayWrite(access *ir.Access) bool {
	return slices.ContainsFunc(c.writes, func(w ir.ContextWrite) bool { return w.MayWrite(access.PathNames()) })
}

// mayLack reports whether the initial context may lack a field that a step is known to write. A
// context that is not declared most likely lacks it.
func (c *contextWrites) mayLack(access *ir.Access) bool {
	isSet := c.schema != nil && isAlwaysSet(access)

	return !isSet && c.findWrite(access) != nil
}

// findWrite returns a write that is known to be that of a field, or nil.
func (c *contextWrites) findWrite(access *ir.Access) *ir.ContextWrite {
	at := slices.IndexFunc(c.writes, func(w ir.ContextWrite) bool {
		isNamed := w.Path != nil && (!w.Merge || isClosedObject(w.Schema))
		return isNamed && w.MayWrite(access.PathNames())
	})
	if at < 0 {
		return nil
	}

	return &c.writes[at]
}

// tooEarlyDiagnostic describes a field that no step before a condition writes.
func (c *contextWrites) tooEarlyDiagnostic(access *ir.Access) *diag.Diagnostic {
	return diag.New(diag.UnwrittenField, access.Span,
		"no step can have written %s here, and the initial context need not have it", access.Written).
		Warn().
		Note(c.findWrite(access).At, "it is written here")
}

// missingDiagnostic describes a field that a step need not have written by the time that it is read.
func (c *contextWrites) missingDiagnostic(access *ir.Access, problem string) *diag.Diagnostic {
	return diag.New(diag.UnwrittenField, access.Span, "%s may be missing here: %s", access.Written, problem).
		Warn().
		WithHint("write it on every way to this place").
		Note(c.findWrite(access).At, "it is written here, where not every run gets before")
}

// reportMissingList reports a loop over a list that may be missing.
func (u *unit) reportMissingList(c *contextWrites, t *ir.Task) {
	loop, isLoop := t.Do.(*ir.Loop)
	if !isLoop || loop.ItemsPath() == nil {
		return
	}
	list, isField := loop.Over.(*ir.Access)
	switch {
	case !isField:
	case c.isUnwritten(list):
		u.report(c.unwrittenDiagnostic(list).Warn())
	case c.mayLack(list) && u.flow.MayBeMissing(list):
		u.report(c.missingDiagnostic(list, "the step fails then"))
	}
}

// reportNothingCopied reports the fields that a step copies back from an import that begins with an
// empty context and never writes them.
func (u *unit) reportNothingCopied(t *ir.Task) {
	do, isImport := t.Do.(*ir.Import)
	if !isImport || !t.UpdatesContext || do.Inherit || do.InputTo != ir.InputToPrompt {
		return
	}
	child, isWorkflow := ir.WorkflowOf(do.Agent.Agent.Node)
	if !isWorkflow {
		return
	}
	c := contextWrites{schema: child.Context}
	ir.WalkTasks(child.Body, c.addTask)
	for _, copied := range do.Outputs {
		place := copied.Child
		if place.IsRouting() || len(place.Path) == 0 || c.mayHave(place.Access(ir.Type{}, child.Context)) {
			continue
		}
		field := strings.Join(ir.Values(place.Path), ".")
		d := diag.New(diag.UnwrittenField, place.Text.Span, "workflow %q never writes context.%s, so nothing is copied",
			do.Agent.Agent.Name.Value, field).Warn()
		if t.Type.Schema.MayHaveField(ir.Values(place.Path)) {
			d.WithHint("its output may have the field: read steps.%s.%s", t.Name.Value, field)
		}
		u.report(d)
	}
}

// mayHave reports whether a context that begins empty may have a field at the end.
func (c *contextWrites) mayHave(access *ir.Access) bool {
	return c.schema != nil && isAlwaysSet(access) || c.mayWrite(access)
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
		if givesField(p.Schema.Default, access.PathNames()[i+1:]) {
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

// stepWithField returns a step whose output certainly has a context field and is not stored, or
// nil.
func (c *contextWrites) stepWithField(access *ir.Access) *ir.Task {
	return ir.First(c.unmerged, func(t *ir.Task) bool {
		s := t.Type.Schema
		if s == nil || s.Kind != ir.SchemaObject {
			return false
		}
		p := s.Property(access.Path[0].Name.Value)

		return p != nil && p.Schema.MayHaveField(access.PathNames()[1:])
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
