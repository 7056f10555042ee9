package local

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
)

// Terminal returns an Asker that prints questions to out and reads a line of in for each. An answer that is not among the choices
// is refused and the question asked again. At the end of in the run pauses. After cancellation Ask returns at once; the line that
// was being read then answers the next question, if there is one.
func Terminal(in io.Reader, out io.Writer) Asker {
	return &terminal{in: bufio.NewReader(in), out: out, lines: make(chan line)}
}

type terminal struct {
	out io.Writer

	mu    sync.Mutex // one question at a time
	in    *bufio.Reader
	lines chan line
	// reading says that a line is on its way: a read cannot be broken off.
	reading bool
}

// line is what was read; err says that there is nothing more.
type line struct {
	text string
	err  error
}

func (t *terminal) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()

	for {
		if ctx.Err() != nil {
			return runtime.Answer{}, context.Cause(ctx) // another branch may have had the terminal until the run ended
		}
		if err := t.print(q); err != nil {
			return runtime.Answer{}, err
		}
		read, err := t.read(ctx)
		if err != nil {
			return runtime.Answer{}, err
		}
		if read.err != nil && read.text == "" {
			if _, err := io.WriteString(t.out, "\n"); err != nil { // what follows does not stand behind the prompt
				return runtime.Answer{}, err
			}

			return runtime.Answer{}, &runtime.PausedError{Question: q}
		}
		if choice, ok := q.Choose(strings.TrimRight(read.text, "\r\n")); ok {
			return runtime.Answer{Value: choice, By: "terminal"}, nil
		}
		if _, err := fmt.Fprintf(t.out, "Please answer with one of: %s\n", strings.Join(q.Choices, ", ")); err != nil {
			return runtime.Answer{}, err
		}
	}
}

// read waits for a line, or for the end of the run.
func (t *terminal) read(ctx context.Context) (line, error) {
	if !t.reading {
		t.reading = true
		go func() {
			text, err := t.in.ReadString('\n')
			t.lines <- line{text, err}
		}()
	}
	select {
	case read := <-t.lines:
		t.reading = false

		return read, nil
	case <-ctx.Done():
		return line{}, context.Cause(ctx)
	}
}

func (t *terminal) print(q runtime.Question) error {
	text := q.Prompt + "\n"
	if q.Channel != "" {
		text = "channel: " + q.Channel + "\n" + text
	}
	if len(q.Choices) > 0 {
		text += "(" + strings.Join(q.Choices, ", ") + ")\n"
	}
	_, err := io.WriteString(t.out, text+q.ID+"> ")

	return err
}
