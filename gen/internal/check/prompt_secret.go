package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/secret"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// promptSecret finds likely secrets in all source files: prompts, steps, skills, the config,
// scripts. A secret there goes into the repository and the generated Go, and from a prompt or a
// skill to the provider of the model. It is hidden in its file, so that no report shows it; see
// also redactSecrets.
var promptSecret = Pass{Name: "prompt-secret", run: func(u *unit) {
	for i, f := range u.program.Files {
		for _, m := range u.secrets[i] {
			at := source.Span{File: f, Start: m.Start, End: m.End}
			if slices.ContainsFunc(f.Hidden(), func(h source.Span) bool { return h.Start <= at.Start && at.End <= h.End }) {
				continue // reported when it was hidden
			}
			u.list.Add(secretDiagnostic(m.Kind, at, string(f.Bytes[m.Start:m.Start+m.Public])))
			f.Hide(source.Span{File: f, Start: m.Start + m.Public, End: m.End})
		}
	}
}}

// secretDiagnostic describes a secret. The public prefix may be shown.
func secretDiagnostic(kind secret.Kind, at source.Span, public string) *diag.Diagnostic {
	d := diag.New(diag.PromptSecret, at, "this looks like %s: secrets do not belong in source files", kind.Name)
	if public != "" {
		d.Message = fmt.Sprintf("%q… looks like %s: secrets do not belong in source files", public, kind.Name)
	}
	if kind.Variable != "" {
		return d.WithHint("revoke it, remove it, and set %s where the program runs", kind.Variable)
	}

	return d.WithHint("revoke it, remove it, and let the tool that needs it read its environment")
}

// redactSecrets removes hidden texts from all diagnostics, which may quote them, for example as an
// unknown role. It drops fixes that would write a secret, because reports print fixes.
func redactSecrets(p *ir.Program, list *diag.List) {
	var pairs []string
	for _, f := range p.Files {
		for _, hidden := range f.Hidden() {
			for _, part := range strings.Fields(hidden.Text()) {
				if len(part) >= leastSecret {
					pairs = append(pairs, part, "***")
				}
			}
		}
	}
	if len(pairs) == 0 {
		return
	}

	strike := strings.NewReplacer(pairs...)
	list.Retain(func(d *diag.Diagnostic) bool {
		d.Message, d.Hint = strike.Replace(d.Message), strike.Replace(d.Hint)
		for i := range d.Related {
			d.Related[i].Message = strike.Replace(d.Related[i].Message)
		}
		d.Fixes = slices.DeleteFunc(d.Fixes, func(f diag.Fix) bool {
			return slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return strike.Replace(e.New) != e.New })
		})
		for i := range d.Fixes {
			d.Fixes[i].Message = strike.Replace(d.Fixes[i].Message)
		}

		return true
	})
}

// leastSecret is the minimum length of a part of a secret that is redacted. The last line of a
// private key may be shorter.
const leastSecret = 8
