package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// explainKeyword reports the violation of one keyword.
func (r *reporter) explainKeyword(v verdict) {
	if slices.Contains(v.schema.strings("x-agentc-later"), v.keyword) {
		return
	}
	switch v.keyword {
	case "additionalProperties":
		r.reportUnknownFields(v)
	case "required":
		r.reportMissingFields(v)
	case "type":
		r.reportWrongType(v)
	case "enum":
		r.reportBadEnum(v)
	case "not":
		r.reportForbidden(v)
	case "uniqueItems":
		r.reportRepeated(v)
	default:
		r.reportBound(v)
	}
}

// reportUnknownFields reports each field that the schema does not name.
func (r *reporter) reportUnknownFields(v verdict) {
	legal, all := r.legalFields(v.schema, v.at.value)
	outdented := false            // entries beside their field; only the first one is reported
	homeless := map[string]bool{} // the same for fields of another mapping
	for i, f := range v.at.value.Fields {
		name := f.Key.Text
		if v.schema.property(name).value != nil || v.schema.isFreeName(name) {
			outdented = false
			continue
		}
		if names := v.schema.text("x-agentc-names"); names != "" { // users choose the names
			r.addDiagnostic(diag.New(diag.UnknownField, f.Key.Span, "name %q%s: a name has %s", name, r.describeOwner(v.at), names))
			continue
		}
		if d := r.dottedFieldDiagnostic(v.schema, f); d != nil {
			r.addDiagnostic(d)
			continue
		}
		if i > 0 && r.reportMisplaced(v, v.at.value.Fields[i-1], f) {
			continue
		}
		if _, near := nearField(name, all); outdented && !near {
			continue
		}
		outdented = r.isOutdented(v.schema, v.at.value.Fields, i)
		if outdented {
			owner := v.at.value.Fields[i-1].Key
			r.addDiagnostic(diag.New(diag.UnknownField, f.Key.Span, "%q belongs below %q, not next to it", name, owner.Text).
				WithHint("indent it, and the lines below it, by two spaces").Note(owner.Span, "%q is here", owner.Text))
			continue
		}
		if owner := owningField(v.schema, legal, name); owner != "" && !isMisspelled(v, legal, name) {
			if !homeless[owner] {
				r.reportHomeless(v, f, owner)
			}
			homeless[owner] = true
			continue
		}
		d := diag.New(diag.UnknownField, f.Key.Span, "unknown field %q%s", name, r.describeOwner(v.at))
		present := func(n string) bool { return v.at.value.Field(n) != nil }
		for _, candidates := range [][]string{legal, all} {
			lacking := slices.DeleteFunc(slices.Clone(candidates), present)
			near, ok := nearField(name, lacking)
			if !ok || d.Hint != "" {
				continue
			}
			if twin, _ := nearField(name, candidates); present(twin) && !slices.Contains(legal, near) {
				continue // more likely a repetition of a present field than a field of another pattern
			}
			meant := v.schema.property(near)
			fits := fitsShape(meant, f.Value)
			switch {
			case !fits && !diag.IsCertain(name, near, lacking):
				continue // only the names are similar
			case !fits && loneHint(meant, f.Value) != "":
				d.WithHint("write %s: %s", near, loneHint(meant, f.Value))
			case !fits:
				d.WithHint("did you mean %q? It is %s", near, expectation(meant.resolved()))
			case slices.Contains(legal, near):
				suggest(d, name, near, lacking)
			default:
				d.WithHint("did you mean %q?", near)
			}
			r.suggested[pathKey(v.at.tokens, near)] = true
		}
		if d.Hint == "" {
			d.Note(source.Span{}, "the fields%s are %s", r.describeFieldOwner(v.at), joinNames(legal))
		}
		r.addDiagnostic(d)
	}
}

// fitsShape reports whether the value of a field may be a mapping, a list or a scalar like this
// one.
func fitsShape(field node, value *yamldoc.Node) bool {
	types := field.types()
	switch {
	case types == nil || value.Kind == yamldoc.Null:
		return true
	case value.Kind == yamldoc.Map:
		return slices.Contains(types, "object")
	case value.Kind == yamldoc.Seq:
		return slices.Contains(types, "array")
	}

	return slices.ContainsFunc(types, func(t string) bool { return t != "object" && t != "null" })
}

// reportMisplaced reports a field beside its parent instead of below it: the field above has no
// value and knows a field of this name. The one with the unusual indentation is at fault. It
// returns false for any other field.
func (r *reporter) reportMisplaced(v verdict, above, f *yamldoc.Field) bool {
	owner := v.schema.property(above.Key.Text)
	if above.Value.Kind != yamldoc.Null || owner.property(f.Key.Text).value == nil {
		return false
	}

	at, other := f, above
	if v.at.key != nil && above.Key.Span.Pos().Column-v.at.key.Span.Pos().Column != 2 {
		at, other = above, f
	}
	r.addDiagnostic(diag.New(diag.UnknownField, at.Key.Span, "field %q belongs below %q, not next to it", f.Key.Text, above.Key.Text).
		WithHint("indent %s by two spaces more than %s", f.Key.Text, above.Key.Text).
		Note(other.Key.Span, "%q is here", other.Key.Text))

	return true
}

// isOutdented reports whether field i is an entry of the field above it, such as a state, with a
// wrong indentation: the field above has no value and accepts any entry, and field i is no
// misspelled field.
func (r *reporter) isOutdented(schema node, fields []*yamldoc.Field, i int) bool {
	if i == 0 || i >= len(fields) || fields[i-1].Value.Kind != yamldoc.Null {
		return false
	}
	name := fields[i].Key.Text
	isOwnField := schema.property(name).value != nil || schema.isFreeName(name) || schema.entrySchema().value != nil
	if isOwnField || anySchema(schema.property(fields[i-1].Key.Text), node.entrySchema).value == nil {
		return false
	}
	_, all := r.legalFields(schema, nil)
	_, near := nearField(name, all)

	return !near
}

// legalFields returns the fields of a mapping in alphabetical order: the used ones, and all.
func (r *reporter) legalFields(schema node, mapping *yamldoc.Node) (legal, all []string) {
	kind, kindKnown := kindOf(schema, mapping)
	properties, _ := schema.value["properties"].(map[string]any)
	for name := range properties {
		p := schema.property(name)
		if p.text("x-agentc-unused") != "" || p.value["not"] != nil {
			continue
		}
		all = append(all, name)
		if isUsed(p, "x-agentc-patterns", r.pattern, r.patternKnown) && isUsed(p, "x-agentc-kinds", kind, kindKnown) {
			legal = append(legal, name)
		}
	}
	slices.Sort(legal)
	slices.Sort(all)

	return legal, all
}

// isUsed reports whether a mapping of a kind or pattern uses a field, as far as the kind is known.
func isUsed(p node, keyword, is string, known bool) bool {
	users := p.strings(keyword)

	return users == nil || !known || slices.Contains(users, is)
}

// reportMissingFields reports each missing required field, at the field that requires it, such as
// pattern, or at the key of the mapping.
func (r *reporter) reportMissingFields(v verdict) {
	for _, name := range v.schema.strings("required") {
		if v.at.value.Field(name) != nil {
			continue
		}
		d := diag.New(diag.MissingField, v.at.headSpan(), "field %q%s is missing", name, r.describeOwner(v.at))
		if decider := r.decidingField(v); decider != nil {
			text, _ := decider.Value.Scalar()
			d = diag.New(diag.MissingField, decider.Value.Span, "field %q is missing: %s %q needs it", name, decider.Key.Text, text)
		}
		if example := v.schema.property(name).text("x-agentc-example"); example != "" {
			d.WithHint("add %s: %s", name, example)
		}
		r.missing = append(r.missing, missing{pathKey(v.at.tokens, name), d})
	}
}

// decidingField returns the field that a rule depends on: the first one that its `if` requires.
func (r *reporter) decidingField(v verdict) *yamldoc.Field {
	n := len(v.pointer)
	if n == 0 || v.pointer[n-1] != "then" {
		return nil
	}
	condition := r.format.root.follow(append(slices.Clone(v.pointer[:n-1]), "if"))
	for _, name := range condition.strings("required") {
		return v.at.value.Field(name)
	}

	return nil
}

// reportWrongType reports a value of a wrong type. A missing value of a required field is a missing
// field.
func (r *reporter) reportWrongType(v verdict) {
	want := expectation(v.schema)
	if isRepeatedText(v.at) {
		return
	}
	if v.at.value.Kind != yamldoc.Null {
		d := diag.New(diag.WrongType, v.at.errorSpan(), "%s must be %s, found %s", r.describe(v.at), want, describeFound(v.at.value))
		if hint := typeHint(v); hint != "" {
			d.WithHint("%s", hint)
		} else if example := v.at.schema.text("x-agentc-example"); example != "" && v.at.key != nil {
			d.WithHint("write it such as %s: %s", v.at.key.Text, example)
		}
		addTypeFix(d, v)
		r.addDiagnostic(d)
		return
	}
	if v.at.key != nil {
		fields, owner := v.at.parent.Fields, r.ownerOf(v.at)
		i := slices.IndexFunc(fields, func(f *yamldoc.Field) bool { return f.Key == v.at.key })
		if r.isOutdented(owner.schema.resolved(), fields, i+1) {
			return // its value is next to it
		}
	}
	check := diag.WrongType
	if v.at.parent != nil && v.at.key != nil && r.isRequired(v.at) {
		check = diag.MissingField
	}
	d := diag.New(check, v.at.errorSpan(), "%s has no value; it must be %s", r.describe(v.at), want)
	if slices.Contains(v.schema.types(), "string") && isCommentedOut(v.at) {
		d.WithHint("what follows # is a comment: put a value that begins with # in quotes")
	}
	r.addDiagnostic(d)
}

// isRepeatedText reports whether a value is a later text in a list of texts on one line. The
// mistake is reported at the first text.
func isRepeatedText(t target) bool {
	if t.parent == nil || t.parent.Kind != yamldoc.Seq || t.value == t.parent.Items[0] {
		return false
	}

	return areTexts(t.parent) && t.value.Span.Pos().Line == t.parent.Items[0].Span.Pos().Line
}

// areTexts reports whether all items of a list are texts.
func areTexts(list *yamldoc.Node) bool {
	return !slices.ContainsFunc(list.Items, func(item *yamldoc.Node) bool { return item.Kind != yamldoc.String })
}

// isRequired reports whether the mapping of the field requires it.
func (r *reporter) isRequired(t target) bool {
	owner, name := r.ownerOf(t), t.tokens[len(t.tokens)-1]
	required := anySchema(owner.schema, func(n node) node {
		if slices.Contains(n.strings("required"), name) {
			return n
		}
		return node{}
	})
	if required.value != nil {
		return true
	}
	for _, rule := range owner.schema.resolved().subschemas("allOf") {
		constant := rule.child("if").property("pattern").text("const")
		if constant == r.pattern && r.patternKnown && slices.Contains(rule.child("then").strings("required"), name) {
			return true
		}
	}

	return false
}

// reportBadEnum reports a value that is not allowed.
func (r *reporter) reportBadEnum(v verdict) {
	if instead := v.schema.replacementFor(v.at.value.Text); instead != "" && v.at.key != nil {
		r.addDiagnostic(diag.New(diag.UnsupportedStep, v.at.value.Span, "%s %q is not supported", v.at.key.Text, v.at.value.Text).
			WithHint("%s", instead))
		return
	}
	values := v.schema.strings("enum")
	d := diag.New(diag.BadValue, v.at.value.Span, "%s cannot be %s", r.describe(v.at), describeFound(v.at.value))
	listed := func(value string) bool {
		return v.at.parent != nil && slices.ContainsFunc(v.at.parent.Items, func(n *yamldoc.Node) bool { return n.Text == value })
	}
	unlisted := slices.DeleteFunc(slices.Clone(values), listed)
	synonyms, _ := v.schema.value["x-agentc-synonyms"].(map[string]any)
	meant, _ := synonyms[strings.ToLower(v.at.value.Text)].(string)
	if meant != "" {
		d.WithHint("did you mean %q?", meant)
	} else if near, ok := nearField(v.at.value.Text, unlisted); ok {
		suggest(d, v.at.value.Text, near, unlisted)
	}
	if d.Hint == "" || len(values) <= 4 {
		d.Note(source.Span{}, "it can be %s", joinNames(slices.CompactFunc(values, strings.EqualFold)))
	}
	r.addDiagnostic(d)
}

// reportForbidden reports a field that is not allowed here, with the message of the schema.
func (r *reporter) reportForbidden(v verdict) {
	if instead := v.schema.text("x-agentc-unsupported"); instead != "" && v.at.key != nil {
		r.reportUnsupported(v, instead)
		return
	}
	span := v.at.errorSpan()
	if v.at.key != nil {
		span = v.at.key.Span
	}
	r.addDiagnostic(diag.New(diag.UnknownField, span, "%s is not possible here", r.describe(v.at)).WithHint("%s", v.schema.text("x-agentc-not")))
}

// reportRepeated reports repeated items of a list.
func (r *reporter) reportRepeated(v verdict) {
	first := map[string]*yamldoc.Node{}
	for _, item := range v.at.value.Items {
		content := sample.CanonicalText(item.JSON())
		before := first[content]
		if before == nil {
			first[content] = item
			continue
		}
		what := "the entry"
		if text, ok := item.Scalar(); ok {
			what = strconv.Quote(text)
		}
		r.addDiagnostic(diag.New(diag.BadValue, item.Span, "%s is written twice in %s", what, r.describe(v.at)).
			Note(before.Span, "it is here first"))
	}
}

// isModelName reports whether a schema describes the name of a model.
func isModelName(schema node) bool { return strings.HasPrefix(expectation(schema), "provider:model") }

// reportBound reports a value that is too small, too large, empty, or of the wrong form.
func (r *reporter) reportBound(v verdict) {
	name, value := r.describe(v.at), v.at.value
	limit := v.schema.number(v.keyword)
	d := diag.New(diag.BadValue, v.at.errorSpan(), "%s has a value that is not allowed: %s", name, describeFound(value))
	switch v.keyword {
	case "minimum":
		d = diag.New(diag.BadValue, value.Span, "%s must be at least %s, found %s", name, limit, value.Text)
	case "maximum":
		d = diag.New(diag.BadValue, value.Span, "%s must be at most %s, found %s", name, limit, value.Text)
	case "exclusiveMinimum":
		d = diag.New(diag.BadValue, value.Span, "%s must be more than %s, found %s", name, limit, value.Text)
	case "minLength":
		d = diag.New(diag.BadValue, value.Span, "%s is empty", name)
		if v.at.key != nil && v.at.key.Text == "description" {
			d.Severity = diag.Warning // only people and models read it
		}
	case "minItems", "maxItems":
		d = diag.New(diag.BadValue, value.Span, "%s must be %s, found a list of %d", name, expectation(v.schema), len(value.Items))
		if len(value.Items) == 0 {
			d = diag.New(diag.BadValue, value.Span, "%s is an empty list", name)
		}
	case "minProperties", "maxProperties":
		count := v.schema.text("x-agentc-count")
		d = diag.New(diag.BadValue, v.at.headSpan(), "%s: %s", name, count)
		if len(value.Fields) == 0 {
			d = diag.New(diag.BadValue, value.Span, "%s is an empty mapping", name).WithHint("%s", count)
		}
	case "pattern":
		d = diag.New(diag.BadValue, value.Span, "%s must be %s, found %s", name, expectation(v.schema), describeFound(value))
		if model, ok := builtin.NearestModel(value.Text); ok && isModelName(v.schema) {
			d.WithHint("did you mean %q?", model)
		}
	}
	r.addDiagnostic(d)
}
