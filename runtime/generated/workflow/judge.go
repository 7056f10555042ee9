package workflow

import "github.com/agentc-dev/agentc/runtime/generated/rt"

// DataOf returns `data` in the guard of a transition: the value of the judge's key as JSON; none if
// it is not JSON. The judge keeps the parsed value.
func DataOf(j *rt.Judge) Value {
	data, isKnown := j.Data.(Value)
	if !isKnown {
		data, _ = Parse([]byte(j.Value))
		j.Data = data
	}

	return data
}

// ParseOrText parses a text as JSON, or returns the text itself if it is not JSON. It is the result
// of an agent, which `steps` has in guards. An empty text is none, as before the agent ran.
func ParseOrText(text string) Value {
	if text == "" {
		return Value{}
	}
	value, err := Parse([]byte(text))
	if err != nil {
		return Text(text)
	}

	return value
}
