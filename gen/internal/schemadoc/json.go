package schemadoc

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// toJSON writes a node as compact JSON in source order. A number that JSON cannot write becomes null; it has been reported
// where it matters.
func toJSON(n *yamldoc.Node) string {
	switch n.Kind {
	case yamldoc.Bool:
		return strings.ToLower(n.Text)
	case yamldoc.Int, yamldoc.Float:
		if text, ok := jsonNumber(n); ok {
			return text
		}
	case yamldoc.String:
		return sample.Quote(n.Text)
	case yamldoc.Seq:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = toJSON(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case yamldoc.Map:
		fields := make([]string, len(n.Fields))
		for i, f := range n.Fields {
			fields[i] = sample.Quote(f.Key.Text) + ":" + toJSON(f.Value)
		}
		return "{" + strings.Join(fields, ",") + "}"
	}

	return "null"
}
