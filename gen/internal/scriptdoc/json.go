package scriptdoc

import (
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// toJSON writes a value in source order.
func toJSON(n *yamldoc.Node) string {
	switch n.Kind {
	case yamldoc.Bool:
		return strings.ToLower(n.Text)
	case yamldoc.Int, yamldoc.Float:
		return jsonNumber(n)
	case yamldoc.String:
		return jsonText(n.Text)
	case yamldoc.Seq:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = toJSON(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case yamldoc.Map:
		fields := make([]string, len(n.Fields))
		for i, f := range n.Fields {
			fields[i] = jsonText(f.Key.Text) + ":" + toJSON(f.Value)
		}
		return "{" + strings.Join(fields, ",") + "}"
	}

	return "null"
}

func jsonText(text string) string {
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string can always be encoded
	}

	return strings.TrimSuffix(encoded.String(), "\n")
}

// jsonNumber spells a number of YAML as JSON does; "" for what is no number.
func jsonNumber(n *yamldoc.Node) string {
	number, _ := n.JSON().(json.Number)

	return number.String()
}
