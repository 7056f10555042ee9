package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedRole finds model roles that a file names and the config does not define. Where the role default is defined it
// stands in, and the finding is a warning. A role beside a model's name, which wins, is not looked up; nor is a role that is
// a pattern's default, because the environment may define it. But a role of the config that nobody asks for, next to one
// that is wanted so and lacks, is that one misspelled.
var undefinedRole = Pass{Name: "undefined-role", run: func(u *unit) {
	if !u.program.HasModels {
		return
	}
	r := newRoles(u)
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		if role, asks := asksFor(step); asks && role.Span.IsValid() && !slices.Contains(r.defined, role.Value) {
			u.report(r.undefined(role))
		}
	})
	for _, m := range u.program.Models {
		if d := r.misspelled(m.Role); d != nil {
			u.report(d)
		}
	}
}}

// defaultRole stands in for every role that is not defined.
const defaultRole = "default"

// roles are the model roles of a program.
type roles struct {
	// defined are those of the config, in its order.
	defined []string
	// wanted are those that conversations ask for.
	wanted map[string]bool
	// lacking are those that no file names, and that are wanted and not defined.
	lacking []string
}

func newRoles(u *unit) roles {
	r := roles{wanted: map[string]bool{}}
	for _, m := range u.program.Models {
		r.defined = append(r.defined, m.Role.Value)
	}
	named := map[string]bool{}
	u.eachConversation(func(_ *ir.Agent, step *ir.Step) {
		if role, asks := asksFor(step); asks {
			r.wanted[role.Value] = true
			named[role.Value] = named[role.Value] || role.Span.IsValid()
			if !slices.Contains(r.defined, role.Value) {
				r.wanted[defaultRole] = true
			}
		}
	})
	for role := range r.wanted {
		if !named[role] && !slices.Contains(r.defined, role) {
			r.lacking = append(r.lacking, role)
		}
	}
	slices.Sort(r.lacking)

	return r
}

// asksFor returns the role of the model that a conversation is with; asks is false if it names the model itself.
func asksFor(step *ir.Step) (role ir.Text, asks bool) {
	return step.Call.Role, step.Call.Role.Value != "" && step.Call.Name.Value == ""
}

func (r roles) undefined(role ir.Text) *diag.Diagnostic {
	d := diag.New(diag.UndefinedRole, role.Span, "model role %q is not among the models of the config", role.Value)
	if slices.Contains(r.defined, defaultRole) {
		d.Warn()
		d.Message += `; "default" stands in for it`
	}
	d.Suggest(role.Value, r.defined)
	if len(r.defined) > 0 {
		d.Note(noSpan, "the %s %s", plural(len(r.defined), "only role is", "roles are"), listed(r.defined))
	}

	return d
}

// misspelled returns the finding that a role of the config is one that lacks; nil if it is not.
func (r roles) misspelled(role ir.Text) *diag.Diagnostic {
	if r.wanted[role.Value] {
		return nil
	}
	near, ok := diag.Nearest(role.Value, r.lacking)
	if !ok {
		return nil
	}

	return diag.New(diag.UndefinedRole, role.Span, "model role %q is asked for by no agent, and %q, which is, is not defined",
		role.Value, near).Suggest(role.Value, []string{near})
}
