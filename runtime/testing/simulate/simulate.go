package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// TB is the part of *testing.T that [New] uses.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// epoch is when simulated time begins: a simulation has the same times whenever it is run.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// New starts a simulation of the script, which is JSON, for the duration of a test, and notifies observers of each
// event. It returns the effects of its run, which do not wait: Sleep only advances the clock. A script that cannot be
// read ends the test; turns that are unused when the test ends fail it.
func New(t TB, text string, observers ...event.Observer) runtime.Effects {
	t.Helper()

	return NewWith(t, text, engine.Options{Observers: observers})
}

// NewWith is New with options, in which Script does not count. With Partial, turns of the script may be unused.
func NewWith(t TB, text string, o engine.Options) runtime.Effects {
	t.Helper()
	config := core.Config{Clock: NewClock(epoch), RunID: func() string { return "simulated" }, Asker: unanswered{}}
	core.Configure(o, &config)
	fx, err := core.Scripted(text, config).Effects(context.Background(), nil)
	if err != nil {
		t.Fatalf("simulate: %v", err)

		return nil
	}
	t.Cleanup(func() {
		if err := fx.End(); err != nil {
			t.Errorf("simulate: %v", err)
		}
	})

	return fx
}

// unanswered is the asker of a simulation: for a question that the script does not answer its error
// has what to add to the script.
type unanswered struct{}

// Ask implements [engine.Asker].
func (unanswered) Ask(_ context.Context, q runtime.Question) (runtime.Answer, error) {
	answer, quoted := "", true
	switch example := q.Pause().Example; {
	case len(q.Choices) > 0:
		answer = q.Choices[0]
	case example != "" && json.Valid([]byte(example)):
		answer, quoted = example, false
	default:
		answer = "an answer"
	}
	if quoted {
		answer = strconv.Quote(answer)
	}

	return runtime.Answer{}, &runtime.PausedError{
		Question: q, Hint: fmt.Sprintf(`to answer it, add to the script: "ask": {%q: [%s]}`, q.ID, answer),
	}
}

// NewClock returns a clock for tests that begins at the given time and advances only when a run waits, which takes no
// real time.
func NewClock(start time.Time) engine.Clock { return clock.NewSkip(start) }
