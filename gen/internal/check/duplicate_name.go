package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// duplicateName finds names that become the same Go identifier or generated file. A numeric suffix
// would not help: it would change with the order of the sources. Ambiguous keys are not reported
// again.
var duplicateName = Pass{Name: "duplicate-name", run: func(u *unit) {
	for _, c := range u.collisions {
		if !u.hasReported(diag.AmbiguousKey, c.Second.From.Span) {
			u.report(collisionDiagnostic(u.program, c.First, c.Second))
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
	u.reportOverwrittenOutputs()
}}

func collisionDiagnostic(p *ir.Program, first, second names.Identifier) *diag.Diagnostic {
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

	both := describeIdentifier(first) + " and " + describeIdentifier(second)
	hint := "choose names that differ in more than punctuation and case"
	loop, isState := strings.CutPrefix(first.From.Value, ir.StateOf)
	switch {
	case isState && first.What == step && first.From.Value == second.From.Value:
		both = fmt.Sprintf("two loops of workflow %q are called %q, and have variables: those", first.Owner.Value, loop)
		hint = "give one of them another name"
	case first.What == step && second.What == step && first.From.Value == second.From.Value:
		both = fmt.Sprintf("two steps of agent %q are called %q, and have steps inside: they", first.Owner.Value, first.From.Value)
		hint = "give one of them another name"
	case first.What == step && second.What == step:
	case first.What == second.What && first.Owner == second.Owner:
		both = fmt.Sprintf("%s %q and %q", pluralOf(first.What), first.From.Value, second.From.Value)
		if first.What == "state" || first.What == "key" {
			both += fmt.Sprintf(" of machine %q", first.Owner.Value)
		}
	case first.What == step: // only the pattern can rename a step
		hint = "choose another name for " + describeIdentifier(second)
	}
	switch {
	case !isFromServer(p, first) && !isFromServer(p, second):
	case first.From.Span == second.From.Span:
		hint = "list in tools those of the server that you need"
	default:
		hint = "choose a prefix for the tools of the server, such as prefix: their_"
	}

	return diag.New(diag.DuplicateName, second.From.Span, "%s would both %s", both, becomes).WithHint("%s", hint).
		Note(first.From.Span, "%q is the other", strings.TrimPrefix(first.From.Value, ir.StateOf))
}

// renamedToTaken describes an entry of rename in the config whose new name is taken.
func renamedToTaken(first, second names.Identifier) *diag.Diagnostic {
	of := "every program has"
	switch {
	case first.What == names.Renamed:
		of = first.Owner.Value + " is renamed to"
	case first.What != "":
		of = describeIdentifier(first) + " becomes"
	}
	d := diag.New(diag.DuplicateName, second.From.Span, "%s is renamed to %s, a Go name that %s, too", second.Owner.Value, second.Go, of).
		WithHint("choose another name")
	if first.From.Span.IsValid() {
		d.Note(first.From.Span, "%q is the other", first.From.Value)
	}

	return d
}

// isFromServer reports whether a name belongs to a tool of an MCP server, which users cannot
// rename.
func isFromServer(p *ir.Program, id names.Identifier) bool {
	return slices.ContainsFunc(p.Servers, func(s *ir.Server) bool {
		return slices.ContainsFunc(s.Tools, func(t *ir.Tool) bool { return t.Name.Span == id.From.Span })
	})
}

// step is the word of [names.Of] for a step.
const step = "step"

// describeIdentifier describes the text that a name comes from, with its owner if the text is not
// unique.
func describeIdentifier(id names.Identifier) string {
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

// pluralOf returns the plural of a kind of identifier.
func pluralOf(what string) string {
	if what == "branch" {
		return "branches"
	}

	return what + "s"
}

// reportOverwrittenOutputs reports a second step of the same name in a sequence that replaces an
// output which nothing has read: a later reader may mean either. A step that continues with the
// first output, or follows a reader of it, replaces it on purpose.
func (u *unit) reportOverwrittenOutputs() {
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
			last := map[*ir.Output]int{}
			for i, t := range p.Tasks {
				before, known := last[t.Output]
				last[t.Output] = i
				isReplaced := known && u.readsOf(a).outputs[t.Output]
				if isReplaced && !readsOutput(p.Tasks[before+1:i+1], t.Output) && !takesData(p.Tasks[before+1]) {
					u.report(diag.New(diag.DuplicateName, t.Name.Span, "a second step %q in %s: steps.%s is the output of this one, and the output of the first cannot be read",
						t.Name.Value, cmp.Or(p.Description, "this workflow"), t.Name.Value).Warn().WithHint("give it another name").
						Note(p.Tasks[before].Name.Span, "%q is the first", t.Name.Value))
				}
			}
		})
	})
}

// readsOutput reports whether an expression of the tasks, or of a nested task, names an output.
func readsOutput(tasks []*ir.Task, o *ir.Output) bool {
	r := newReads()
	ir.WalkTasks(&ir.Pipeline{Tasks: tasks}, func(t *ir.Task) { t.WalkOwnReads(r.read) })

	return r.outputs[o] || r.roots[ir.RootSteps]
}
