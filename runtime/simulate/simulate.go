package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/script"
	"github.com/agentc-dev/agentc/runtime/local"
)

// TB is what New needs of a *testing.T.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Effects is the door of a simulated run. It does not wait: Sleep only moves its clock.
type Effects struct {
	*local.Effects
}

// Option changes a simulation.
type Option func(*local.Config)

// Partial allows turns to be left over at the end.
func Partial() Option { return func(c *local.Config) { c.Partial = true } }

// Observe tells an observer what happens.
func Observe(o event.Observer) Option { return func(c *local.Config) { c.Observer = o } }

// epoch is when simulated time begins: a simulation has the same times whenever it is run.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// New starts a simulation of the script, which is JSON, for the length of a test. A script that cannot be read ends the test;
// turns that are left over when the test ends fail it.
func New(t TB, text string, options ...Option) *Effects {
	t.Helper()
	config := local.Config{Clock: local.NewSkipClock(epoch), RunID: func() string { return "simulated" }}
	for _, option := range options {
		option(&config)
	}
	if config.Asker == nil {
		config.Asker = unanswered{}
	}
	fx, err := Engine(text, config).Effects(context.Background(), nil)
	if err != nil {
		t.Fatalf("simulate: %v", err)

		return nil
	}
	t.Cleanup(func() {
		if err := fx.End(); err != nil {
			t.Errorf("simulate: %v", err)
		}
	})

	return &Effects{Effects: fx}
}

// unanswered is the asker of a simulation: for a question that the script does not answer it says what to add to the script.
type unanswered struct{}

// Ask implements [local.Asker].
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

// Engine returns an engine that answers every model from the script, which is JSON: what `--script` runs on. The configuration's
// other fields count as they are. A script that cannot be read is reported by Run; see also [Check].
func Engine(text string, config local.Config) *local.Engine {
	if text == "" {
		text = " " // not a script, which Run says; an empty Config.Script is none
	}
	config.Script = text

	return local.New(config)
}

// Check reads a script without playing it. With a program it also finds the names that the program does not have. The errors are
// *runtime.ScriptError.
func Check(text string, p *compiled.Program) error {
	s, err := script.Parse(text)
	if err != nil || p == nil {
		return err
	}

	return s.Check(p)
}
