package ir

// Map returns what each item of a list has or becomes.
func Map[T, P any](list []T, part func(T) P) []P {
	parts := make([]P, len(list))
	for i, item := range list {
		parts[i] = part(item)
	}

	return parts
}

// Values returns the values of texts.
func Values(texts []Text) []string { return Map(texts, func(t Text) string { return t.Value }) }

// Property returns the property of an object that has the name; nil where there is none, and for a schema of anything else.
func (s *Schema) Property(name string) *Property {
	if s == nil || s.Kind != SchemaObject {
		return nil
	}
	for _, p := range s.Properties {
		if p.Name.Value == name {
			return p
		}
	}

	return nil
}

// PropertyNames returns the names of the properties of an object.
func (s *Schema) PropertyNames() []string {
	return Map(s.Properties, func(p *Property) string { return p.Name.Value })
}
