package workflow

import "strings"

// The builtins that need nothing but their arguments. An argument that a workflow leaves out is
// none. An argument that does not fit is an ArgumentError.

// Stringify is stringify(x): text as it is, None for none, and the rendering of a template for
// anything else. It never fails.
func (x Value) Stringify() (Value, error) {
	if x.Kind() == kindNone {
		return Text("None"), nil
	}

	return Text(x.String()), nil
}

// Flatten is flatten(items): a list with the items of the lists in items in their place. Lists in
// these stay as they are.
func (items Value) Flatten() (Value, error) {
	outer, err := argument{"flatten", "items", items}.asList()
	if err != nil {
		return Value{}, err
	}
	flat := make([]Value, 0, len(outer))
	for _, item := range outer {
		switch {
		case item.Kind() != kindList:
			flat = append(flat, item)
		default:
			flat = append(flat, item.shape.items...)
		}
	}

	return newList(flat), nil
}

// Confirmation is check_user_confirmation(user_input): approved for y, yes and an empty text, in
// any case and with white space around them, denied for any other text.
func (answer Value) Confirmation() (Value, error) {
	text, err := argument{"check_user_confirmation", "user_input", answer}.asText()
	if err != nil {
		return Value{}, err
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "y", "yes":
		return Text("approved"), nil
	}

	return Text("denied"), nil
}
