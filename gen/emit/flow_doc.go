package emit

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
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

// inOrder tells deeds one after another: runs draft, then critique, then asks a person. A verb is not told twice in a row.
func inOrder(deeds []deed) string {
	var b strings.Builder
	for i, d := range deeds {
		if i > 0 {
			b.WriteString(", then ")
		}
		if d.perhaps {
			b.WriteString("unless that was the end, ")
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
		switch op := op.(type) {
		case *ir.If:
			perhaps = true
			continue
		case *ir.Run:
			all = append(all, deed{"runs", runner(op), perhaps})
		case *ir.Together:
			all = append(all, deed{"runs", allOf(op.Agents) + " side by side", perhaps})
		case *ir.ForEach:
			all = append(all, deed{"runs", runner(op.Run) + " for each item side by side", perhaps})
		case *ir.Times:
			all = append(all, deed{"runs", fmt.Sprintf("%s %d times side by side", runner(op.Run), op.N), perhaps})
		case *ir.Ask:
			all = append(all, deed{"asks", "a person", perhaps})
		case *ir.Range:
			all = append(all, again(op.Body, "for each item one after another"))
		case *ir.Loop:
			all = append(all, repeated(op))
		}
		perhaps = false
	}

	return all
}

// repeated tells of a loop. One that does not count ends the flow, so that nothing is told after it; any turn may be the last.
func repeated(l *ir.Loop) deed {
	if l.Times > 0 {
		return again(l.Body, fmt.Sprintf("%d times over", l.Times))
	}
	deeds := deedsOf(l.Body)
	for i := range deeds {
		deeds[i].perhaps = false
	}

	return deed{verb: "loops:", what: inOrder(deeds)}
}

// again tells of what is done more than once.
func again(body []ir.Op, often string) deed {
	deeds := deedsOf(body)
	if len(deeds) == 1 {
		return deed{deeds[0].verb, deeds[0].what + " " + often, false}
	}

	return deed{"does", often + " (" + inOrder(deeds) + ")", false}
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

func allOf(agents []*ir.AgentRef) string {
	list := make([]string, len(agents))
	for i, ref := range agents {
		list[i] = ref.Agent.Name.Value
	}
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}

	return strings.Join(list[:last], ", ") + " and " + list[last]
}
