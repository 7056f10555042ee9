package workflow

import "github.com/agentc-dev/agentc/runtime/rt"

// parsed returns a text as JSON, none if it is not JSON: `data` in the guard of a transition.
func parsed(text string) Value {
	value, err := Parse([]byte(text))
	if err != nil {
		return Value{}
	}

	return value
}

// DataOf is the JSON of a text for the value of the judge's key, which is parsed once.
func DataOf(j *rt.Judge) Value {
	data, isKnown := j.Data.(Value)
	if !isKnown {
		data = parsed(j.Value)
		j.Data = data
	}

	return data
}

// Gave returns a text as JSON, or else the text itself: the result of an agent, which `steps` has in guards. An empty
// text is none, as before the agent ran.
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
