package schemadoc

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

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
		return quote(n.Text)
	case yamldoc.Seq:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = toJSON(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case yamldoc.Map:
		fields := make([]string, len(n.Fields))
		for i, f := range n.Fields {
			fields[i] = quote(f.Key.Text) + ":" + toJSON(f.Value)
		}
		return "{" + strings.Join(fields, ",") + "}"
	}

	return "null"
}

// canonical writes a node so that equal values give equal texts.
func canonical(n *yamldoc.Node) string {
	switch n.Kind {
	case yamldoc.Int, yamldoc.Float:
		return identityOf(n)
	case yamldoc.Seq:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = canonical(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case yamldoc.Map:
		fields := make([]string, len(n.Fields))
		for i, f := range n.Fields {
			fields[i] = quote(f.Key.Text) + ":" + canonical(f.Value)
		}
		sort.Strings(fields)
		return "{" + strings.Join(fields, ",") + "}"
	}

	return toJSON(n)
}

// quote writes text as a JSON string in which <, > and & stay readable.
func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""`
	}

	return strings.TrimSuffix(b.String(), "\n")
}
