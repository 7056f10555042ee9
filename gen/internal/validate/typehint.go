package validate

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// typeHint describes how to convert a value to the expected type, or returns "".
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
	case isListRow(v) && expectation(v.schema) == expectRow:
		return "write {" + written + ": " + v.at.parent.Items[1].Span.Text() + "}, a row"
	case slices.Contains(types, "object"):
		return rowHint(text)
	}

	return ""
}

// expectRow is the expectation of a row of a state.
const expectRow = "a row such as done: next-state"

// isRow reports whether a value is the target of a row of a state.
func isRow(v verdict) bool { return v.at.noun == "row" || v.schema.text("x-agentc-noun") == "row" }

// loneHint returns the mapping around a value that is written without it, or "".
func loneHint(field node, value *yamldoc.Node) string {
	entry, written := field.text("x-agentc-lone"), value.Span.Text()
	isCollection := value.Kind == yamldoc.Map || value.Kind == yamldoc.Null
	if entry == "" || isCollection || strings.Contains(written, "\n") {
		return ""
	}
	if value.Kind == yamldoc.String && !value.Quoted {
		written = strconv.Quote(written)
	}

	return "{" + entry + ": " + written + "}"
}

// numberHint returns how to write a number in quotes or with a dollar sign, or "" for other texts.
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

// canBeItem reports whether a value has the type of an item of the expected list.
func canBeItem(v verdict) bool {
	types := anySchema(v.schema, func(n node) node { return n.child("items") }).types()

	return types == nil || hasType(types, v.at.value)
}

// isListOfFields reports whether a value is a list of mappings with one field each, which may be
// meant as one mapping.
func isListOfFields(value *yamldoc.Node) bool {
	return value.Kind == yamldoc.Seq && len(value.Items) > 0 && !slices.ContainsFunc(value.Items, func(item *yamldoc.Node) bool {
		return item.Kind != yamldoc.Map || len(item.Fields) != 1
	})
}

// addTypeFix adds a fix for a hint of [typeHint] that changes only the form: a list of one, or a
// number in quotes.
func addTypeFix(d *diag.Diagnostic, v verdict) {
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
	case ok && (replacement == "true" || replacement == "false") && !isDigit(text):
		d.WithFix("write "+replacement, v.at.value.Span, replacement)
	}
}

// unquoted is the hint for a number in quotes.
const unquoted = "write it without quotes"

// boolHint translates the words for booleans in older YAML.
func boolHint(text string) string {
	switch strings.ToLower(text) {
	case "yes", "on", "true", "1":
		return "write true"
	case "no", "off", "false", "0":
		return "write false"
	}

	return ""
}

// rowHint converts a row that is written with an arrow.
func rowHint(text string) string {
	for _, arrow := range []string{"->", "=>", "→"} {
		if key, to, ok := strings.Cut(text, arrow); ok && strings.TrimSpace(key) != "" && strings.TrimSpace(to) != "" {
			return "write " + strings.TrimSpace(key) + ": " + strings.TrimSpace(to)
		}
	}

	return ""
}

// isCommentedOut reports whether only a comment follows a field's colon, so that it may be the
// value.
func isCommentedOut(t target) bool {
	if t.key == nil || !t.key.Span.IsValid() || t.value.Span.Start != t.value.Span.End {
		return false
	}
	rest, _, _ := bytes.Cut(t.key.Span.File.Bytes[t.key.Span.End:], []byte("\n"))
	colon := bytes.IndexByte(rest, ':')

	return colon >= 0 && bytes.HasPrefix(bytes.TrimLeft(rest[colon+1:], " \t"), []byte("#"))
}

// isListRow reports whether a value is the first of two texts in a list, which may be meant as a
// row.
func isListRow(v verdict) bool {
	return v.at.parent.Kind == yamldoc.Seq && len(v.at.parent.Items) == 2 && areTexts(v.at.parent)
}

func isDigit(text string) bool { return text == "1" || text == "0" }
