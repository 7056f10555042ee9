package temporal_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// TestExamplesOnAServer: results and events are those of the engine in one process, on a real server, too.
func TestExamplesOnAServer(t *testing.T) {
	s := serve(t)
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			want, wanted := locally(t, e)
			var events told
			o := temporal.Options{Queue: t.Name(), Blobs: temporal.Files(t.TempDir()), Observer: &events}
			c := s.dial(t, e.program, o)
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			working := make(chan error, 1)
			workCtx, end := context.WithCancel(ctx)
			go func() { working <- work(workCtx, c) }()

			run, err := c.Start(ctx, temporal.StartOptions{Input: e.input, Script: e.answers(t)})
			if err != nil {
				t.Fatal(err)
			}
			if e.answer != "" {
				answer(ctx, t, c, run.GetID(), e.answer)
			}
			got, err := c.Result(ctx, run)
			if err != nil || got != want {
				t.Errorf("finished with %+v, %v, want %+v", got, err, want)
			}
			end()
			if err := <-working; err != nil {
				t.Error(err)
			}
			if a, b := events.trace(t), wanted.trace(t); a != b {
				t.Errorf("the events are\n%s\nwant\n%s", a, b)
			}
		})
	}
}

// TestKilledWhileItWaits: a worker is killed while a run waits for an answer; the next one gets it.
func TestKilledWhileItWaits(t *testing.T) {
	s := serve(t)
	e := examples()[1]
	blobs := temporal.Files(t.TempDir())
	o := temporal.Options{Blobs: blobs}
	c := s.dial(t, e.program, o)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	worker := s.spawn(t, e.name, blobs)
	run, err := c.Start(ctx, temporal.StartOptions{Input: e.input, Script: e.answers(t)})
	if err != nil {
		t.Fatal(err)
	}
	questions := asked(ctx, t, c, run.GetID())
	if len(questions) != 1 || questions[0].ID != "approve" {
		t.Fatalf("it asks %+v", questions)
	}
	_ = worker.Process.Kill()
	_ = worker.Wait()

	s.spawn(t, e.name, blobs)
	var unknown *question.UnknownQuestionError
	err = c.Answer(ctx, run.GetID(), "missing", "yes", "")
	if !errors.As(err, &unknown) || len(unknown.Open) != 1 {
		t.Errorf("an answer to no question: %v", err)
	}
	if err := c.Answer(ctx, run.GetID(), "approve", e.answer, "ada"); err != nil {
		t.Fatal(err)
	}
	if fin, err := c.Result(ctx, run); err != nil || fin.Key != "paid" {
		t.Errorf("finished with %+v, %v", fin, err)
	}
}

// begin starts a worker in this process and a run.
func begin(ctx context.Context, t *testing.T, s *server, p *compiled.Program, input string) (temporal.Client, client.WorkflowRun) {
	t.Helper()
	o := quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c) }()
	run, err := c.Start(ctx, temporal.StartOptions{Input: input})
	if err != nil {
		t.Fatal(err)
	}

	return c, run
}

// TestAnswersThatDoNotCount: one that does not fit is refused and the question stays; of two the first counts; after the end
// nothing does.
func TestAnswersThatDoNotCount(t *testing.T) {
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	c, run := begin(ctx, t, s, asker(), "x")
	asked(ctx, t, c, run.GetID())
	say := func(question, value, by string) error {
		return c.Answer(ctx, run.GetID(), question, value, by)
	}
	var unfit *runtime.AnswerError
	if err := say("first", "perhaps", "ada"); !errors.As(err, &unfit) || len(unfit.Choices) != 2 {
		t.Errorf("an answer that does not fit: %v", err)
	}
	if left := asked(ctx, t, c, run.GetID()); len(left) != 1 || left[0].ID != "first" {
		t.Errorf("after it is open: %+v", left)
	}
	if err := say("first", "YES", "ada"); err != nil {
		t.Error(err)
	}
	if err := say("first", "no", "bob"); !errs.Has(err, "AnsweredError") || !strings.HasSuffix(err.Error(), `by ada: "yes"`) {
		t.Errorf("a second answer: %v", err)
	}
	if err := say("second", "no", "bob"); err != nil {
		t.Error(err)
	}
	if fin, err := c.Result(ctx, run); err != nil || fin.Value != "yes no" {
		t.Errorf("finished with %+v, %v", fin, err)
	}
	if err := say("second", "yes", "eve"); err == nil {
		t.Error("an answer after the end counts")
	}
}

// TestKilledInTheMidstOfADeed: what may not happen twice and whose worker was killed is a question; the person decides.
func TestKilledInTheMidstOfADeed(t *testing.T) {
	s := serve(t)
	dir := t.TempDir()
	blobs := temporal.Files(t.TempDir())
	p, o := doer(), quick(blobs)
	c := s.dial(t, p, o)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	folder := folderVariable + "=" + dir
	doomed := s.spawn(t, "doer", blobs, folder)
	run, err := c.Start(ctx, temporal.StartOptions{Input: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for len(lines(t, dir, "deeds")) == 0 && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
	_ = doomed.Process.Kill()
	_ = doomed.Wait()
	s.spawn(t, "doer", blobs, folder)
	questions := asked(ctx, t, c, run.GetID())
	if len(questions) != 1 || questions[0].ID != unknown.Question("deed") {
		t.Fatalf("it asks %+v", questions)
	}
	if err := c.Answer(ctx, run.GetID(), questions[0].ID, "skip", ""); err != nil {
		t.Fatal(err)
	}
	fin, err := c.Result(ctx, run)
	if err != nil || !strings.Contains(fin.Value, "not known") {
		t.Errorf("finished with %+v, %v", fin, err)
	}
	if deeds := lines(t, dir, "deeds"); len(deeds) != 1 {
		t.Errorf("the deed was done %d times", len(deeds))
	}
}

// TestTwoShapes: a run stays with workers of its shape, though those of another wait for work in the same queue.
func TestTwoShapes(t *testing.T) {
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	older, newer := shaped("0000000011111111", "older"), shaped("2222222233333333", "newer")
	o := quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	for _, p := range []*compiled.Program{older, newer} {
		c := s.dial(t, p, o)
		go func() { _ = work(ctx, c) }()
	}
	for range 10 {
		for _, p := range []*compiled.Program{older, newer} {
			c := s.dial(t, p, o)
			run, err := c.Start(ctx, temporal.StartOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want, _ := p.Agents[0].Run(nil, "")
			if fin, err := c.Result(ctx, run); err != nil || fin != want {
				t.Fatalf("finished with %+v, %v, want %+v", fin, err, want)
			}
		}
	}
}

// TestServerRestarts: what runs wait for is there when the server is.
func TestServerRestarts(t *testing.T) {
	serve(t)
	s, err := startServer(filepath.Join(t.TempDir(), "temporal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	c, run := begin(ctx, t, s, asker(), "x")
	asked(ctx, t, c, run.GetID())
	s.stop()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"first", "second"} {
		for ctx.Err() == nil && c.Answer(ctx, run.GetID(), question, "yes", "") != nil {
			time.Sleep(100 * time.Millisecond)
		}
	}
	if fin, err := c.Result(ctx, run); err != nil || fin.Value != "yes yes" {
		t.Errorf("finished with %+v, %v", fin, err)
	}
}
