package rehearsal

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// mostContexts bounds the initial contexts that are tried, of those that are not alike.
const mostContexts = 8

// contexts returns the contexts with which runs of a workflow begin: an empty one or, where its schema asks for more and one may
// be given, the smallest that fits; then, if one may be given, others with what expressions ask for. There may be none.
func (c *candidates) contexts(a *ir.Agent, mayBeGiven bool) []workflow.Value {
	w := a.Node.(*ir.Workflow)
	all := []workflow.Value{workflow.Object()}
	if mayBeGiven && w.Context != nil {
		if text, err := sample.Value(w.Context, "text"); err == nil {
			if plain, err := workflow.Parse([]byte(text)); err == nil {
				all = append(all, plain)
				all = append(all, c.anywhere.objects(w.Context, plain)...)
			}
		}
	} else if mayBeGiven {
		all = append(all, combined(workflow.Object(), c.places(nil, c.context))...)
	}

	var list []workflow.Value
	seen := map[string]bool{}
	for _, context := range all {
		_, ok := newEnv(a, context)
		if sign := c.deciders.signContext(context); ok && !seen[sign] && len(list) < c.mostContexts {
			seen[sign] = true
			list = append(list, context)
		}
	}

	return list
}

// signContext is the same for initial contexts that are alike.
func (d *deciders) signContext(context workflow.Value) string {
	if d == nil {
		return context.JSON()
	}
	e := &env{run: workflow.Start(nobody{}, "")}
	if e.run.Inherit(context) != nil {
		return "none"
	}
	var b strings.Builder
	in := eval{env: e}
	for _, x := range d.moved {
		if x.Root == ir.RootContext {
			b.WriteString(in.access(x).JSON())
		}
	}
	b.WriteString(e.run.CurrentState().JSON() + e.run.NextState().JSON())
	for _, x := range d.conditions {
		in.decided(x, nil, &b)
	}

	return b.String()
}
