package workflow

// Data is a text as JSON, none if it is none: what `data` is in the guard of a row.
func Data(text string) Value {
	value, err := Parse([]byte(text))
	if err != nil {
		return Value{}
	}

	return value
}

// Gave is a text as JSON, else the text itself: what an agent gave, which `steps` has in the guards of rows.
func Gave(text string) Value {
	value, err := Parse([]byte(text))
	if err != nil {
		return Text(text)
	}

	return value
}
