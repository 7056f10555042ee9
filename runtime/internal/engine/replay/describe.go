package replay

import (
	"strconv"
)

// Describe describes the recorded effect for people.
func (p *Effect) Describe() string {
	if p.Intent == nil {
		return Describe(p.Result.Name, "")
	}

	return Describe(p.Intent.Name, nameOf(p))
}

// Describe describes an effect for people.
func Describe(kind, what string) string {
	switch kind {
	case KindModel:
		return "the model of agent " + strconv.Quote(what)
	case KindCall:
		return "function " + strconv.Quote(what)
	case KindAsk:
		return "question " + strconv.Quote(what)
	case KindSleep:
		return "a wait of " + what
	case KindNow:
		return "the time"
	case KindParallel:
		return "a parallel group"
	}

	return kind + " " + strconv.Quote(what)
}
