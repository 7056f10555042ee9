package workflow

import "github.com/agentc-dev/agentc/runtime/rt"

// Data is a text as JSON, none if it is none: what `data` is in the guard of a row.
func Data(text string) Value {
	value, err := Parse([]byte(text))
	if err != nil {
		return Value{}
	}

	return value
}

// DataOf is [Data] of the value that came with the key at hand, which is parsed once.
func DataOf(j *rt.Judge) Value {
	data, isKnown := j.Data.(Value)
	if !isKnown {
		data = Data(j.Value)
		j.Data = data
	}

	return data
}

// Gave is a text as JSON, else the text itself: what an agent gave, which `steps` has in the guards of rows. An empty text is none, as
// before the agent ran.
func Gave(text string) Value {
	if text == "" {
		return Value{}
	}
	value, err := Parse([]byte(text))
	if err != nil {
		return Text(text)
	}

	return value
}
