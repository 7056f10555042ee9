package rt

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// howTo explains to a model how its list is written: in the system prompt, and again when it was
// not.
func (s *ListSpec) howTo() string {
	bound := ""
	if s.Max > 0 {
		bound = " of at most " + strconv.Itoa(s.Max) + " items"
		if s.Max == 1 {
			bound = " of one item"
		}
	}
	switch {
	case s.Key != "":
		return "To hand out work, call finish with key " + wording.Quote(s.Key) + " and, as value, a JSON array" + bound +
			`: a string for each part of the work, such as ["first part", "second part"]. ` +
			"If nothing has to be handed out, call finish with another key (done, if nothing else is asked for) " +
			"and the result itself as value."
	case s.Kind == "plan":
		return "Give your plan as a JSON array" + bound +
			` and nothing else: a string for each step, in order, such as ["first step", "second step"].`
	case s.Kind == "claims":
		return "Give your claims as a JSON array" + bound +
			` and nothing else: a string for each claim, such as ["first claim", "second claim"]. ` +
			"A line for each claim will do too."
	}

	return "Give your result as a JSON array" + bound +
		` and nothing else: a string for each item, such as ["first item", "second item"].`
}
