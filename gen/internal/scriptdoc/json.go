package scriptdoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// object writes a mapping in source order; value writes what stands behind a key.
func (c *converter) object(n *yamldoc.Node, value func(*yamldoc.Field)) {
	c.json.WriteByte('{')
	for i, f := range n.Fields {
		if i > 0 {
			c.json.WriteByte(',')
		}
		c.string(f.Key.Text)
		c.json.WriteByte(':')
		value(f)
	}
	c.json.WriteByte('}')
}

// list writes a list, or reports that n is none.
func (c *converter) list(n *yamldoc.Node, what, want string, item func(*yamldoc.Node)) {
	if n.Kind != yamldoc.Seq {
		c.wrongType(n, what, want)
		return
	}
	c.json.WriteByte('[')
	for i, element := range n.Items {
		if i > 0 {
			c.json.WriteByte(',')
		}
		item(element)
	}
	c.json.WriteByte(']')
}

// text writes a scalar as text, whatever YAML takes it for.
func (c *converter) text(n *yamldoc.Node, what string) {
	text, ok := n.Scalar()
	if !ok {
		c.wrongType(n, what, "text")
		return
	}
	c.string(text)
}

// count writes a whole number between two bounds.
func (c *converter) count(n *yamldoc.Node, what string, least, most int) {
	number, err := strconv.Atoi(jsonNumber(n))
	if n.Kind != yamldoc.Int {
		c.wrongType(n, what, "a whole number")
		return
	}
	if err != nil || number < least || number > most {
		c.report(diag.New(diag.BadValue, n.Span, "%s is a whole number from %d to %d, not %s", what, least, most, n.Text))
		return
	}
	c.json.WriteString(strconv.Itoa(number))
}

// seconds writes a number that is not negative.
func (c *converter) seconds(n *yamldoc.Node) {
	number, err := strconv.ParseFloat(jsonNumber(n), 64)
	if n.Kind != yamldoc.Int && n.Kind != yamldoc.Float || err != nil || number < 0 || number > math.MaxInt32 {
		c.report(diag.New(diag.BadValue, n.Span, "%s is a number of seconds", quote("retry_after")))
		return
	}
	c.json.WriteString(jsonNumber(n))
}

// value writes any value.
func (c *converter) value(n *yamldoc.Node) {
	switch n.Kind {
	case yamldoc.Null:
		c.json.WriteString("null")
	case yamldoc.Bool:
		c.json.WriteString(strings.ToLower(n.Text))
	case yamldoc.Int, yamldoc.Float:
		c.json.WriteString(jsonNumber(n))
	case yamldoc.String:
		c.string(n.Text)
	case yamldoc.Seq:
		c.list(n, "", "", c.value)
	case yamldoc.Map:
		c.object(n, func(f *yamldoc.Field) { c.value(f.Value) })
	}
}

func (c *converter) string(text string) {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string can always be encoded
	}
	c.json.Write(bytes.TrimSuffix(encoded.Bytes(), []byte("\n")))
}

// jsonNumber spells a number of YAML as JSON does; "" for what is no number.
func jsonNumber(n *yamldoc.Node) string {
	number, _ := n.JSON().(json.Number)

	return number.String()
}

func quote(text string) string { return fmt.Sprintf("%q", text) }

// choice lists names: "say", "call" or "finish".
func choice(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}

	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}
