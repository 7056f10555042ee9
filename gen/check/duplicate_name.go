package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/names"
)

// duplicateName finds names that would become the same Go identifier or the same generated file. No numeric suffix makes
// them different: it would change with the order of the sources. Keys that are ambiguous are not told a second time.
var duplicateName = Pass{Name: "duplicate-name", run: func(u *unit) {
	_, collisions := names.Of(u.program)
	for _, c := range collisions {
		if !u.ambiguous[c.Second.From.Span] {
			u.report(collision(c.First, c.Second))
		}
	}
}}

func collision(first, second names.Identifier) *diag.Diagnostic {
	becomes := "become the Go name " + second.Go
	if second.Scope == names.FileNames {
		becomes = "be generated into " + second.Go
	}
	if first.What == "" {
		return diag.New(diag.DuplicateName, second.From.Span, "%s %q would %s, which every program has",
			second.What, second.From.Value, becomes).WithHint("choose another name")
	}

	both := fmt.Sprintf("%s %q and %s %q", first.What, first.From.Value, second.What, second.From.Value)
	if first.What == second.What {
		both = fmt.Sprintf("%ss %q and %q", first.What, first.From.Value, second.From.Value)
	}

	return diag.New(diag.DuplicateName, second.From.Span, "%s would both %s", both, becomes).
		WithHint("choose names that differ in more than signs and case").
		Note(first.From.Span, "%q is the other", first.From.Value)
}
