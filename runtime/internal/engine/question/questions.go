package question

import (
	"errors"
	"sort"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// List has the questions of a run that is under way which have no answer. It is safe for
// concurrent use.
type List struct {
	mu sync.Mutex
	// open are the questions without an answer, by their addresses.
	open map[string]runtime.Question
	// opened is closed with the next question that opens; nil if nothing waits for that.
	opened chan struct{}
	// answers were given while the run was under way, by ID#ADDRESS.
	answers map[string]*replay.Answer
	// closed reports whether answers are not taken any more, because the run gives its journal
	// back.
	closed bool
}

// Add adds a question that waits for its answer.
func (l *List) Add(address string, q runtime.Question) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[string]runtime.Question{}
	}
	l.open[address] = q
	if l.opened != nil {
		close(l.opened)
		l.opened = nil
	}
}

// All returns the questions without an answer, in the order of their addresses.
func (l *List) All() []runtime.OpenQuestion {
	l.mu.Lock()
	defer l.mu.Unlock()

	return l.sorted()
}

// sorted is all for a caller that has the lock.
func (l *List) sorted() []runtime.OpenQuestion {
	open := make([]runtime.OpenQuestion, 0, len(l.open))
	for address, q := range l.open {
		open = append(open, runtime.OpenQuestion{Question: q, Address: address})
	}
	sort.Slice(open, func(i, j int) bool { return addr.Compare(open[i].Address, open[j].Address) < 0 })

	return open
}

// Close has no answers taken any more. wasClosed reports whether that was so before.
func (l *List) Close() (wasClosed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wasClosed, l.closed = l.closed, true

	return wasClosed
}

// Take takes an answer and records it. h is what earlier processes have recorded; nil in the first
// one. taken is false if the list is closed, or if an earlier process has asked the question and
// this one has not reached it: then next is closed with the next question that opens.
func (l *List) Take(a Given, h *replay.History, record func(journal.Record) error) (
	taken bool, next <-chan struct{}, err error,
) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false, nil, nil
	}
	q, r, err := a.NewRecord(l.sorted(), l.answerTo(a.Question, h))
	var unknown *UnknownQuestionError
	if errors.As(err, &unknown) && h.IsWaitingFor(a.Question) {
		if l.opened == nil {
			l.opened = make(chan struct{})
		}

		return false, l.opened, nil
	}
	if err != nil {
		return true, nil, err
	}
	delete(l.open, q.Address)
	if l.answers == nil {
		l.answers = map[string]*replay.Answer{}
	}
	l.answers[q.ID+"#"+q.Address] = &replay.Answer{Value: r.Value("value"), By: a.By}

	return true, nil, record(r)
}

// answerTo returns the answer that a question has already; nil if it has none. The caller has the
// lock.
func (l *List) answerTo(question string, h *replay.History) *replay.Answer {
	for name, answer := range l.answers {
		id, _, _ := strings.Cut(name, "#")
		if name == question || id == question {
			return answer
		}
	}
	if h != nil {
		return h.NewestAnswer(question)
	}

	return nil
}
