package otel

import (
	"context"
	"math"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
)

// tracer observes one run in one process.
type tracer struct {
	run     core.Observed
	program program
	tracer  trace.Tracer
	metrics *metrics
	// content reports whether texts are sent, too; alone reports whether the trace stays with this
	// program.
	content, alone bool
	ctx            context.Context
	// trunk is the run's span, of whichever process.
	trunk trace.Span

	mu sync.Mutex
	// base is the agent that the run began with.
	base *frame
	// places counts the names of places.
	places map[string]int
	// retries are the repetitions of calls that are under way, by their addresses.
	retries map[string][]note
	// newest is the type of the newest error.
	newest string
	// status is how the run ends, which its open spans end with.
	status string
}

// newTracer begins to observe a run.
func newTracer(t trace.Tracer, m *metrics, s settings, run core.Observed) *tracer {
	if s.alone {
		run.Traceparent, run.Resumed = "", ""
	}
	o := &tracer{
		run: run, program: newProgram(run.Program), tracer: t, metrics: m, content: s.content, alone: s.alone, ctx: context.Background(),
		places: map[string]int{}, retries: map[string][]note{},
	}
	o.base = &frame{link: o.program.agentLink(run.Agent.Name), lane: &lane{owners: map[int]*frame{}}, began: run.Began}
	o.base.lane.stack = []*frame{o.base}
	o.trunk = o.beginTrunk()
	o.base.span = o.trunk
	if run.Left > 0 {
		// The run's span was sent when a process left the run: here it only lends its ids.
		o.base.began = run.Now
		o.base.span = o.beginSpan(o.trunk, "", o.agentName(o.base), run.Now, o.continuationLinks(), trace.WithAttributes(o.runAttributes(o.base)...))
	}

	return o
}

// beginTrunk begins the run's span, or the likeness of the one that another process has begun.
func (t *tracer) beginTrunk() trace.Span {
	ctx, id := t.ctx, identity{traceOf(t.run.Run), spanOf(t.run.Run, 0, "")}
	if from := spanContext(t.run.Traceparent); from.IsValid() {
		ctx = trace.ContextWithRemoteSpanContext(ctx, from)
	}
	_, span := t.tracer.Start(withIdentity(ctx, id), t.agentName(t.base),
		trace.WithTimestamp(t.run.Began), trace.WithAttributes(t.runAttributes(t.base)...), trace.WithLinks(t.resumerLink()...))

	return span
}

// continuationLinks links the span of a process that continues a run to that of the process before, and to the caller who had it go on.
func (t *tracer) continuationLinks() trace.SpanStartOption {
	return trace.WithLinks(append([]trace.Link{t.earlierLink("")}, t.resumerLink()...)...)
}

// resumerLink is a link to the caller who had the run go on. That trace is no parent: the run is in one already, and who answers a question need
// not belong to it.
func (t *tracer) resumerLink() []trace.Link {
	from := spanContext(t.run.Resumed)
	if !from.IsValid() {
		return nil
	}

	return []trace.Link{{SpanContext: from, Attributes: attributesOfResumer}}
}

// beginSpan begins a span of a place.
func (t *tracer) beginSpan(above trace.Span, place, name string, at time.Time, options ...trace.SpanStartOption) trace.Span {
	ctx := trace.ContextWithSpan(t.ctx, above)
	ctx = withIdentity(ctx, identity{span: spanOf(t.run.Run, t.run.Left, place)})
	_, span := t.tracer.Start(ctx, name, append(options, trace.WithTimestamp(at))...)

	return span
}

// Traceparent implements core.RunObserver.
func (t *tracer) Traceparent(address string) string {
	if t.alone {
		return ""
	}

	return formatTraceparent(t.trunk.SpanContext().WithSpanID(spanOf(t.run.Run, t.run.Left, address)))
}

// See implements core.RunObserver.
func (t *tracer) See(s core.Sight) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s.Began.IsZero() || s.Began.After(s.Time) {
		s.Began = s.Time
	}
	if s.Kind == core.EventCall {
		t.endCallSpan(s)
		return
	}
	kind := eventkind.Of(string(s.Kind))
	switch {
	case kind == nil:
	case kind.Telemetry == eventkind.Custom:
		observers.Of(s.Kind)(t, s)
	case kind.Telemetry == eventkind.Generic:
		t.addSpanEvent(t.frameOf(kind.Note.At, s), kind.Note.Name, s, t.noteAttributes(kind.Note, s))
	}
}

// observers are the functions that observe events, for the kinds whose row says so.
var observers = eventkind.Functions[event.Kind, func(*tracer, core.Sight)]{
	{Kind: event.Enter, Call: (*tracer).enterState},
	{Kind: event.Transition, Call: (*tracer).addTransition},
	{Kind: event.Model, Call: (*tracer).endModelSpan},
	{Kind: event.Tool, Call: (*tracer).endToolSpan},
	{Kind: event.Finish, Call: (*tracer).finishAgent},
	{Kind: event.Error, Call: (*tracer).endFailed},
	{Kind: event.End, Call: (*tracer).endRun},
	{Kind: event.Retry, Call: (*tracer).addRetry},
	{Kind: event.Answer, Call: (*tracer).endAnswerSpan},
	{Kind: event.Pause, Call: (*tracer).addPause},
}

// frameOf is the frame that gets a note.
func (t *tracer) frameOf(at eventkind.Place, s core.Sight) *frame {
	switch at {
	case eventkind.AtConversation:
		return t.conversationFrame(s)
	case eventkind.AtBudget:
		return t.budgetFrame(s)
	}

	return t.agentFrame(s)
}

// conversationFrame returns the frame of the conversation that reports.
func (t *tracer) conversationFrame(s core.Sight) *frame {
	return t.enterFrames(t.program.conversationLinks(s.Agent), s)
}

// agentFrame returns the frame of the agent that reports, as a whole.
func (t *tracer) agentFrame(s core.Sight) *frame {
	return t.enterFrames([]link{t.program.agentLink(t.program.ownerOf(s.Agent))}, s)
}

// budgetFrame returns the frame whose budget the event is about. Without an agent it is the frame
// of the run.
func (t *tracer) budgetFrame(s core.Sight) *frame {
	if s.Agent == "" {
		return t.base
	}
	for l, _ := t.laneOf(s); l != nil; l = l.parent {
		if f := l.findFrame(s.Agent); f != nil {
			return f
		}
	}

	return t.base
}

func (t *tracer) enterState(s core.Sight) {
	s.Began = s.Time
	t.agentFrame(s).state = s.State
}

func (t *tracer) addPause(s core.Sight) {
	t.addSpanEvent(t.agentFrame(s), "agentc.pause", s, t.pauseAttributes(s))
}

func (t *tracer) addTransition(s core.Sight) {
	s.Began = s.Time
	t.addSpanEvent(t.agentFrame(s), "agentc.transition", s, t.transitionAttributes(s))
	if !s.Again {
		t.metrics.recordTransition(t.ctx, s.Event)
	}
}

// endFailed ends the agent that reports its error. The agent that runs it may continue; if not, its
// span ends with the error, too.
func (t *tracer) endFailed(s core.Sight) {
	t.newest = s.Type
	if s.Agent == "" {
		t.base.setFailure(s.Type, s.Problem)

		return
	}
	t.finishAgent(s)
}

// endRun ends all open spans, because the run leaves this process.
func (t *tracer) endRun(s core.Sight) {
	t.status = s.Status
	base := t.base.lane
	t.endGroups(base, math.MaxInt, s)
	for len(base.stack) > 1 {
		t.popFrame(base, s)
	}
	t.runEnded(s)
	t.base.span.End(trace.WithTimestamp(s.Time))
	t.metrics.recordRun(t.ctx, t, s)
}
