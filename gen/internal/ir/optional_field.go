package ir

import "slices"

// ForReceiver returns the datum as it is for a receiver with a schema: a field with a missing value
// is left out where the schema has it as optional and does not take null. A nil schema takes any
// value.
func (d *Datum) ForReceiver(schema *Schema) *Datum { return d.leaveOutMissing(schema, false) }

// ForMerge is like [Datum.ForReceiver] for an object that is merged into one with the schema: a field
// that is left out stays as it is there, so that each field is optional.
func (d *Datum) ForMerge(schema *Schema) *Datum { return d.leaveOutMissing(schema, true) }

// LeavesOutMissing reports whether the datum has a field that is left out if its value is missing.
func (d *Datum) LeavesOutMissing() bool {
	if d == nil {
		return false
	}

	return slices.ContainsFunc(d.List, (*Datum).LeavesOutMissing) ||
		slices.ContainsFunc(d.Fields, func(f DatumField) bool { return f.Optional || f.Value.LeavesOutMissing() })
}

// leaveOutMissing returns the datum for a receiver. isPart is set if it is merged into an object with
// the schema.
func (d *Datum) leaveOutMissing(schema *Schema, isPart bool) *Datum {
	schema = schema.Resolved()
	if d == nil || schema == nil {
		return d
	}
	changed := *d
	switch d.Kind {
	case DatumFields:
		changed.Fields = leaveOutFields(d.Fields, schema.variantFor(d), isPart)
	case DatumList:
		changed.List = Map(d.List, func(item *Datum) *Datum { return item.leaveOutMissing(schema.Items, false) })
	case DatumAppend:
		changed.List = []*Datum{d.List[0], d.List[1].leaveOutMissing(schema.Items, false)}
	case DatumMerge:
		changed.List = []*Datum{d.List[0], d.List[1].leaveOutMissing(schema, true)}
	default:
		return d
	}

	return &changed
}

// leaveOutFields returns the fields of a mapping for an object of a schema.
func leaveOutFields(fields []DatumField, object *Schema, isPart bool) []DatumField {
	return Map(fields, func(f DatumField) DatumField {
		value := object.Additional
		property := object.Property(f.Name.Value)
		isOptional := property == nil || isPart || !property.Required
		if property != nil {
			value = property.Schema
		}
		f.Optional = f.Optional || f.Value.mayBeMissing() && isOptional && !value.TakesNull()
		f.Value = f.Value.leaveOutMissing(value, isPart)
		return f
	})
}

// mayBeMissing reports whether the datum is one placeholder whose value may be missing, or null.
func (d *Datum) mayBeMissing() bool {
	access, isAccess := d.Value.(*Access)
	if !isAccess {
		return d.Kind == DatumValue
	}

	return access.MayBeNone || access.Type.Schema.TakesNull()
}

// TakesNull reports whether null fits the schema. A nil schema takes any value.
func (s *Schema) TakesNull() bool {
	s = s.Resolved()
	if s == nil || s.Nullable {
		return true
	}

	return s.Kind == SchemaAny && (s.Enum == nil || slices.Contains(s.Enum, "null"))
}

// variantFor returns the variant of a union that the tag of a mapping selects; any other schema, and
// a union whose variant only a run decides, itself.
func (s *Schema) variantFor(d *Datum) *Schema {
	tag := FieldOf(d.Fields, s.Tag)
	if s.Kind != SchemaUnion || tag == nil || tag.Kind != DatumText {
		return s
	}
	name, _ := tag.Text.Constant()
	variant := First(s.Variants, func(v *Property) bool { return v.Name.Value == name })
	if variant == nil {
		return s
	}

	return variant.Schema.Resolved()
}
