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

// leaf writes the diagnostic of one keyword.
func (r *reporter) leaf(v verdict) {
	if slices.Contains(v.schema.strings("x-agentc-later"), v.keyword) {
		return
	}
	switch v.keyword {
	case "additionalProperties":
		r.unknownFields(v)
	case "required":
		r.missingFields(v)
	case "type":
		r.wrongType(v)
	case "enum":
		r.badEnum(v)
	case "not":
		r.forbidden(v)
	case "uniqueItems":
		r.repeated(v)
	default:
		r.bound(v)
	}
}

// unknownFields reports each field that the schema does not name.
func (r *reporter) unknownFields(v verdict) {
	legal, all := r.legalFields(v.schema, v.at.value)
	outdented := false            // entries are beside the field to which they belong, which is said at the first
	homeless := map[string]bool{} // the same of fields that belong below another one
	for i, f := range v.at.value.Fields {
		name := f.Key.Text
		if v.schema.property(name).value != nil || v.schema.free(name) {
			outdented = false
			continue
		}
		if d := r.dotted(v.schema, f); d != nil {
			r.add(d)
			continue
		}
		if i > 0 && r.belongsTo(v, v.at.value.Fields[i-1], f) {
			continue
		}
		if _, near := nearField(name, all); outdented && !near {
			continue
		}
		if outdented = r.outdented(v.schema, v.at.value.Fields, i); outdented {
			owner := v.at.value.Fields[i-1].Key
			r.add(diag.New(diag.UnknownField, f.Key.Span, "%q belongs below %q, not beside it", name, owner.Text).
				WithHint("indent it, and the lines below it, by two spaces").Note(owner.Span, "%q is here", owner.Text))
			continue
		}
		if owner := home(v.schema, legal, name); owner != "" && !isMisspelled(v, legal, name) {
			if !homeless[owner] {
				r.homeless(v, f, owner)
			}
			homeless[owner] = true
			continue
		}
		d := diag.New(diag.UnknownField, f.Key.Span, "unknown field %q%s", name, r.of(v.at))
		present := func(n string) bool { return v.at.value.Field(n) != nil }
		for _, candidates := range [][]string{legal, all} {
			lacking := slices.DeleteFunc(slices.Clone(candidates), present)
			near, ok := nearField(name, lacking)
			if !ok || d.Hint != "" {
				continue
			}
			if twin, _ := nearField(name, candidates); present(twin) && !slices.Contains(legal, near) {
				continue // a field that is there a second time, rather than one of another pattern
			}
			meant := v.schema.property(near)
			fits := fitsShape(meant, f.Value)
			switch {
			case !fits && !diag.Certain(name, near, lacking):
				continue // only the names are alike
			case !fits && loneHint(meant, f.Value) != "":
				d.WithHint("write %s: %s", near, loneHint(meant, f.Value))
			case !fits:
				d.WithHint("did you mean %q? It is %s", near, expectation(meant.resolved()))
			case slices.Contains(legal, near):
				suggest(d, name, near, lacking)
			default:
				d.WithHint("did you mean %q?", near)
			}
			r.suggested[path(v.at.tokens, near)] = true
		}
		if d.Hint == "" {
			d.Note(source.Span{}, "the fields%s are %s", r.legalOf(v.at), list(legal))
		}
		r.add(d)
	}
}

// fitsShape reports whether a field can have a value that is a mapping, a list or neither, as this one is.
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

// belongsTo reports a field that is beside the field to which it belongs instead of below it: the one above has no
// value and knows a field of this name. Of the two the one that is indented otherwise than usual is at fault.
func (r *reporter) belongsTo(v verdict, above, f *yamldoc.Field) bool {
	owner := v.schema.property(above.Key.Text)
	if above.Value.Kind != yamldoc.Null || owner.property(f.Key.Text).value == nil {
		return false
	}

	at, other := f, above
	if v.at.key != nil && above.Key.Span.Pos().Column-v.at.key.Span.Pos().Column != 2 {
		at, other = above, f
	}
	r.add(diag.New(diag.UnknownField, at.Key.Span, "field %q belongs below %q, not beside it", f.Key.Text, above.Key.Text).
		WithHint("indent %s by two spaces more than %s", f.Key.Text, above.Key.Text).
		Note(other.Key.Span, "%q is here", other.Key.Text))

	return true
}

// outdented reports whether field i is an entry of the one above it, such as a state, that is beside it: the one above
// has no value and takes entries of any name, and no field was meant.
func (r *reporter) outdented(schema node, fields []*yamldoc.Field, i int) bool {
	if i == 0 || i >= len(fields) || fields[i-1].Value.Kind != yamldoc.Null {
		return false
	}
	name := fields[i].Key.Text
	if schema.property(name).value != nil || schema.free(name) || schema.entry().value != nil ||
		anySchema(schema.property(fields[i-1].Key.Text), node.entry).value == nil {
		return false
	}
	_, all := r.legalFields(schema, nil)
	_, near := nearField(name, all)

	return !near
}

// legalFields returns the fields of a mapping in the order of the alphabet: those that it uses, and all.
func (r *reporter) legalFields(schema node, mapping *yamldoc.Node) (legal, all []string) {
	kind, kindKnown := kindOf(schema, mapping)
	properties, _ := schema.value["properties"].(map[string]any)
	for name := range properties {
		p := schema.property(name)
		if p.text("x-agentc-unused") != "" || p.value["not"] != nil {
			continue
		}
		all = append(all, name)
		if used(p, "x-agentc-patterns", r.pattern, r.patternKnown) && used(p, "x-agentc-kinds", kind, kindKnown) {
			legal = append(legal, name)
		}
	}
	slices.Sort(legal)
	slices.Sort(all)

	return legal, all
}

// used reports whether a field is used by what a mapping is, as far as that is known.
func used(p node, keyword, is string, known bool) bool {
	users := p.strings(keyword)

	return users == nil || !known || slices.Contains(users, is)
}

// missingFields reports each required field that is not there: at the field that requires it, such as pattern, else at
// the key of the mapping that lacks it.
func (r *reporter) missingFields(v verdict) {
	for _, name := range v.schema.strings("required") {
		if v.at.value.Field(name) != nil {
			continue
		}
		d := diag.New(diag.MissingField, v.at.head(), "field %q%s is missing", name, r.of(v.at))
		if decider := r.decider(v); decider != nil {
			text, _ := decider.Value.Scalar()
			d = diag.New(diag.MissingField, decider.Value.Span, "field %q is missing: %s %q needs it", name, decider.Key.Text, text)
		}
		if example := v.schema.property(name).text("x-agentc-example"); example != "" {
			d.WithHint("add %s: %s", name, example)
		}
		r.missing = append(r.missing, missing{path(v.at.tokens, name), d})
	}
}

// decider returns the field on whose value a rule depends: the first that the `if` beside the rule requires.
func (r *reporter) decider(v verdict) *yamldoc.Field {
	n := len(v.pointer)
	if n == 0 || v.pointer[n-1] != "then" {
		return nil
	}
	condition := r.format.root.at(append(slices.Clone(v.pointer[:n-1]), "if"))
	for _, name := range condition.strings("required") {
		return v.at.value.Field(name)
	}

	return nil
}

// wrongType reports a value of another type. No value at all where one is required is a missing field.
func (r *reporter) wrongType(v verdict) {
	want := expectation(v.schema)
	if isRepeatedText(v.at) {
		return
	}
	if v.at.value.Kind != yamldoc.Null {
		d := diag.New(diag.WrongType, v.at.place(), "%s must be %s, found %s", r.name(v.at), want, found(v.at.value))
		if hint := typeHint(v); hint != "" {
			d.WithHint("%s", hint)
		} else if example := v.at.schema.text("x-agentc-example"); example != "" && v.at.key != nil {
			d.WithHint("write it such as %s: %s", v.at.key.Text, example)
		}
		fixType(d, v)
		r.add(d)
		return
	}
	if v.at.key != nil {
		fields, owner := v.at.parent.Fields, r.owner(v.at)
		i := slices.IndexFunc(fields, func(f *yamldoc.Field) bool { return f.Key == v.at.key })
		if r.outdented(owner.schema.resolved(), fields, i+1) {
			return // its value is beside it
		}
	}
	check := diag.WrongType
	if v.at.parent != nil && v.at.key != nil && r.requires(v.at) {
		check = diag.MissingField
	}
	d := diag.New(check, v.at.place(), "%s has no value; it must be %s", r.name(v.at), want)
	if slices.Contains(v.schema.types(), "string") && commentedOut(v.at) {
		d.WithHint("what follows # is a comment: put a value that begins with # in quotes")
	}
	r.add(d)
}

// isRepeatedText reports whether a value is one of several texts in a list of nothing else, on the line of the first,
// where what is wrong with the list is reported.
func isRepeatedText(t target) bool {
	if t.parent == nil || t.parent.Kind != yamldoc.Seq || t.value == t.parent.Items[0] {
		return false
	}

	return areTexts(t.parent) && t.value.Span.Pos().Line == t.parent.Items[0].Span.Pos().Line
}

// areTexts reports whether a list has texts and nothing else.
func areTexts(list *yamldoc.Node) bool {
	return !slices.ContainsFunc(list.Items, func(item *yamldoc.Node) bool { return item.Kind != yamldoc.String })
}

// requires reports whether the mapping that holds the field requires it.
func (r *reporter) requires(t target) bool {
	owner, name := r.owner(t), t.tokens[len(t.tokens)-1]
	required := anySchema(owner.schema, func(n node) node {
		if slices.Contains(n.strings("required"), name) {
			return n
		}
		return node{}
	})
	if required.value != nil {
		return true
	}
	for _, rule := range owner.schema.resolved().list("allOf") {
		constant := rule.child("if").property("pattern").text("const")
		if constant == r.pattern && r.patternKnown && slices.Contains(rule.child("then").strings("required"), name) {
			return true
		}
	}

	return false
}

// badEnum reports a value that is none of those allowed.
func (r *reporter) badEnum(v verdict) {
	if instead := v.schema.insteadOf(v.at.value.Text); instead != "" && v.at.key != nil {
		r.add(diag.New(diag.UnsupportedStep, v.at.value.Span, "%s %q is not supported", v.at.key.Text, v.at.value.Text).
			WithHint("%s", instead))
		return
	}
	values := v.schema.strings("enum")
	d := diag.New(diag.BadValue, v.at.value.Span, "%s cannot be %s", r.name(v.at), found(v.at.value))
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
		d.Note(source.Span{}, "it can be %s", list(slices.CompactFunc(values, strings.EqualFold)))
	}
	r.add(d)
}

// forbidden reports a field that may not be here, in the schema's own words.
func (r *reporter) forbidden(v verdict) {
	if instead := v.schema.text("x-agentc-unsupported"); instead != "" && v.at.key != nil {
		r.leftOut(v, instead)
		return
	}
	span := v.at.place()
	if v.at.key != nil {
		span = v.at.key.Span
	}
	r.add(diag.New(diag.UnknownField, span, "%s is not possible here", r.name(v.at)).WithHint("%s", v.schema.text("x-agentc-not")))
}

// repeated reports elements of a list that are there a second time.
func (r *reporter) repeated(v verdict) {
	first := map[string]*yamldoc.Node{}
	for _, item := range v.at.value.Items {
		content := sample.Identity(item.JSON())
		before := first[content]
		if before == nil {
			first[content] = item
			continue
		}
		what := "the entry"
		if text, ok := item.Scalar(); ok {
			what = strconv.Quote(text)
		}
		r.add(diag.New(diag.BadValue, item.Span, "%s is written twice in %s", what, r.name(v.at)).
			Note(before.Span, "it is here first"))
	}
}

// isModelName reports whether a schema describes the name of a model.
func isModelName(schema node) bool { return strings.HasPrefix(expectation(schema), "provider:model") }

// bound reports a value that is too small, too large, empty, or of the wrong form.
func (r *reporter) bound(v verdict) {
	name, value := r.name(v.at), v.at.value
	limit := v.schema.number(v.keyword)
	d := diag.New(diag.BadValue, v.at.place(), "%s has a value that is not allowed: %s", name, found(value))
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
		d = diag.New(diag.BadValue, v.at.head(), "%s: %s", name, count)
		if len(value.Fields) == 0 {
			d = diag.New(diag.BadValue, value.Span, "%s is an empty mapping", name).WithHint("%s", count)
		}
	case "pattern":
		d = diag.New(diag.BadValue, value.Span, "%s must be %s, found %s", name, expectation(v.schema), found(value))
		if model, ok := builtin.NearestModel(value.Text); ok && isModelName(v.schema) {
			d.WithHint("did you mean %q?", model)
		}
	}
	r.add(d)
}
