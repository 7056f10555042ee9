package otel

import (
	"context"
	"io"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// Part reports runs to a collector as a part of a program: generated code names it for include: [otel].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "otel" }

// shared is what the runs of this process have in common; nil before the first one, and after Close.
var shared struct {
	sync.Mutex
	pipeline *pipeline
}

// ObserveRun implements core.ObserverSource.
func (Part) ObserveRun(run core.Observed) core.RunObserver {
	shared.Lock()
	defer shared.Unlock()
	if shared.pipeline == nil {
		shared.pipeline = newPipeline(run.Program.Name)
	}
	p := shared.pipeline
	if !p.isEnabled() {
		return nil
	}

	return newTracer(p.tracer, p.metrics, p.settings, run)
}

// Close sends the remaining data, for at most five seconds, and reports to w what did not arrive. Package app calls it
// before the process ends; so does a Go program that runs agents itself, or the data of the last seconds is lost.
func (Part) Close(w io.Writer) {
	shared.Lock()
	p := shared.pipeline
	shared.pipeline = nil
	shared.Unlock()
	if p == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p.flushAndClose(ctx)
	p.printProblems(w)
}
