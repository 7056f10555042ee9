package validate

import "github.com/agentc-dev/agentc/gen/diag"

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
		d = r.itemCount(v)
	case "minProperties", "maxProperties":
		d = r.entryCount(v)
	case "pattern":
		d = diag.New(diag.BadValue, value.Span, "%s must be %s, found %s", name, expectation(v.schema), found(value))
	}
	r.add(d)
}

// itemCount reports a list that is too short or too long.
func (r *reporter) itemCount(v verdict) *diag.Diagnostic {
	if len(v.at.value.Items) == 0 {
		return diag.New(diag.BadValue, v.at.value.Span, "%s is an empty list", r.name(v.at))
	}

	return diag.New(diag.BadValue, v.at.value.Span, "%s must be %s, found a list of %d", r.name(v.at), expectation(v.schema),
		len(v.at.value.Items))
}

// entryCount reports a mapping with too few or too many entries.
func (r *reporter) entryCount(v verdict) *diag.Diagnostic {
	if len(v.at.value.Fields) == 0 {
		return diag.New(diag.BadValue, v.at.value.Span, "%s is an empty mapping", r.name(v.at)).WithHint("%s", v.schema.text("x-agentc-count"))
	}

	return diag.New(diag.BadValue, v.at.head(), "%s: %s", r.name(v.at), v.schema.text("x-agentc-count"))
}
