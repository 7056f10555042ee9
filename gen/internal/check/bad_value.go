package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// badValue finds steps whose declared keys lack one that the flow waits for: a reviewer that cannot say done would send
// every attempt back until the limit is reached; and renames of states that still exist. Other values are a matter of the schemas
// and the front end.
var badValue = Pass{Name: "bad-value", run: func(u *unit) {
	for _, a := range u.program.Agents {
		for _, run := range ir.OpsOf[*ir.Run](a.Body()) {
			if run.Step == nil {
				continue
			}
			for _, key := range run.At.Keys {
				if react, ok := run.Step.Node.(*ir.React); ok && len(react.Keys) > 0 && !isKeyOf(key, ir.Values(react.Keys)) {
					u.report(lackingKey(a, run.Step, react.Keys, key))
				}
			}
		}
	}
	u.staleRenames()
}}

func lackingKey(a *ir.Agent, step *ir.Step, declared []ir.Text, key string) *diag.Diagnostic {
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
