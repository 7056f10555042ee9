package otel

import (
	"context"
	"io"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/core"
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
	if !p.on() {
		return nil
	}

	return newTracer(p.tracer, p.metrics, p.settings, run)
}

// Close is called by package app before the process ends: it sends the remaining data, for at most five seconds, and
// reports to w what did not arrive.
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
	p.close(ctx)
	p.tell(w)
}

// Flush sends the remaining data. A Go program that runs agents itself calls it before it ends; otherwise the data of
// the last seconds is lost. It returns when all data is sent, or ctx is done.
func Flush(ctx context.Context) error {
	shared.Lock()
	p := shared.pipeline
	shared.Unlock()
	if p == nil {
		return nil
	}

	return p.flush(ctx)
}
