package app

import (
	"context"
	"fmt"
	"os"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// session is a command that works on a run: its engine, and the person who watches.
type session struct {
	c       *cli.Call
	program *compiled.Program
	store   journal.Store
	engine  *core.Engine
	shown   *progress.Progress
	// lines are the events as JSON; nil without --json.
	lines *jsonLines
	stop  *stop
	ctx   context.Context
	// run is the run's id; "" until it has one.
	run string
	// by is the name of who gave the command; "" if it is not known.
	by string
	// isAnswered is set when an answer of this command is recorded, and isAtWork when the engine
	// has begun or resumed the run.
	isAnswered, isAtWork bool
	// done writes what is recorded to disk, and returns the error of the command for that of the
	// run.
	done func(error) error
	// called is how the person calls the program.
	called called
}

// sessionFlags are the flags of each command that works on a run.
func sessionFlags() []cli.Flag {
	return append(RunFlags(), cli.Flag{Name: "json", Help: "print events, one JSON object per line, instead of the final value"})
}

// RunFlags are the flags of each command that runs agents: what answers instead of models, and
// where journals are.
func RunFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "script", Value: "FILE", Help: "a script of replies in JSON, used instead of models; each run starts it again"},
		{Name: "partial", Help: "allow a script to have turns left over"},
		{Name: "record", Value: "FILE", Help: "add requests to models, and their replies, to a recording"},
		{Name: "replay", Value: "FILE", Help: "use a recording instead of models: no key, no call"},
		storeFlag(),
	}
}

// newSession makes ready for work, which ends it.
func newSession(c *cli.Call, p *compiled.Program) (*session, error) {
	s := &session{c: c, program: p, called: calledBy(c, runFlags...)}
	config, done, err := inputs.Config(c, p)
	if err != nil {
		return nil, err
	}
	s.done = done
	s.store, err = (RunsCall{c, p}).Store()
	if err != nil {
		return nil, err
	}
	config.Store, config.ForceShape = s.store, config.ForceShape || c.On(forceShape.Name)
	config.Observe(s)
	var panel progress.Panel
	if c.On("json") {
		s.lines = &jsonLines{w: c.Stdout}
	} else {
		panel = progress.Open(c)
	}
	s.shown = progress.New(c, panel)
	s.ctx, s.stop = newStop(runtime.WithTraceparent(context.Background(), os.Getenv("TRACEPARENT")))
	s.stop.leave = func() { closeParts(p, c.Stderr) }
	if config.Signals == nil {
		config.Signals = &signaling.Signals{}
	}
	s.stop.signals = config.Signals
	config.Stop = func(_ string, cause error) { s.stop.Request(cause) }
	if config.Asker == nil && c.IsTerminal(c.Stdin) && c.IsTerminal(c.Stderr) {
		config.AsksTimers = true
		config.Asker = s.stop.wrapAsker(s.shown, core.Terminal(c.Stdin, c.Stderr))
	}
	s.engine = core.New(config)
	for _, text := range s.engine.Warnings(p) {
		c.Sayf("warning: %s", text)
	}

	return s, nil
}

// Observe implements event.Observer.
func (s *session) Observe(e event.Event) {
	s.run, s.isAtWork = e.Run, true
	if s.lines != nil {
		s.lines.Observe(e)
		return
	}
	s.shown.Observe(e)
}

// runWork runs the program for some work, reports how it ended, and returns the error of the
// command.
func (s *session) runWork(agent string, do func(ctx context.Context, p *compiled.Program) (runtime.Finish, error)) error {
	end := s.stop.listenForSignals(s.c, s.shown)
	s.shown.Start()
	defer s.shown.Close() // a panic leaves nothing on the terminal either
	fin, err := do(s.ctx, s.shown.Watch(s.stop.Guard(s.program)))
	end()
	s.shown.Close()
	if err != nil && s.lines != nil {
		s.lines.notStarted(agent, err)
	}
	switch {
	case err != nil:
		return s.done(s.reportFailure(err))
	case s.lines != nil:
		err = s.lines.err // the last event has the value
	default:
		err = printValue(s.c, fin.Value)
	}
	if err != nil && s.hasJournal() {
		err = fmt.Errorf("%w; it is kept, and can be seen: %s", err, s.called.commandLine("resume", s.run))
	}

	return s.done(err)
}
