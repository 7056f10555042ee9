package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// undefinedRole finds model roles that a file names and the config does not define. Where the role default is defined it
// stands in, and the finding is a warning. A role that is a pattern's default, and a role beside a model's name, which wins,
// are not looked up here.
var undefinedRole = Pass{Name: "undefined-role", run: func(u *unit) {
	if !u.program.HasModels {
		return
	}
	var roles []string
	fallback := false
	for _, m := range u.program.Models {
		roles = append(roles, m.Role.Value)
		fallback = fallback || m.Role.Value == "default"
	}
	for _, a := range u.program.Agents {
		if role := a.Call.Role; role.Span.IsValid() && a.Call.Name.Value == "" && !contains(roles, role.Value) {
			u.report(undefinedRoleAt(role, roles, fallback))
		}
	}
}}

func undefinedRoleAt(role ir.Text, roles []string, fallback bool) *diag.Diagnostic {
	d := diag.New(diag.UndefinedRole, role.Span, "model role %q is not among the models of the config", role.Value)
	if fallback {
		d.Warn()
		d.Message += `; "default" stands in for it`
	}
	d.Suggest(role.Value, roles)
	if len(roles) > 0 {
		d.Note(noSpan, "the %s %s", plural(len(roles), "only role is", "roles are"), listed(roles))
	}

	return d
}

func contains(texts []string, text string) bool {
	for _, t := range texts {
		if t == text {
			return true
		}
	}

	return false
}
