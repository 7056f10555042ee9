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

// undefinedRole finds model roles that files name and the config does not define, each once. Where the role default is
// defined it is used instead, and the diagnostic is a warning, unless a model may be meant. A role beside a model's name, which wins, is not looked
// up; nor is a role that is a pattern's default, because the environment may define it. But a role of the config that no
// agent asks for, next to one that is wanted and lacks, is that one misspelled.
var undefinedRole = Pass{Name: "undefined-role", run: func(u *unit) {
	if !u.program.HasModels {
		return
	}
	r := newRoles(u)
	for _, m := range u.program.Models {
		if d := r.misspelled(m.Role); d != nil {
			u.report(d)
		}
	}
	for _, role := range r.inOrder {
		if places := r.asked[role]; len(places) > 0 && !r.has(role) {
			u.report(noteAll(r.undefined(role, places), noSpan, "role", r.defined))
		}
	}
}}

// undefined returns the diagnostic of a role that agents ask for at places. Its fix corrects all of them.
func (r *roles) undefined(role string, places []source.Span) *diag.Diagnostic {
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
		d.Note(places[1], "it is asked for here too%s", andMore(more-1))
	}

	return d
}

// hintForModel says how to write the model that may be meant by a role that is not defined; "" if a role is meant.
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

// andMore says at how many further places something is; nothing for none.
func andMore(count int) string {
	if count == 0 {
		return ""
	}

	return fmt.Sprintf(", and %d %s more", count, plural(count, "time", "times"))
}

// roles are the model roles of a program.
type roles struct {
	// defined are those of the config, in its order; meant are those that misspelled ones of them are meant to be.
	defined, meant []string
	// asked are those that conversations ask for, with the places that name them; inOrder are their names.
	asked   map[string][]source.Span
	inOrder []string
	// texts are those that a text in the place of call.model asks for.
	texts []string
}

func newRoles(u *unit) *roles {
	r := &roles{asked: map[string][]source.Span{}}
	r.defined = ir.Map(u.program.Models, func(m *ir.Model) string { return m.Role.Value })
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		role, asks := asksFor(step)
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

// has reports whether the config defines a role, or means to.
func (r *roles) has(role string) bool {
	return slices.Contains(r.defined, role) || slices.Contains(r.meant, role)
}

// asksFor returns the role of the model that a conversation is with; asks is false if it names the model itself.
func asksFor(step *ir.Step) (role ir.Text, asks bool) {
	return step.Call.Role, step.Call.Role.Value != "" && step.Call.Name.Value == ""
}

// misspelled returns the diagnostic that a role of the config is one that lacks; nil if it is not. If one place alone names
// the other, either can be misspelled, and the diagnostic is at that place: unless it is a role of the language.
func (r *roles) misspelled(role ir.Text) *diag.Diagnostic {
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
		d.Note(places[0], "%q is asked for here%s", near, andMore(len(places)-1))
	}

	return d
}
