package otel

import (
	"strconv"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// frame is an agent, or a conversation of one, that runs.
type frame struct {
	link
	lane *lane
	// above is the frame around it; nil of the base.
	above *frame
	// place is where it is in the run, of which its id is made.
	place string
	began time.Time
	// span is nil until something of this process happens in it.
	span trace.Span
	// failed is the error that the newest of what ran in it has ended with, or it itself; "" for none.
	failed, problem string
	// state is that which its machine is in.
	state string
	spent spent
	// notes are events that earlier processes have received and could not send.
	notes []note
}

// spent is what the models under a frame have used in this process.
type spent struct {
	turns, input, output int
	cost                 int64
}

func (s *spent) addUsage(more spent) {
	s.turns += more.turns
	s.input += more.input
	s.output += more.output
	s.cost += more.cost
}

// note is an event of a span.
type note struct {
	name string
	at   time.Time
	more trace.EventOption
}

// openFrame begins a frame.
func (t *tracer) openFrame(l *lane, what link, ordinal int, s core.Sight) *frame {
	above := l.topFrame()
	above.setFailure("", "")
	kind := "agent "
	if what.flow {
		kind = "flow "
	}
	place := t.uniquePlace(kind + what.name + " " + l.prefix + strconv.Itoa(ordinal))
	f := &frame{link: what, lane: l, above: above, began: s.Began, place: place}
	l.stack = append(l.stack, f)
	if !s.Again {
		t.startSpan(f)
	}

	return f
}

// uniquePlace makes a name of a place that no other span has: the second of a name has a number.
func (t *tracer) uniquePlace(name string) string {
	t.places[name]++
	if n := t.places[name]; n > 1 {
		return name + " " + strconv.Itoa(n)
	}

	return name
}

// isOld reports whether a process that has left the run was there at a time: it has sent what happened then.
func (t *tracer) isOld(at time.Time) bool { return t.run.Left > 0 && !at.After(t.run.LeftAt) }

// startSpan begins the span of a frame, and of those around it, unless they have begun. Of one that an earlier process has sent, this process
// has another.
func (t *tracer) startSpan(f *frame) {
	if f.span != nil {
		return
	}
	t.startSpan(f.above)
	options := []trace.SpanStartOption{trace.WithAttributes(t.agentAttributes(f)...)}
	if t.isOld(f.began) {
		f.began = t.run.Now
		options = append(options, trace.WithLinks(t.earlierLink(f.place)))
	}
	f.span = t.beginSpan(f.above.span, f.place, t.agentName(f), f.began, options...)
	for _, n := range f.notes {
		f.span.AddEvent(n.name, trace.WithTimestamp(n.at), n.more)
	}
	f.notes = nil
}

// earlierLink is a link to the span that the process before this one has sent of the same.
func (t *tracer) earlierLink(place string) trace.Link {
	at := t.trunk.SpanContext().WithSpanID(spanOf(t.run.Run, t.run.Left-1, place))

	return trace.Link{SpanContext: at, Attributes: attributesOfLink}
}

// addSpanEvent adds an event to a frame, unless a process has sent it before that has left the run.
func (t *tracer) addSpanEvent(f *frame, name string, s core.Sight, more trace.EventOption) {
	if s.Again && t.isOld(s.Time) {
		return
	}
	if !s.Again {
		t.startSpan(f)
	}
	if f.span == nil {
		f.notes = append(f.notes, note{name, s.Time, more})

		return
	}
	f.span.AddEvent(name, trace.WithTimestamp(s.Time), more)
}

// endFrame ends a frame, and its span if there is one.
func (t *tracer) endFrame(f *frame, s core.Sight) {
	f.above.spent.addUsage(f.spent)
	if t.status != "" {
		t.startSpan(f) // so that the process that resumes the run finds it
		f.span.SetAttributes(keyStatus.String(t.status))
	}
	if f.span == nil {
		return
	}
	t.agentEnded(f)
	f.span.End(trace.WithTimestamp(s.Time))
	t.metrics.recordAgent(t.ctx, t, f, s.Time)
}

// finishAgent ends the innermost frame of an agent, and what is open in it, with the error of the event, if it has one.
func (t *tracer) finishAgent(s core.Sight) {
	l, _ := t.laneOf(s)
	f := l.findFrame(s.Agent)
	if f == nil {
		s.Began = s.Time
		f = t.unseenFrame(s)
	}
	if f.lane != l {
		f.setFailure(s.Type, s.Problem) // of a group that another branch has begun

		return
	}
	if !s.Again {
		t.startSpan(f)
	}
	for l.stack[len(l.stack)-1] != f {
		t.popFrame(l, s)
	}
	f.setFailure(s.Type, s.Problem)
	if f == t.base {
		return // it ends with the run
	}
	t.popFrame(l, s)
	if f.above.lane == l {
		f.above.setFailure(s.Type, s.Problem)
	}
}

// unseenFrame is the frame of an agent, or a conversation of one, that was not known to run when it ended.
func (t *tracer) unseenFrame(s core.Sight) *frame {
	if t.program.ownerOf(s.Agent) == s.Agent {
		return t.agentFrame(s)
	}

	return t.conversationFrame(s)
}

func (f *frame) setFailure(failed, problem string) { f.failed, f.problem = failed, problem }
