package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
)

// Terminal returns an Asker that prints questions to out and reads a line of in for each. An answer that is not among the choices
// is refused and the question asked again. At the end of in the run pauses.
func Terminal(in io.Reader, out io.Writer) Asker {
	return &terminal{in: bufio.NewReader(in), out: out}
}

type terminal struct {
	mu  sync.Mutex // one question at a time
	in  *bufio.Reader
	out io.Writer
}

func (t *terminal) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()

	for ctx.Err() == nil {
		if err := t.print(q); err != nil {
			return runtime.Answer{}, err
		}
		line, err := t.in.ReadString('\n')
		if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
			return runtime.Answer{}, &runtime.PausedError{Question: q}
		}
		if choice, ok := q.Choose(strings.TrimRight(line, "\r\n")); ok {
			return runtime.Answer{Value: choice, By: "terminal"}, nil
		}
		if _, err := fmt.Fprintf(t.out, "Please answer with one of: %s\n", strings.Join(q.Choices, ", ")); err != nil {
			return runtime.Answer{}, err
		}
	}

	return runtime.Answer{}, context.Cause(ctx)
}

func (t *terminal) print(q runtime.Question) error {
	text := q.Prompt + "\n"
	if len(q.Choices) > 0 {
		text += "(" + strings.Join(q.Choices, ", ") + ")\n"
	}
	_, err := io.WriteString(t.out, text+q.ID+"> ")

	return err
}
