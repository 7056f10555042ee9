package validate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// leaf writes the diagnostic of one keyword.
func (r *reporter) leaf(v verdict) {
	if slices.Contains(v.schema.Later, v.keyword) {
		return
	}
	switch v.keyword {
	case "oneOf", "anyOf":
		r.branch(v)
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

// unknownFields reports each field that the schema does not name. Of those that belong below the same other field the first is reported.
func (r *reporter) unknownFields(v verdict) {
	legal, all := r.legalFields(v.schema, v.at.value)
	fields, outside := v.at.value.Fields, map[string]bool{}
	entries := "" // the field of which those just above are entries that are beside it
	for i, f := range fields {
		if v.schema.property(f.Key.Text) != nil || v.schema.free(f.Key.Text) {
			entries = ""
			continue
		}
		if d := r.dotted(v.schema, f); d != nil {
			r.add(d)
			continue
		}
		if _, near := nearField(f.Key.Text, all); near {
			entries = ""
		} else if r.isEntry(v.schema, fields, i) {
			entries = fields[i-1].Key.Text
		}
		owner := cmp.Or(entries, home(v, i, legal))
		if owner == "" {
			r.add(r.unknownField(v, f.Key, legal, all))
		} else if !outside[owner] {
			outside[owner] = true
			r.add(r.misplaced(v, f.Key, owner))
		}
	}
}

// unknownField is the diagnostic for a field that may be another one, misspelled.
func (r *reporter) unknownField(v verdict, key *yamldoc.Node, legal, all []string) *diag.Diagnostic {
	d := diag.New(diag.UnknownField, key.Span, "unknown field %q%s", key.Text, r.of(v.at))
	present := func(n string) bool { return v.at.value.Get(n) != nil }
	for _, candidates := range [][]string{legal, all} {
		lacking := slices.DeleteFunc(slices.Clone(candidates), present)
		near, ok := nearField(key.Text, lacking)
		if !ok {
			continue
		}
		if twin, _ := nearField(key.Text, candidates); present(twin) && !slices.Contains(legal, near) {
			continue // a field that is there a second time, rather than one of another pattern
		}
		if d.WithHint("did you mean %q?", near); slices.Contains(legal, near) {
			suggest(d, key.Text, near, lacking)
		}
		r.suggested[place{v.at.value, near}] = true
		return d
	}

	return d.Note(source.Span{}, "the fields%s are %s", r.legalOf(v.at), list(legal))
}

// misplaced is the diagnostic for a field that is beside the one below which it belongs, or without it. What is missing because of that
// is the same mistake. Of the two the one that is indented otherwise than usual is at fault.
func (r *reporter) misplaced(v verdict, key *yamldoc.Node, owner string) *diag.Diagnostic {
	r.suggested[place{v.at.value.Value(owner), key.Text}] = true
	d := diag.New(diag.UnknownField, key.Span, "field %q%s belongs below %q", key.Text, r.of(v.at), owner)
	at := v.at.value.Get(owner)
	if at == nil {
		r.suggested[place{v.at.value, owner}] = true
		return d.WithHint("write %s: before it, and indent what belongs there by two spaces", owner)
	}
	d.WithHint("indent it, and what belongs to it, by two spaces more than %s", owner)
	if v.at.key != nil && at.Value.Kind == yamldoc.Null && at.Key.Span.Pos().Column-v.at.key.Span.Pos().Column != 2 {
		d.Span = at.Key.Span
		return d.WithHint("indent it by two spaces more than %s, and %s below it", v.at.key.Text, key.Text).Note(key.Span, "%q is here", key.Text)
	}

	return d.Note(at.Key.Span, "%q is here", owner)
}

// isEntry reports whether field i is an entry of the one above it, such as a state, that is beside it: the one above has no value and
// takes entries of any name, and no field was meant.
func (r *reporter) isEntry(s *schema, fields []*yamldoc.Field, i int) bool {
	if i == 0 || i >= len(fields) || fields[i-1].Value.Kind != yamldoc.Null || s == nil || s.entry() != nil {
		return false
	}
	name := fields[i].Key.Text
	_, all := r.legalFields(s, nil)
	_, near := nearField(name, all)

	return !near && s.property(name) == nil && !s.free(name) && s.property(fields[i-1].Key.Text).find((*schema).entry) != nil
}

// home returns the field of a mapping below which field i belongs: the one above, if it has no value and knows such a field, or the only
// one that does, unless another was misspelled. It is "" if there is none.
func home(v verdict, i int, legal []string) string {
	fields := v.at.value.Fields
	name := fields[i].Key.Text
	knows := func(owner string) bool { return v.schema.property(owner).property(name) != nil }
	if i > 0 && fields[i-1].Value.Kind == yamldoc.Null && knows(fields[i-1].Key.Text) {
		return fields[i-1].Key.Text
	}
	owners := slices.DeleteFunc(slices.Clone(legal), func(owner string) bool { return !knows(owner) })
	lacking := slices.DeleteFunc(slices.Clone(legal), func(n string) bool { return v.at.value.Get(n) != nil })
	if _, misspelled := nearField(name, lacking); misspelled || len(owners) != 1 {
		return ""
	}

	return owners[0]
}

// legalFields returns the fields of a mapping in the order of the alphabet: those that it uses, and all.
func (r *reporter) legalFields(s *schema, mapping *yamldoc.Node) (legal, all []string) {
	kind, kindKnown := kindOf(s, mapping)
	for name, p := range s.Properties {
		if p.word(unused) != "" || p.Not != nil {
			continue
		}
		all = append(all, name)
		if used(p.Patterns, r.pattern, r.patternKnown) && used(p.Kinds, kind, kindKnown) {
			legal = append(legal, name)
		}
	}
	slices.Sort(legal)
	slices.Sort(all)

	return legal, all
}

// used reports whether a field is used by what a mapping is, as far as that is known.
func used(users texts, is string, known bool) bool {
	return users == nil || !known || slices.Contains(users, is)
}

// missingFields reports each required field that is not there: at the field that requires it, such as pattern, else at
// the key of the mapping that lacks it.
func (r *reporter) missingFields(v verdict) {
	for _, name := range v.schema.Required {
		if v.at.value.Get(name) != nil {
			continue
		}
		d := diag.New(diag.MissingField, v.at.head(), "field %q%s is missing", name, r.of(v.at))
		if decider := decider(v); decider != nil {
			text, _ := decider.Value.Scalar()
			d = diag.New(diag.MissingField, decider.Value.Span, "field %q is missing: %s %q needs it", name, decider.Key.Text, text)
		}
		r.missing = append(r.missing, missing{place{v.at.value, name}, d})
	}
}

// decider returns the field on whose value a rule depends: the first that the `if` beside the rule requires.
func decider(v verdict) *yamldoc.Field {
	if v.condition == nil || len(v.condition.Required) == 0 {
		return nil
	}

	return v.at.value.Get(v.condition.Required[0])
}

// wrongType reports a value of another type. No value at all where one is required is a missing field.
func (r *reporter) wrongType(v verdict) {
	want := expectation(v.schema)
	if v.at.value.Kind != yamldoc.Null {
		d := diag.New(diag.WrongType, v.at.place(), "%s must be %s, found %s", r.name(v.at), want, found(v.at.value))
		if hint := typeHint(v); hint != "" {
			d.WithHint("%s", hint)
		}
		fixType(d, v)
		r.add(d)
		return
	}
	if v.at.key != nil {
		fields := v.at.up.value.Fields
		i := slices.IndexFunc(fields, func(f *yamldoc.Field) bool { return f.Key == v.at.key })
		if r.isEntry(v.at.up.schema.resolved(), fields, i+1) {
			return // its value is beside it
		}
	}
	check := diag.WrongType
	if v.at.key != nil && r.requires(v.at) {
		check = diag.MissingField
	}
	d := diag.New(check, v.at.place(), "%s has no value; it must be %s", r.name(v.at), want)
	if slices.Contains(v.schema.types(), "string") && commentedOut(v.at) {
		d.WithHint("what follows # is a comment: put a value that begins with # in quotes")
	}
	r.add(d)
}

// requires reports whether the mapping that holds the field requires it.
func (r *reporter) requires(t *target) bool {
	owner, name := t.up.schema, t.key.Text
	required := owner.find(func(s *schema) *schema {
		if slices.Contains(s.Required, name) {
			return s
		}
		return nil
	})
	if required != nil {
		return true
	}
	if owner = owner.resolved(); owner == nil {
		return false
	}
	for _, rule := range owner.AllOf {
		pattern := rule.If.property("pattern")
		if pattern != nil && pattern.Const == r.pattern && r.patternKnown && slices.Contains(rule.Then.Required, name) {
			return true
		}
	}

	return false
}

// badEnum reports a value that is none of those allowed.
func (r *reporter) badEnum(v verdict) {
	if instead := v.schema.insteadOf(v.at.value.Text); instead != "" && v.at.key != nil {
		r.leftOutValue(v, instead)
		return
	}
	values := v.schema.Enum
	d := diag.New(diag.BadValue, v.at.value.Span, "%s cannot be %s", r.name(v.at), found(v.at.value))
	listed := func(value string) bool {
		return v.at.up != nil && slices.ContainsFunc(v.at.up.value.Items, func(n *yamldoc.Node) bool { return n.Text == value })
	}
	unlisted := slices.DeleteFunc(slices.Clone([]string(values)), listed)
	if near, ok := nearField(v.at.value.Text, unlisted); ok {
		suggest(d, v.at.value.Text, near, unlisted)
	}
	if d.Hint == "" || len(values) <= 4 {
		d.Note(source.Span{}, "it can be %s", list(slices.CompactFunc(slices.Clone(values), strings.EqualFold)))
	}
	r.add(d)
}

// forbidden reports a field that may not be here, in the schema's own words.
func (r *reporter) forbidden(v verdict) {
	if instead, _ := v.schema.Unsupported.(string); instead != "" && v.at.key != nil {
		r.leftOut(v, instead)
		return
	}
	span := v.at.place()
	if v.at.key != nil {
		span = v.at.key.Span
	}
	r.add(diag.New(diag.UnknownField, span, "%s is not possible here", r.name(v.at)).WithHint("%s", v.schema.WhyNot))
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
