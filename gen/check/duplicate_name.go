package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/names"
)

// duplicateName finds names that would become the same Go identifier or the same generated file. No numeric suffix makes
// them different: it would change with the order of the sources. Keys that are ambiguous are not told a second time.
var duplicateName = Pass{Name: "duplicate-name", run: func(u *unit) {
	for _, c := range names.Collisions(u.program) {
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
		whose := "which every program has"
		switch second.Go {
		case names.ProvidersFile:
			whose = "which every program has that names providers of models"
		case names.RecordingsFile:
			whose = "which every program has that plays recordings"
		}
		return diag.New(diag.DuplicateName, second.From.Span, "%s %q would %s, %s",
			second.What, second.From.Value, becomes, whose).WithHint("choose another name")
	}

	both := named(first) + " and " + named(second)
	hint := "choose names that differ in more than signs and case"
	switch {
	case first.What == step && second.What == step:
	case first.What == second.What:
		both = fmt.Sprintf("%ss %q and %q", first.What, first.From.Value, second.From.Value)
	case first.What == step: // its name is a matter of the pattern
		hint = "choose another name for " + named(second)
	}

	return diag.New(diag.DuplicateName, second.From.Span, "%s would both %s", both, becomes).WithHint("%s", hint).
		Note(first.From.Span, "%q is the other", first.From.Value)
}

// step is what [names.Of] calls a step.
const step = "step"

// named says which text a name comes from. The steps of a pattern are called alike in every agent.
func named(id names.Identifier) string {
	if id.What == step {
		return fmt.Sprintf("%s %q of agent %q", step, id.From.Value, id.Owner.Value)
	}

	return fmt.Sprintf("%s %q", id.What, id.From.Value)
}
