package enginetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

// TestSuiteFindsFaults: engines with one fault each fail the suite.
func TestSuiteFindsFaults(t *testing.T) {
	for name, wrap := range faultyDoors() {
		make := func(s enginetest.Setup) compiled.Engine { return door{makeLocal(s), wrap} }
		if failed := failures(make); len(failed) == 0 {
			t.Errorf("%s: the suite passes", name)
		} else {
			t.Logf("%s: %s", name, strings.Join(failed, ", "))
		}
	}
	for name, spoil := range faultySetups() {
		make := func(s enginetest.Setup) compiled.Engine {
			spoil(&s)

			return makeLocal(s)
		}
		if failed := failures(make); len(failed) == 0 {
			t.Errorf("%s: the suite passes", name)
		} else {
			t.Logf("%s: %s", name, strings.Join(failed, ", "))
		}
	}
	if failed := failures(makeLocal); len(failed) > 0 {
		t.Errorf("the engine without a fault fails in %q", failed)
	}
}

// failures is the first case that an engine fails: what comes after it may have to wait for what the fault lost.
func failures(make enginetest.Make) []string {
	for _, c := range enginetest.Cases() {
		got := &verdict{}
		func() {
			defer func() { _ = recover() }() // Fatalf, or a fault that panics
			c.Run(got, make)
			got.returned = true
		}()
		if got.failed || !got.returned {
			return []string{c.Name}
		}
	}

	return nil
}

type verdict struct {
	mu               sync.Mutex
	failed, returned bool
}

func (v *verdict) Helper() {}

func (v *verdict) Errorf(string, ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failed = true
}

func (v *verdict) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// door is an engine whose Effects are wrapped, in branches too.
type door struct {
	compiled.Engine
	wrap func(runtime.Effects) runtime.Effects
}

func (d door) Run(ctx context.Context, p *compiled.Program, agent, input string) (runtime.Finish, error) {
	wrapped := *p
	wrapped.Agents = append([]compiled.Agent(nil), p.Agents...)
	run := wrapped.Agents[0].Run
	wrapped.Agents[0].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		return run(branching{d.wrap(fx), d.wrap}, input)
	}

	return d.Engine.Run(ctx, &wrapped, agent, input)
}

type branching struct {
	runtime.Effects
	wrap func(runtime.Effects) runtime.Effects
}

func (b branching) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	return b.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error { return branch(i, branching{b.wrap(fx), b.wrap}) })
}

// overriding is a door with some methods replaced.
type overriding struct {
	runtime.Effects
	model    func(model.Request) (model.Reply, error)
	tool     func(runtime.ToolCall) (runtime.ToolResult, error)
	call     func(runtime.FuncCall) (runtime.FuncResult, error)
	guard    func(runtime.GuardCall) (runtime.Verdict, error)
	ask      func(runtime.Question) (runtime.Answer, error)
	sleep    func(time.Duration) error
	now      func() time.Time
	note     func(event.Event)
	parallel func(int, int, func(int, runtime.Effects) error) error
}

func (o overriding) Model(r model.Request) (model.Reply, error) {
	if o.model == nil {
		return o.Effects.Model(r)
	}

	return o.model(r)
}

func (o overriding) Tool(c runtime.ToolCall) (runtime.ToolResult, error) {
	if o.tool == nil {
		return o.Effects.Tool(c)
	}

	return o.tool(c)
}

func (o overriding) Call(c runtime.FuncCall) (runtime.FuncResult, error) {
	if o.call == nil {
		return o.Effects.Call(c)
	}

	return o.call(c)
}

func (o overriding) Guard(c runtime.GuardCall) (runtime.Verdict, error) {
	if o.guard == nil {
		return o.Effects.Guard(c)
	}

	return o.guard(c)
}

func (o overriding) Ask(q runtime.Question) (runtime.Answer, error) {
	if o.ask == nil {
		return o.Effects.Ask(q)
	}

	return o.ask(q)
}

func (o overriding) Sleep(d time.Duration) error {
	if o.sleep == nil {
		return o.Effects.Sleep(d)
	}

	return o.sleep(d)
}

func (o overriding) Now() time.Time {
	if o.now == nil {
		return o.Effects.Now()
	}

	return o.now()
}

func (o overriding) Note(e event.Event) {
	if o.note == nil {
		o.Effects.Note(e)

		return
	}
	o.note(e)
}

func (o overriding) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	if o.parallel == nil {
		return o.Effects.Parallel(n, limit, branch)
	}

	return o.parallel(n, limit, branch)
}

// faultyDoors are doors with one fault each, by what is wrong.
func faultyDoors() map[string]func(runtime.Effects) runtime.Effects {
	type fx = runtime.Effects
	shared := map[string]runtime.ToolResult{}
	var mu sync.Mutex

	return map[string]func(fx) fx{
		"the model's errors are lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, model: func(r model.Request) (model.Reply, error) {
				reply, _ := fx.Model(r)

				return reply, nil
			}}
		},
		"the model's text is cut": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, model: func(r model.Request) (model.Reply, error) {
				reply, err := fx.Model(r)
				reply.Text = reply.Text[:len(reply.Text)/2]

				return reply, err
			}}
		},
		"a tool's panic escapes": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, tool: func(c runtime.ToolCall) (runtime.ToolResult, error) {
				if c.Run != nil {
					if _, err := c.Run(context.Background(), c.Args); err != nil {
						return fx.Tool(c)
					}
				}

				return fx.Tool(c)
			}}
		},
		"a tool's error ends the run": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, tool: func(c runtime.ToolCall) (runtime.ToolResult, error) {
				result, err := fx.Tool(c)
				if result.Problem != "" {
					err = errors.New(result.Problem)
				}

				return result, err
			}}
		},
		"tools are not told where they are": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, tool: func(c runtime.ToolCall) (runtime.ToolResult, error) {
				if run := c.Run; run != nil {
					c.Run = func(_ context.Context, args json.RawMessage) (runtime.ToolResult, error) {
						return run(context.Background(), args)
					}
				}

				return fx.Tool(c)
			}}
		},
		"a tool counts twice": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, tool: func(c runtime.ToolCall) (runtime.ToolResult, error) {
				result, err := fx.Tool(c)
				fx.Now()

				return result, err
			}}
		},
		"memory outlives the run": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, tool: func(c runtime.ToolCall) (runtime.ToolResult, error) {
				if c.Tool.Name != "mem_get" {
					return fx.Tool(c)
				}
				result, err := fx.Tool(c)
				mu.Lock()
				defer mu.Unlock()
				if old, ok := shared[string(c.Args)]; ok {
					return old, err
				}
				shared[string(c.Args)] = runtime.ToolResult{Text: "[1]", JSON: true}

				return result, err
			}}
		},
		"a function's panic is lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, call: func(c runtime.FuncCall) (runtime.FuncResult, error) {
				result, err := fx.Call(c)
				var panicked *runtime.PanicError
				if errors.As(err, &panicked) {
					err = nil
				}

				return result, err
			}}
		},
		"a function's value is lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, call: func(c runtime.FuncCall) (runtime.FuncResult, error) {
				_, err := fx.Call(c)

				return runtime.FuncResult{}, err
			}}
		},
		"a guard's reason is lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, guard: func(c runtime.GuardCall) (runtime.Verdict, error) {
				v, err := fx.Guard(c)

				return runtime.Verdict{OK: v.OK}, err
			}}
		},
		"a signal that nobody sent": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, guard: func(c runtime.GuardCall) (runtime.Verdict, error) {
				v, err := fx.Guard(c)
				if c.Signals != nil {
					v.Signal = &signals.Ruling{Answer: signals.ForceStop}
				}

				return v, err
			}}
		},
		"a guard that panics says no": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, guard: func(c runtime.GuardCall) (runtime.Verdict, error) {
				v, err := fx.Guard(c)
				var failed *runtime.GuardError
				if errors.As(err, &failed) {
					err = nil
				}

				return v, err
			}}
		},
		"a pause is an answer": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, ask: func(q runtime.Question) (runtime.Answer, error) {
				answer, err := fx.Ask(q)
				var paused *runtime.PausedError
				if errors.As(err, &paused) {
					err = nil
				}

				return answer, err
			}}
		},
		"Ask is no effect after cancellation": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, ask: func(q runtime.Question) (runtime.Answer, error) {
				answer, err := fx.Ask(q)
				if errors.Is(err, context.Canceled) {
					err = nil
				}

				return answer, err
			}}
		},
		"Sleep does not see cancellation": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, sleep: func(d time.Duration) error {
				_ = fx.Sleep(d)

				return nil
			}}
		},
		"a model call that is broken off fails otherwise": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, model: func(r model.Request) (model.Reply, error) {
				reply, err := fx.Model(r)
				if errors.Is(err, context.Canceled) {
					return reply, err
				}
				if err != nil && !errors.As(err, new(*model.Error)) && !errors.As(err, new(*runtime.PanicError)) {
					err = &model.Error{Class: model.Server, Status: 503}
				}

				return reply, err
			}}
		},
		"time stands still": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, now: func() time.Time {
				fx.Now()

				return time.Time{}
			}}
		},
		"Now is no effect": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, now: time.Now}
		},
		"a note is an effect": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, note: func(e event.Event) {
				fx.Now()
				fx.Note(e)
			}}
		},
		"notes are lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, note: func(event.Event) {}}
		},
		"a group has no limit": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, _ int, branch func(int, runtime.Effects) error) error {
				return fx.Parallel(n, 0, func(i int, inner runtime.Effects) error {
					time.Sleep(time.Millisecond)

					return branch(i, inner)
				})
			}}
		},
		"a group runs one too many": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				if limit > 0 {
					limit++
				}

				return fx.Parallel(n, limit, branch)
			}}
		},
		"a group loses its last branch": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				return fx.Parallel(max(n-1, min(n, 1)), limit, branch)
			}}
		},
		"a group keeps the first error only": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				var once sync.Once

				return fx.Parallel(n, limit, func(i int, inner runtime.Effects) (err error) {
					if got := branch(i, inner); got != nil {
						once.Do(func() { err = got })
					}

					return err
				})
			}}
		},
		"a group loses errors": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				_ = fx.Parallel(n, limit, branch)

				return nil
			}}
		},
		"a group's errors are joined backwards": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				err := fx.Parallel(n, limit, branch)
				joined, ok := err.(interface{ Unwrap() []error })
				if !ok {
					return err
				}
				backwards := slices.Clone(joined.Unwrap())
				slices.Reverse(backwards)

				return errors.Join(backwards...)
			}}
		},
		"a branch's panic is lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				return fx.Parallel(n, limit, func(i int, inner runtime.Effects) error {
					defer func() { _ = recover() }()

					return branch(i, inner)
				})
			}}
		},
		"a branch's panic ends the run": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				err := fx.Parallel(n, limit, branch)
				var panicked *runtime.PanicError
				if errors.As(err, &panicked) {
					panic(panicked.Value)
				}

				return err
			}}
		},
		"a group ends with its first error": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				var failed atomic.Bool

				return fx.Parallel(n, limit, func(i int, inner runtime.Effects) error {
					if failed.Load() {
						return nil
					}
					err := branch(i, inner)
					failed.Store(err != nil)

					return err
				})
			}}
		},
		"branches begin after cancellation": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				var began sync.Map
				err := fx.Parallel(n, limit, func(i int, inner runtime.Effects) error {
					began.Store(i, true)

					return branch(i, inner)
				})
				for i := range n {
					if _, ok := began.Load(i); !ok && err != nil {
						_ = branch(i, fx)
					}
				}

				return err
			}}
		},
		"a cancelled group says what its branches say": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				errs := make([]error, n)
				err := fx.Parallel(n, limit, func(i int, inner runtime.Effects) error {
					errs[i] = branch(i, inner)

					return errs[i]
				})
				if _, joined := err.(interface{ Unwrap() []error }); err == nil || joined {
					return err
				}

				return errors.Join(errs...)
			}}
		},
		"a group's errors are in another order": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				return fx.Parallel(n, limit, func(i int, inner runtime.Effects) error { return branch(n-1-i, inner) })
			}}
		},
		"a group's errors are not those of its branches": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				if err := fx.Parallel(n, limit, branch); err != nil {
					return fmt.Errorf("the group: %w", err)
				}

				return nil
			}}
		},
		"the channel of a question is lost": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, ask: func(q runtime.Question) (runtime.Answer, error) {
				q.Channel = ""

				return fx.Ask(q)
			}}
		},
		"an empty group is no effect": func(fx fx) runtime.Effects {
			return overriding{Effects: fx, parallel: func(n, limit int, branch func(int, runtime.Effects) error) error {
				if n == 0 {
					return nil
				}

				return fx.Parallel(n, limit, branch)
			}}
		},
	}
}

// faultySetups spoil what an engine is given, and so what it tells.
func faultySetups() map[string]func(*enginetest.Setup) {
	spoilEvents := func(spoil func(o event.Observer, e event.Event)) func(*enginetest.Setup) {
		return func(s *enginetest.Setup) {
			if s.Observer != nil {
				s.Observer = observer{s.Observer, spoil}
			}
		}
	}

	return map[string]func(*enginetest.Setup){
		"events are told twice":  spoilEvents(func(o event.Observer, e event.Event) { o.Observe(e); o.Observe(e) }),
		"events have no number":  spoilEvents(func(o event.Observer, e event.Event) { e.Seq = 0; o.Observe(e) }),
		"events have no address": spoilEvents(func(o event.Observer, e event.Event) { e.Address = ""; o.Observe(e) }),
		"an observer's panic is lost": func(s *enginetest.Setup) {
			if o := s.Observer; o != nil {
				s.Observer = observer{o, func(o event.Observer, e event.Event) {
					defer func() { _ = recover() }()
					o.Observe(e)
				}}
			}
		},
		"the end is not told":       spoilEvents(dropping(event.End)),
		"retries are not told":      spoilEvents(dropping(event.Retry)),
		"answers are not told":      spoilEvents(dropping(event.Answer)),
		"a pause is not told":       spoilEvents(dropping(event.Pause)),
		"errors are not told":       spoilEvents(dropping(event.Error)),
		"a pause ends as a failure": spoilEvents(func(o event.Observer, e event.Event) { e.Status = "failed"; o.Observe(e) }),
		"questions in branches have no number": func(s *enginetest.Setup) {
			if ask := s.Ask; ask != nil {
				s.Ask = func(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
					q.ID, _, _ = strings.Cut(q.ID, "@")

					return ask(ctx, q)
				}
			}
		},
	}
}

func dropping(kind event.Kind) func(event.Observer, event.Event) {
	return func(o event.Observer, e event.Event) {
		if e.Kind != kind {
			o.Observe(e)
		}
	}
}

type observer struct {
	event.Observer
	spoil func(event.Observer, event.Event)
}

func (o observer) Observe(e event.Event) { o.spoil(o.Observer, e) }
