package core

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

// Terminal returns an Asker that prints questions to out and reads a line of in for each. An answer
// that is not among the choices or does not fit is refused and the question asked again. At the end
// of in, and where a question cannot be shown or its answer cannot be read, the run pauses: no
// person has refused anything. After cancellation Ask returns at once; the line that was being read
// then answers the next question, if there is one.
func Terminal(in io.Reader, out io.Writer) Asker {
	return &terminal{in: bufio.NewReader(in), out: out, lines: make(chan line)}
}

type terminal struct {
	out io.Writer

	mu    sync.Mutex // one question at a time
	in    *bufio.Reader
	lines chan line
	// reading reports whether a line is being read: a read cannot be interrupted.
	reading bool
}

// line is a line that was read; err reports that there is no other.
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
		if t.printQuestion(q) != nil {
			return runtime.Answer{}, &runtime.PausedError{Question: q}
		}
		read, err := t.readLine(ctx)
		if err != nil {
			return runtime.Answer{}, err
		}
		if read.err != nil && (read.text == "" || !errors.Is(read.err, io.EOF)) {
			_, _ = io.WriteString(t.out, "\n") // what follows begins a line

			return runtime.Answer{}, &runtime.PausedError{Question: q}
		}
		answer, problem := checkAnswer(q, strings.TrimRight(read.text, "\r\n"))
		if problem == "" {
			return runtime.Answer{Value: answer, By: "terminal"}, nil
		}
		_, _ = io.WriteString(t.out, problem+"\n")
	}
}

// checkAnswer returns an answer as it is recorded; problem is why it is not allowed.
func checkAnswer(q runtime.Question, said string) (answer, problem string) {
	answer, ok := q.Choose(said)
	if !ok {
		return "", "Please answer with one of: " + strings.Join(q.Choices, ", ")
	}
	if q.Check != nil {
		if err := q.Check(answer); err != nil {
			return "", strings.TrimSuffix(fmt.Sprintf("The answer does not fit: %v. It is %s", err, q.Form()), ". It is ")
		}
	}

	return answer, ""
}

// readLine waits for a line, or for the end of the run.
func (t *terminal) readLine(ctx context.Context) (line, error) {
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

func (t *terminal) printQuestion(q runtime.Question) error {
	text := q.Prompt + "\n"
	if q.Channel != "" {
		text = "channel: " + q.Channel + "\n" + text
	}
	if len(q.Choices) > 0 {
		text += "(" + strings.Join(q.Choices, ", ") + ")\n"
	}
	if form := q.Form(); form != "" {
		text += "(" + form + ")\n"
	}
	_, err := io.WriteString(t.out, text+q.ID+"> ")

	return err
}
