package core_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

func TestTerminal(t *testing.T) {
	var out strings.Builder
	asker := core.Terminal(strings.NewReader("perhaps\n Yes \r\nfree text\nlast"), &out)
	q := runtime.Question{ID: "approve", Prompt: "May I?", Choices: []string{"yes", "no"}}
	for _, c := range []struct {
		q    runtime.Question
		want string
	}{{q, "yes"}, {runtime.Question{ID: "name", Prompt: "Who?"}, "free text"}, {runtime.Question{ID: "end", Prompt: "More?"}, "last"}} {
		if answer, err := asker.Ask(context.Background(), c.q); err != nil || answer.Value != c.want {
			t.Errorf("got %+v, %v", answer, err)
		}
	}
	const shown = "May I?\n(yes, no)\napprove> Please answer with one of: yes, no\nMay I?\n(yes, no)\napprove> Who?\nname> More?\nend> "
	if out.String() != shown {
		t.Errorf("shown %q", out.String())
	}
	_, err := asker.Ask(context.Background(), q)
	var paused *runtime.PausedError
	if !errors.As(err, &paused) || paused.Question.ID != "approve" {
		t.Errorf("at the end: %v", err)
	}
}

// TestTerminalNamesTheChannel: whoever sits there may have to pass the question on.
func TestTerminalNamesTheChannel(t *testing.T) {
	var out strings.Builder
	q := runtime.Question{ID: "approval", Prompt: "May I?", Channel: "email"}
	answer, err := core.Terminal(strings.NewReader("yes\n"), &out).Ask(context.Background(), q)
	if err != nil || answer.Value != "yes" || out.String() != "channel: email\nMay I?\napproval> " {
		t.Errorf("got %+v, %v, shown %q", answer, err, out.String())
	}
}

// leaving is a screen: somebody cancels the run when something is shown there.
type leaving struct {
	shown  strings.Builder
	cancel func()
}

func (l *leaving) Write(text []byte) (int, error) {
	l.cancel()

	return l.shown.Write(text)
}

// TestTerminalIsLeft: a question that nobody answers ends with the run, and the line that comes
// later answers the next. A question whose turn comes after the end is not shown any more.
func TestTerminalIsLeft(t *testing.T) {
	in, person := io.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	out := &leaving{cancel: func() { cancel(cause) }}
	asker := core.Terminal(in, out)
	for range 2 {
		if _, err := asker.Ask(ctx, runtime.Question{ID: "q", Prompt: "May I?"}); err != cause {
			t.Fatalf("got %v", err)
		}
	}
	if out.shown.String() != "May I?\nq> " {
		t.Errorf("shown %q", out.shown.String())
	}
	go func() { _, _ = person.Write([]byte("late\n")) }()
	if answer, err := asker.Ask(context.Background(), runtime.Question{ID: "q"}); err != nil || answer.Value != "late" {
		t.Errorf("got %+v, %v", answer, err)
	}
}

// counts are how many events of a kind there were.
type counts map[event.Kind]int

func (c counts) Observe(e event.Event) { c[e.Kind]++ }

// TestTerminalAsksOneByOne: questions of branches do not run into each other, each says whose it is
// and gets a line of its own; those for which there is none left pause the run, and the observer is
// told.
func TestTerminalAsksOneByOne(t *testing.T) {
	var out strings.Builder
	told := counts{}
	engine := core.New(core.Config{
		Asker: core.Terminal(strings.NewReader("0\n1\n2\n"), &out), Observer: told,
	})
	fx, err := engine.Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rt.Flow("main").Times(fx, 0, 5, "try", func(fx runtime.Effects) (runtime.Finish, error) {
		answer, err := rt.Flow("approval").Ask(fx, runtime.Finish{Value: "May I?"})

		return runtime.Finish{Value: answer.Value}, err
	})

	if waits := core.Questions(err); len(waits) != 2 || told[event.Pause] != 2 || told[event.Answer] != 3 {
		t.Errorf("%v waits for %v, told %v", err, waits, told)
	}
	if strings.Count(out.String(), "> \n") != 2 {
		t.Errorf("the questions without an answer leave their lines open: %q", out.String())
	}
	shown := strings.SplitAfter(strings.ReplaceAll(out.String(), "> \n", "> "), "> ")
	slices.Sort(shown)
	want := []string{""}
	for i := range 5 {
		want = append(want, fmt.Sprintf("May I?\napproval@%d> ", i))
	}
	if !slices.Equal(shown, want) {
		t.Errorf("shown %q", shown)
	}
}
