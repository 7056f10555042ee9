package replay

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// NewestAnswer returns the newest answer to a question, which is named by ID or ID#ADDRESS; nil
// without one.
func (h *History) NewestAnswer(question string) (newest *Answer) {
	at := ""
	for address, p := range h.Effects {
		for id, answer := range p.allAnswers() {
			if id != question && id+"#"+address != question {
				continue
			}
			if newest == nil || addr.Compare(address, at) > 0 {
				newest, at = answer, address
			}
		}
	}

	return newest
}

// allAnswers returns the answers that were given at the address, by the question's id.
func (p *Effect) allAnswers() map[string]*Answer {
	if p.Result == nil || p.Result.Name != KindAsk || isError(p.Result) {
		return p.Answers
	}

	return map[string]*Answer{nameOf(p): {Value: p.Result.Value("value"), By: p.Result.Value("by")}}
}

// HasUncheckedAnswer reports whether an answer to an open question was recorded without the
// program. If it is not allowed, that has to be recorded.
func (h *History) HasUncheckedAnswer() bool {
	for _, p := range h.Effects {
		for _, answer := range p.Answers {
			if answer.unchecked && p.Result == nil {
				return true
			}
		}
	}

	return false
}

// IsDue reports whether the run was paused until a time that has come.
func (h *History) IsDue(now time.Time) bool {
	if !h.IsClosed() {
		return false
	}
	due, err := time.Parse(time.RFC3339Nano, h.End.Value(journal.FieldDue))

	return err == nil && !due.After(now)
}

// IsWaitingFor reports whether an earlier process has asked a question that has no answer.
func (h *History) IsWaitingFor(question string) bool {
	if h == nil {
		return false
	}
	for address, p := range h.Effects {
		if p.Intent == nil || p.Result != nil {
			continue
		}
		id := nameOf(p)
		if p.Intent.Name != KindAsk {
			id = unknown.Question(id)
		}
		if (id == question || id+"#"+address == question) && p.Answers[id] == nil {
			return true
		}
	}

	return false
}
