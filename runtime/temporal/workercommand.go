package temporal

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

func workerCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name:    "worker",
		Summary: "work on runs that Temporal has",
		Help: `Runs the agents of this program for a Temporal server and performs their effects: models, tools, functions and guards. Keys
and other secrets stay in the environment of the workers. Any number of workers can share the work; if one is killed, the others take
over. A run stays with workers of the shape with which it began: keep those running until their runs have ended. If this machine lacks
something that runs need, it is reported with exit code 1, except on a worker with a --queue of its own.

After the first interrupt the worker finishes the work in progress, however long that takes; the second interrupt stops at once.`,
		Example: p.Name + " worker\n" + p.Name + " worker --address temporal.internal:7233 --blobs /srv/blobs",
		Flags: append(connectFlags(),
			cli.Flag{Name: "tool-queue", Value: "TOOL=QUEUE,…", Help: "leave the calls of a tool to workers of another queue"},
			cli.Flag{Name: "json", Help: "print events on stdout, one JSON object a line"},
		),
		Run: func(c *cli.Call) error { return runWorker(c, p) },
	}
}

func runWorker(c *cli.Call, p *compiled.Program) error {
	o, err := optionsOf(c)
	if err != nil {
		return err
	}
	if c.On("json") {
		o.Observer = &lines{w: c.Stdout}
	}
	if missing := missingFor(c, p, o); len(missing) > 0 {
		for _, err := range missing {
			c.Sayf("%v", err)
		}
		return c.Exit(cli.Problem)
	}
	server, err := connectClient(c, p, o)
	if err != nil {
		return err
	}
	defer server.Close()
	w, err := server.Worker()
	if err != nil {
		return c.Errorf(cli.Problem, "%w", err)
	}
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)
	if err := w.Start(); err != nil {
		return err
	}
	fmt.Fprintf(c.Stderr, "%s: working on queue %s, shape %s\n", p.Name, o.withDefaults(p).Queue, shortHash(p.Shape))
	<-interrupts
	fmt.Fprintf(c.Stderr, "%s: ends with what is under way\n", p.Name)
	if inputs.Stops(w.Stop, interrupts) {
		return nil
	}

	return c.Errorf(cli.Problem, "ended at once; what was under way is done again by another worker, where it may be")
}

// missingFor is everything that the runs of a worker need and lack. One of a queue of its own may have only what the tools there need.
func missingFor(c *cli.Call, p *compiled.Program, o Options) []error {
	if c.On("queue") {
		return nil
	}

	return core.Problems(core.New(o.withDefaults(p).config).CheckAll(context.Background(), p))
}

// lines prints events of any number of runs, one JSON object a line.
type lines struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
}

func (l *lines) Observe(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(e.AppendJSON(l.buf[:0]), '\n')
	_, _ = l.w.Write(l.buf) // the reader is gone: the runs go on
}

// Part is the commands worker, start and reply as a part of a program: generated code names it for include:
// [temporal].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "temporal" }

// Commands returns the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{workerCommand(p), startCommand(p), replyCommand(p)}
}
