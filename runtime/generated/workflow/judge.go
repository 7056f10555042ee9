package workflow

import "github.com/agentc-dev/agentc/runtime/generated/rt"

// DataOf is `data` in the guard of a transition: the value of the judge's key as JSON, which is
// parsed once; none if it is not JSON.
func DataOf(j *rt.Judge) Value {
	data, isKnown := j.Data.(Value)
	if !isKnown {
		data, _ = Parse([]byte(j.Value))
		j.Data = data
	}

	return data
}

// Gave returns a text as JSON, or else the text itself: the result of an agent, which `steps` has
// in guards. An empty text is none, as before the agent ran.
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
