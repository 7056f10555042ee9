package validate

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// typeHint says how a value becomes one of the type that is wanted, where what is written says it; "" where it does not.
func typeHint(v verdict) string {
	value, types := v.at.value, v.schema.types()
	text, scalar := value.Scalar()
	written := value.Span.Text()
	switch {
	case v.at.parent == nil && strings.Contains(text, ":"):
		return "a space is missing behind the colon"
	case v.at.noun == "state" && len(value.Fields) > 0 && strings.HasPrefix(value.Fields[0].Key.Text, "-"):
		return "a space is missing behind -"
	case v.at.noun == "state" && len(value.Fields) > 0:
		return stateHint(v.at.key.Span.Text(), value)
	case isRow(v) && value.Kind == yamldoc.Seq:
		return "a row leads to one state: write a row for each"
	case loneHint(v.at.schema, value) != "":
		return "write " + v.at.key.Text + ": " + loneHint(v.at.schema, value)
	case isListOfFields(value) && slices.Contains(types, "object") && !slices.Contains(types, "array"):
		return "write its entries without -"
	case !scalar || strings.Contains(written, "\n"):
		return ""
	case slices.Contains(types, "boolean"):
		return boolHint(text)
	case slices.Contains(types, "integer") || slices.Contains(types, "number"):
		return numberHint(text, written)
	case slices.Contains(types, "array") && !slices.Contains(types, "object") && canBeItem(v):
		return "write [" + written + "]"
	case v.at.parent == nil:
		return ""
	case v.at.parent.Kind == yamldoc.Seq && len(v.at.parent.Items) == 2 && expectation(v.schema) == expectRow && areTexts(v.at.parent):
		return "write {" + written + ": " + v.at.parent.Items[1].Span.Text() + "}, a row"
	case slices.Contains(types, "object"):
		return rowHint(text)
	}

	return ""
}

// expectRow is what a row of a state is expected to be.
const expectRow = "a row such as done: next-state"

// isRow reports whether a value is the target of a row of a state.
func isRow(v verdict) bool { return v.at.noun == "row" || v.schema.text("x-agentc-noun") == "row" }

// loneHint returns the mapping that a value is meant to be in, where a single entry is meant by it; "" where none is.
func loneHint(field node, value *yamldoc.Node) string {
	entry, written := field.text("x-agentc-lone"), value.Span.Text()
	if entry == "" || value.Kind == yamldoc.Map || value.Kind == yamldoc.Null || strings.Contains(written, "\n") {
		return ""
	}
	if value.Kind == yamldoc.String && !value.Quoted {
		written = strconv.Quote(written)
	}

	return "{" + entry + ": " + written + "}"
}

// numberHint returns how a number is written that is a text: in quotes, or with the sign of the dollar; "" for other texts.
func numberHint(text, written string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil && text != written {
		return unquoted
	}
	digits := strings.TrimSpace(strings.Trim(strings.ToUpper(text), "$ USD"))
	digits = strings.NewReplacer(",", "", "_", "").Replace(digits)
	if _, err := strconv.ParseFloat(digits, 64); err != nil || digits == text {
		return ""
	}

	return "write " + digits
}

// canBeItem reports whether a value is of a type that an item of the list has that is wanted.
func canBeItem(v verdict) bool {
	types := anySchema(v.schema, func(n node) node { return n.child("items") }).types()

	return types == nil || accepts(types, v.at.value)
}

// isListOfFields reports whether a value is a list of mappings with a field each, as if they were entries of one.
func isListOfFields(value *yamldoc.Node) bool {
	return value.Kind == yamldoc.Seq && len(value.Items) > 0 && !slices.ContainsFunc(value.Items, func(item *yamldoc.Node) bool {
		return item.Kind != yamldoc.Map || len(item.Fields) != 1
	})
}

// fixType adds what [typeHint] says where it is one value in other words: a list of one, and what stands in quotes.
func fixType(d *diag.Diagnostic, v verdict) {
	replacement, ok := strings.CutPrefix(d.Hint, "write [")
	if ok {
		d.WithFix("write a list", v.at.value.Span, "["+replacement)
		return
	}
	text, _ := v.at.value.Scalar()
	_, stands := diag.Literally(v.at.value.Span, text)
	switch replacement, ok := strings.CutPrefix(d.Hint, "write "); {
	case !stands:
	case d.Hint == unquoted && strings.Trim(text, "0123456789") == "":
		d.WithFix("remove the quotes", v.at.value.Span, text)
	case ok && (replacement == "true" || replacement == "false") && text != "1" && text != "0":
		d.WithFix("write "+replacement, v.at.value.Span, replacement)
	}
}

// unquoted is the fix of a number in quotes.
const unquoted = "write it without quotes"

// boolHint translates the words that older YAML takes for a truth value.
func boolHint(text string) string {
	switch strings.ToLower(text) {
	case "yes", "on", "true", "1":
		return "write true"
	case "no", "off", "false", "0":
		return "write false"
	}

	return ""
}

// rowHint makes a row of one that is drawn with an arrow.
func rowHint(text string) string {
	for _, arrow := range []string{"->", "=>", "→"} {
		if key, to, ok := strings.Cut(text, arrow); ok && strings.TrimSpace(key) != "" && strings.TrimSpace(to) != "" {
			return "write " + strings.TrimSpace(key) + ": " + strings.TrimSpace(to)
		}
	}

	return ""
}

// commentedOut reports whether nothing but a comment follows a field's colon, so that its value may have been meant.
func commentedOut(t target) bool {
	if t.key == nil || !t.key.Span.IsValid() || t.value.Span.Start != t.value.Span.End {
		return false
	}
	rest, _, _ := bytes.Cut(t.key.Span.File.Bytes[t.key.Span.End:], []byte("\n"))
	colon := bytes.IndexByte(rest, ':')

	return colon >= 0 && bytes.HasPrefix(bytes.TrimLeft(rest[colon+1:], " \t"), []byte("#"))
}
