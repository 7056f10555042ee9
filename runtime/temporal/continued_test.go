package temporal_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/serviceerror"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// short are options of runs that go on in a new execution after every few effects.
func brief(input string) temporal.StartOptions {
	return temporal.StartOptions{Input: input, Longest: 40}
}

// listener hears signals between its tools until it has as many as its input says, and finishes with their values.
func listener() *compiled.Program {
	rules := []signals.Rule{{On: "user-message", Do: signals.Fire, Key: "heard"}}
	hear := func(fx runtime.Effects) (*signals.Ruling, error) {
		verdict, err := fx.Guard(runtime.GuardCall{
			Machine: "m", State: "s", Name: signalrule.GuardName, Signals: &signals.Question{Rules: rules},
			Run: func(context.Context) (runtime.Verdict, error) { return runtime.Verdict{}, nil },
		})

		return verdict.Signal, err
	}

	return solo("listener", "1e1e1e1e1e1e1e1e", []ownTool{counted},
		func(fx runtime.Effects, input string) (runtime.Finish, error) {
			most, err := strconv.Atoi(input)
			if err != nil {
				return runtime.Finish{}, err
			}
			defer fx.Listen("m", "s", rules)()
			var heard []string
			for tries := 0; len(heard) < most && tries < 150; tries++ {
				if _, err := fx.Tool(calling(counted)); err != nil {
					return runtime.Finish{}, err
				}
				for {
					ruling, err := hear(fx)
					if err != nil {
						return runtime.Finish{}, err
					}
					if ruling == nil {
						break
					}
					heard = append(heard, ruling.Signal.Value)
				}
			}

			return runtime.Finish{Key: "done", Value: strings.Join(heard, " ")}, nil
		})
}

// TestSignalsWhileItGoesOn: a signal is heard once and in its turn, also when the run goes on in a new execution at that moment.
func TestSignalsWhileItGoesOn(t *testing.T) {
	const runs, count = 10, 25
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	p, o := listener(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c) }()
	var all sync.WaitGroup
	for range runs {
		run, err := c.Start(ctx, brief(strconv.Itoa(count)))
		if err != nil {
			t.Fatal(err)
		}
		first := run.GetRunID()
		all.Go(func() {
			var want []string
			for i := range count {
				want = append(want, strconv.Itoa(i))
				if err := c.Signal(ctx, run.GetID(), signals.Signal{Kind: "user-message", Value: want[i]}); err != nil {
					t.Error(err)
				}
				time.Sleep(rand.N(100 * time.Millisecond))
			}
			fin, err := c.Result(ctx, run)
			if err != nil || fin.Value != strings.Join(want, " ") {
				t.Errorf("it heard %q, %v", fin.Value, err)
			}
			wentOn(ctx, t, c, run.GetID(), first)
		})
	}
	all.Wait()
}

// wentOn holds that a run has gone on in other executions than its first.
func wentOn(ctx context.Context, t *testing.T, c temporal.Client, run, first string) {
	t.Helper()
	described, err := c.DescribeWorkflowExecution(ctx, run, "")
	if err != nil || described.WorkflowExecutionInfo.Execution.RunId == first {
		t.Errorf("run %s had one execution, %v", run, err)
	}
}

// interviewer asks again and again, alone and in branches, and finishes with the answers.
func interviewer() *compiled.Program {
	return solo("interviewer", "1717171717171717", []ownTool{counted},
		func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			var said []string
			for i := range 10 {
				if _, err := fx.Tool(calling(counted)); err != nil {
					return runtime.Finish{}, err
				}
				answers := make([]string, 2)
				ask := func(fx runtime.Effects, name string) (string, error) {
					answer, err := fx.Ask(runtime.Question{ID: name, Agent: "main", Prompt: "Well?"})

					return answer.Value, err
				}
				err := fx.Parallel(2, 0, func(n int, fx runtime.Effects) (err error) {
					if _, err := fx.Tool(calling(counted)); err != nil {
						return err
					}
					answers[n], err = ask(fx, fmt.Sprintf("b%d", i))

					return err
				})
				if err != nil {
					return runtime.Finish{}, err
				}
				alone, err := ask(fx, fmt.Sprintf("q%d", i))
				if err != nil {
					return runtime.Finish{}, err
				}
				said = append(append(said, answers...), alone)
			}

			return runtime.Finish{Key: "done", Value: strings.Join(said, " ")}, nil
		})
}

// TestAnswersWhileItGoesOn: of two who answer each question at the same time one is taken, and that answer counts, also when the run
// goes on in a new execution at that moment.
func TestAnswersWhileItGoesOn(t *testing.T) {
	const runs = 6
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	p, o := interviewer(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c) }()
	var all sync.WaitGroup
	for range runs {
		run, err := c.Start(ctx, brief("x"))
		if err != nil {
			t.Fatal(err)
		}
		first := run.GetRunID()
		all.Go(func() {
			var want []string
			for i := range 10 {
				for _, q := range []string{fmt.Sprintf("b%d@0", i), fmt.Sprintf("b%d@1", i), fmt.Sprintf("q%d", i)} {
					want = append(want, contend(ctx, t, c, run.GetID(), q))
				}
			}
			fin, err := c.Result(ctx, run)
			if err != nil || fin.Value != strings.Join(want, " ") {
				t.Errorf("it heard %q, %v, want %q", fin.Value, err, want)
			}
			wentOn(ctx, t, c, run.GetID(), first)
		})
	}
	all.Wait()
}

// contend lets two people answer a question, which need not be asked yet, and returns the answer that was taken.
func contend(ctx context.Context, t *testing.T, c temporal.Client, run, id string) string {
	t.Helper()
	taken := make(chan string, 2)
	for _, by := range []string{"ada", "bob"} {
		go func() {
			for ctx.Err() == nil {
				err := c.Answer(ctx, run, id, by+id, by)
				var unknown *question.UnknownQuestionError
				var over *serviceerror.NotFound // the run has ended with the other answer
				switch {
				case err == nil:
					taken <- by + id
					return
				case errs.Has(err, "AnsweredError"), errors.As(err, &over):
					taken <- ""
					return
				case errors.As(err, &unknown):
					time.Sleep(rand.N(20 * time.Millisecond))
				default:
					t.Errorf("%s of run %s: %T %v", id, run, err, err)
					taken <- ""
					return
				}
			}
			taken <- ""
		}()
	}
	first, second := <-taken, <-taken
	if (first == "") == (second == "") {
		t.Errorf("%s was taken from %q and %q", id, first, second)
	}

	return first + second
}

// patient uses a tool again and again.
func patient() *compiled.Program {
	return solo("patient", "9a9a9a9a9a9a9a9a", []ownTool{counted},
		func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			for i := range 150 {
				if _, err := fx.Tool(calling(counted)); err != nil {
					return runtime.Finish{}, err
				}
				if i%10 == 0 {
					if err := fx.Sleep(10 * time.Millisecond); err != nil {
						return runtime.Finish{}, err
					}
				}
			}

			return runtime.Finish{Key: "done"}, nil
		})
}

// TestCancelledWhileItGoesOn: a run that is cancelled while it goes on in a new execution is cancelled.
func TestCancelledWhileItGoesOn(t *testing.T) {
	const runs = 60
	s := serve(t)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	p, o := patient(), quick(temporal.Files(t.TempDir()))
	o.Queue = t.Name()
	c := s.dial(t, p, o)
	go func() { _ = work(ctx, c) }()
	var all sync.WaitGroup
	for i := range runs {
		run, err := c.Start(ctx, brief("x"))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			time.Sleep(time.Duration(i) * 40 * time.Millisecond)
			if err := cancelled(ctx, c, run); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
