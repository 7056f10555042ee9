package emit

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// doc returns what the method that runs the flow says of itself: what happens, in order.
func (w *flow) doc() string {
	doc := names.RunAt(w.name) + " " + inOrder(deedsOf(w.ir.Body)) + "."
	if w.usesPlace() {
		doc += " at is the place of the whole flow: it judges the keys that leave it."
	}

	return doc
}

// deed is something that a flow does.
type deed struct {
	verb, what string
	// perhaps says that the flow may be over just before.
	perhaps bool
}

// inOrder tells deeds one after another: runs draft, then critique, then asks a person. No verb is told twice in a row.
func inOrder(deeds []deed) string {
	var b strings.Builder
	for i, d := range deeds {
		if i > 0 {
			b.WriteString(", then")
			if d.perhaps {
				b.WriteString(", unless that was the end,")
			}
			b.WriteString(" ")
		}
		if i == 0 || d.verb != deeds[i-1].verb {
			b.WriteString(d.verb + " ")
		}
		b.WriteString(d.what)
	}

	return b.String()
}

func deedsOf(ops []ir.Op) []deed {
	var all []deed
	perhaps := false
	for _, op := range ops {
		if when, isIf := op.(*ir.If); isIf && ends(when.Then) {
			perhaps = true
			continue
		}
		for _, d := range deedOf(op) {
			d.perhaps, perhaps = perhaps, false
			all = append(all, d)
		}
	}

	return all
}

// ends reports whether the flow is over after a body.
func ends(body []ir.Op) bool {
	if len(body) == 0 {
		return false
	}
	_, isReturn := body[len(body)-1].(*ir.Return)

	return isReturn
}

// deedOf returns what an operation does; nothing for one that only keeps texts.
func deedOf(op ir.Op) []deed {
	runs := func(what string) []deed { return []deed{{verb: "runs", what: what}} }
	switch op := op.(type) {
	case *ir.Run:
		return runs(runner(op))
	case *ir.Group:
		return runs(allOf(op))
	case *ir.Ask:
		return []deed{{verb: "asks", what: "a person"}}
	case *ir.If:
		return again(op.Then, "where it applies")
	case *ir.Loop:
		return repeated(op)
	}

	return nil
}

// beside says that n of a kind run at the same time; 0 is any number.
func beside(n int) string {
	if n == 1 {
		return ""
	}

	return " side by side"
}

func often(n int) string {
	if n == 1 {
		return "once"
	}

	return strconv.Itoa(n) + " times"
}

// repeated tells of a loop. One that does not count ends the flow, so that nothing is told after it; any turn may be the
// last.
func repeated(l *ir.Loop) []deed {
	switch {
	case l.List != nil:
		return again(l.Body, "for each item one after another")
	case l.Times > 0:
		return again(l.Body, often(l.Times)+" in a row")
	}
	deeds := deedsOf(l.Body)
	for i := range deeds {
		deeds[i].perhaps = false
	}

	return []deed{{verb: "loops:", what: inOrder(deeds)}}
}

// again tells of what is done more than once, or perhaps not at all.
func again(body []ir.Op, when string) []deed {
	deeds := deedsOf(body)
	switch len(deeds) {
	case 0:
		return nil
	case 1:
		return []deed{{verb: deeds[0].verb, what: deeds[0].what + " " + when}}
	}

	return []deed{{verb: "does", what: when + " (" + inOrder(deeds) + ")"}}
}

// runner names what runs.
func runner(r *ir.Run) string {
	switch {
	case r.Agent != nil:
		return r.Agent.Agent.Name.Value
	case r.Step.Name.Value == "":
		return "its own prompt"
	}

	return r.Step.Name.Value
}

// allOf names what runs side by side.
func allOf(g *ir.Group) string {
	var all []string
	for _, run := range g.Runs {
		all = append(all, runner(run))
	}
	switch what := enumeration(all); {
	case g.List != nil:
		return what + " for each item" + beside(0)
	case g.N > 0:
		return what + " " + often(g.N) + beside(g.N)
	default:
		return what + beside(len(g.Runs))
	}
}
