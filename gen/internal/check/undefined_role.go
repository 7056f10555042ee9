package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// undefinedRole finds model roles that the config does not define, each once. If the role default
// is defined, it is used instead, and the diagnostic is a warning unless the role may mean a model.
// A role next to the name of a model is not used. The default role of a pattern may come from the
// environment, but an unused role of the config with a similar name is a misspelling of it.
var undefinedRole = Pass{Name: "undefined-role", run: func(u *unit) {
	if !u.program.HasModels {
		return
	}
	r := newRoles(u)
	for _, m := range u.program.Models {
		if d := r.matchMisspelled(m.Role); d != nil {
			u.report(d)
		}
	}
	for _, role := range r.inOrder {
		if places := r.asked[role]; len(places) > 0 && !r.has(role) {
			u.report(noteAll(r.undefinedDiagnostic(role, places), noSpan, "role", r.defined))
		}
	}
}}

// undefinedDiagnostic describes a role that agents use at the given spans. Its fix corrects all of
// them.
func (r *roles) undefinedDiagnostic(role string, places []source.Span) *diag.Diagnostic {
	d := diag.New(diag.UndefinedRole, places[0], "model role %q is not among the models of the config", role)
	if hint := r.hintForModel(role); hint != "" {
		d.WithHint("%s", hint)
	} else if r.has(ir.DefaultRole) {
		d.Warn()
	}
	if slices.Contains(r.defined, ir.DefaultRole) && !d.IsError() {
		d.Message += `; "default" is used in its place`
	}
	if ir.IsOwnRole(role) {
		d.Guess(role, r.defined)
	} else {
		d.Suggest(role, r.defined)
	}
	for i := range d.Fixes {
		near := d.Fixes[i].Edits[0].New
		for _, at := range places[1:] {
			span, isLiteral := diag.Literally(at, role)
			if isLiteral {
				d.Fixes[i].Edits = append(d.Fixes[i].Edits, diag.Replace(span, near))
			}
		}
	}
	if more := len(places) - 1; more > 0 {
		d.Note(places[1], "it is asked for here too%s", formatMore(more-1))
	}

	return d
}

// hintForModel describes how to write the model that an undefined role may mean, or returns "".
func (r *roles) hintForModel(role string) string {
	if ir.IsOwnRole(role) {
		return ""
	}
	if model, ok := builtin.NearestModel(role); ok {
		return fmt.Sprintf("did you mean %q? Write call: {model: {name: %[1]q}}", model)
	}
	if slices.Contains(r.texts, role) {
		return `write a model as call: {model: {name: "provider:model"}}, or name one for this role in models of the config`
	}

	return ""
}

// formatMore returns how often something occurs in addition, or "" for 0.
func formatMore(count int) string {
	if count == 0 {
		return ""
	}

	return fmt.Sprintf(", and %d %s more", count, plural(count, "time", "times"))
}

// roles are the model roles of a program.
type roles struct {
	// defined are the roles of the config in order. meant are the roles that misspelled ones mean.
	defined, meant []string
	// asked are the spans at which conversations name a role, by role; inOrder are the roles in
	// order.
	asked   map[string][]source.Span
	inOrder []string
	// texts are the roles that are written as the text of call.model.
	texts []string
}

func newRoles(u *unit) *roles {
	r := &roles{asked: map[string][]source.Span{}}
	r.defined = ir.Map(u.program.Models, func(m *ir.Model) string { return m.Role.Value })
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		role, asks := roleOf(step)
		if !asks {
			return
		}
		if step.Call.IsText {
			r.texts = append(r.texts, role.Value)
		}
		places := r.asked[role.Value]
		if !slices.Contains(r.inOrder, role.Value) {
			r.inOrder = append(r.inOrder, role.Value)
		}
		if role.Span.IsValid() && !slices.Contains(places, role.Span) {
			places = append(places, role.Span)
		}
		r.asked[role.Value] = places
		if _, known := r.asked[ir.DefaultRole]; !known && !r.has(role.Value) {
			r.asked[ir.DefaultRole] = nil // it would be used instead
		}
	})

	return r
}

// has reports whether the config defines a role, possibly misspelled.
func (r *roles) has(role string) bool {
	return slices.Contains(r.defined, role) || slices.Contains(r.meant, role)
}

// roleOf returns the role of a conversation's model. asks is false if it names the model itself.
func roleOf(step *ir.Step) (role ir.Text, asks bool) {
	return step.Call.Role, step.Call.Role.Value != "" && step.Call.Name.Value == ""
}

// matchMisspelled looks for an undefined role that a role of the config misspells. It records the
// match and returns its diagnostic, or nil. If only one reference names the undefined role, either
// can be misspelled, and the reference gets the diagnostic, except for roles of the language.
func (r *roles) matchMisspelled(role ir.Text) *diag.Diagnostic {
	if _, asked := r.asked[role.Value]; asked {
		return nil
	}
	lacking := slices.DeleteFunc(slices.Sorted(maps.Keys(r.asked)), func(name string) bool {
		return r.has(name) || len(r.asked[name]) == 1 && !ir.IsOwnRole(name)
	})
	near, ok := diag.Nearest(role.Value, lacking)
	if !ok {
		return nil
	}
	r.meant = append(r.meant, near)
	d := diag.New(diag.UndefinedRole, role.Span, "model role %q is not used, and %q, which agents use, is not defined",
		role.Value, near).Suggest(role.Value, []string{near})
	if places := r.asked[near]; len(places) > 0 {
		d.Note(places[0], "%q is asked for here%s", near, formatMore(len(places)-1))
	}

	return d
}
