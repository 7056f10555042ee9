package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// badValue finds steps that do not declare a key which their pattern waits for: a reviewer without
// the key done would send every attempt back until the limit. It also finds renames of states that
// still exist. The schemas and the front end check all other values.
var badValue = Pass{Name: "bad-value", run: func(u *unit) {
	for _, a := range u.program.Agents {
		for _, run := range ir.OpsOf[*ir.Run](a.Body()) {
			if run.Step == nil {
				continue
			}
			for _, key := range run.At.Keys {
				if react, ok := run.Step.Node.(*ir.React); ok && len(react.Keys) > 0 && !isKeyOf(key, ir.Values(react.Keys)) {
					u.report(missingKeyDiagnostic(a, run.Step, react.Keys, key))
				}
			}
		}
	}
	u.reportStaleRenames()
}}

func missingKeyDiagnostic(a *ir.Agent, step *ir.Step, declared []ir.Text, key string) *diag.Diagnostic {
	d := diag.New(diag.BadValue, textsSpan(declared), "%s cannot finish with %q, which a %s waits for",
		conversation(a, step), key, a.Node.Pattern()).WithHint("add %q to the keys", key)
	names := ir.Values(declared)
	if near, ok := diag.Nearest(key, names); ok {
		d.Span = declared[slices.Index(names, near)].Span
		d.Hint = ""
		d.Suggest(near, []string{key})
	}

	return d
}
