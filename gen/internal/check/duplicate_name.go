package check

import (
	"cmp"
	"fmt"
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// duplicateName finds names that would become the same Go identifier or the same generated file. No numeric suffix makes
// them different: it would change with the order of the sources. Keys that are ambiguous are not reported a second time.
var duplicateName = Pass{Name: "duplicate-name", run: func(u *unit) {
	for _, c := range u.collisions {
		if !u.found(diag.AmbiguousKey, c.Second.From.Span) {
			u.report(collision(u.program, c.First, c.Second))
		}
	}
	for _, x := range u.machines {
		composed := map[string]*ir.State{}
		for _, s := range x.States {
			first := composed[norm.NFC.String(s.Name.Value)]
			if first == nil {
				composed[norm.NFC.String(s.Name.Value)] = s
			} else if first.Name.Value != s.Name.Value {
				u.report(diag.New(diag.DuplicateName, s.Name.Span, "states %q and %q of machine %q look the same: only the encoding of their accents differs",
					first.Name.Value, s.Name.Value, x.name()).
					Note(first.Name.Span, "%q is the other", first.Name.Value))
			}
		}
	}
	u.sameSteps()
}}

func collision(p *ir.Program, first, second names.Identifier) *diag.Diagnostic {
	if second.What == names.Renamed {
		return renamedToTaken(first, second)
	}
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
	hint := "choose names that differ in more than punctuation and case"
	switch {
	case first.What == step && second.What == step && first.From.Value == second.From.Value:
		both = fmt.Sprintf("two steps of agent %q are called %q, and have steps inside: they", first.Owner.Value, first.From.Value)
		hint = "give one of them another name"
	case first.What == step && second.What == step:
	case first.What == second.What && first.Owner == second.Owner:
		both = fmt.Sprintf("%s %q and %q", manyOf(first.What), first.From.Value, second.From.Value)
		if first.What == "state" || first.What == "key" {
			both += fmt.Sprintf(" of machine %q", first.Owner.Value)
		}
	case first.What == step: // its name is a matter of the pattern
		hint = "choose another name for " + named(second)
	}
	switch {
	case !ofServer(p, first) && !ofServer(p, second):
	case first.From.Span == second.From.Span:
		hint = "list in tools those of the server that you need"
	default:
		hint = "choose a prefix for the tools of the server, such as prefix: their_"
	}

	return diag.New(diag.DuplicateName, second.From.Span, "%s would both %s", both, becomes).WithHint("%s", hint).
		Note(first.From.Span, "%q is the other", first.From.Value)
}

// renamedToTaken is the diagnostic for an entry of rename in the config whose new name something else has.
func renamedToTaken(first, second names.Identifier) *diag.Diagnostic {
	of := "every program has"
	switch {
	case first.What == names.Renamed:
		of = first.Owner.Value + " is renamed to"
	case first.What != "":
		of = named(first) + " becomes"
	}
	d := diag.New(diag.DuplicateName, second.From.Span, "%s is renamed to %s, a Go name that %s, too", second.Owner.Value, second.Go, of).
		WithHint("choose another name")
	if first.From.Span.IsValid() {
		d.Note(first.From.Span, "%q is the other", first.From.Value)
	}

	return d
}

// ofServer reports whether a name is that of a tool of an MCP server, or of a part of one: no user can choose another.
func ofServer(p *ir.Program, id names.Identifier) bool {
	return slices.ContainsFunc(p.Servers, func(s *ir.Server) bool {
		return slices.ContainsFunc(s.Tools, func(t *ir.Tool) bool { return t.Name.Span == id.From.Span })
	})
}

// step is what [names.Of] calls a step.
const step = "step"

// named says which text a name comes from, and whose it is where another can have the same.
func named(id names.Identifier) string {
	switch {
	case id.Owner.Value == "" || id.Owner == id.From:
		return fmt.Sprintf("%s %q", id.What, id.From.Value)
	case id.What == "branch":
		return fmt.Sprintf("branch %q of step %q", id.From.Value, id.Owner.Value)
	case id.What == "schema":
		return fmt.Sprintf("schema %q of %q", id.From.Value, id.Owner.Value)
	}

	return fmt.Sprintf("%s %q of agent %q", id.What, id.From.Value, id.Owner.Value)
}

// manyOf is what several texts are called of which one is this.
func manyOf(what string) string {
	if what == "branch" {
		return "branches"
	}

	return what + "s"
}

// sameSteps finds a second step of one name in a sequence that takes the place of an output which
// nothing has read: what reads the name later may mean either. A step that continues with the output
// of the first, or behind something that reads it, counts up on purpose.
func (u *unit) sameSteps() {
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
			last := map[*ir.Output]int{}
			for i, t := range p.Tasks {
				before, known := last[t.Output]
				last[t.Output] = i
				if known && u.reads(a).outputs[t.Output] && !readsOutput(p.Tasks[before+1:i+1], t.Output) && !takesData(p.Tasks[before+1]) {
					u.report(diag.New(diag.DuplicateName, t.Name.Span, "a second step %q in %s: steps.%s is the output of this one, and the output of the first cannot be read",
						t.Name.Value, cmp.Or(p.What, "this workflow"), t.Name.Value).Warn().WithHint("give it another name").
						Note(p.Tasks[before].Name.Span, "%q is the first", t.Name.Value))
				}
			}
		})
	})
}

// readsOutput reports whether an expression of some tasks, or of one inside of them, names an
// output.
func readsOutput(tasks []*ir.Task, o *ir.Output) bool {
	r := newReads()
	ir.WalkTasks(&ir.Pipeline{Tasks: tasks}, func(t *ir.Task) { t.WalkReads(r.read) })

	return r.outputs[o] || r.roots[ir.RootSteps]
}
