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

func (s *spent) add(more spent) {
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

// open begins a frame.
func (t *tracer) open(l *lane, what link, ordinal int, s core.Sight) *frame {
	above := l.top()
	above.fail("", "")
	kind := "agent "
	if what.flow {
		kind = "flow "
	}
	place := t.place(kind + what.name + " " + l.prefix + strconv.Itoa(ordinal))
	f := &frame{link: what, lane: l, above: above, began: s.Began, place: place}
	l.stack = append(l.stack, f)
	if !s.Again {
		t.start(f)
	}

	return f
}

// place makes a name of a place that no other span has: the second of a name has a number.
func (t *tracer) place(name string) string {
	t.places[name]++
	if n := t.places[name]; n > 1 {
		return name + " " + strconv.Itoa(n)
	}

	return name
}

// isOld reports whether a process that has left the run was there at a time: it has sent what happened then.
func (t *tracer) isOld(at time.Time) bool { return t.run.Left > 0 && !at.After(t.run.LeftAt) }

// start begins the span of a frame, and of those around it, unless they have begun. Of one that an earlier process has sent, this process
// has another.
func (t *tracer) start(f *frame) {
	if f.span != nil {
		return
	}
	t.start(f.above)
	options := []trace.SpanStartOption{trace.WithAttributes(t.agentAttributes(f)...)}
	if t.isOld(f.began) {
		f.began = t.run.Now
		options = append(options, trace.WithLinks(t.earlier(f.place)))
	}
	f.span = t.begin(f.above.span, f.place, t.agentName(f), f.began, options...)
	for _, n := range f.notes {
		f.span.AddEvent(n.name, trace.WithTimestamp(n.at), n.more)
	}
	f.notes = nil
}

// earlier is a link to the span that the process before this one has sent of the same.
func (t *tracer) earlier(place string) trace.Link {
	at := t.trunk.SpanContext().WithSpanID(spanOf(t.run.Run, t.run.Left-1, place))

	return trace.Link{SpanContext: at, Attributes: attributesOfLink}
}

// note adds an event to a frame, unless a process has sent it before that has left the run.
func (t *tracer) note(f *frame, name string, s core.Sight, more trace.EventOption) {
	if s.Again && t.isOld(s.Time) {
		return
	}
	if !s.Again {
		t.start(f)
	}
	if f.span == nil {
		f.notes = append(f.notes, note{name, s.Time, more})

		return
	}
	f.span.AddEvent(name, trace.WithTimestamp(s.Time), more)
}

// end ends a frame, and its span if there is one.
func (t *tracer) end(f *frame, s core.Sight) {
	f.above.spent.add(f.spent)
	if t.status != "" {
		t.start(f) // so that the process that resumes the run finds it
		f.span.SetAttributes(keyStatus.String(t.status))
	}
	if f.span == nil {
		return
	}
	t.agentEnded(f)
	f.span.End(trace.WithTimestamp(s.Time))
	t.metrics.invoked(t.ctx, t, f, s.Time)
}

// finish ends the innermost frame of an agent, and what is open in it, with the error of the event, if it has one.
func (t *tracer) finish(s core.Sight) {
	l, _ := t.lane(s)
	f := l.find(s.Agent)
	if f == nil {
		s.Began = s.Time
		f = t.unseen(s)
	}
	if f.lane != l {
		f.fail(s.Type, s.Problem) // of a group that another branch has begun

		return
	}
	if !s.Again {
		t.start(f)
	}
	for l.stack[len(l.stack)-1] != f {
		t.pop(l, s)
	}
	f.fail(s.Type, s.Problem)
	if f == t.base {
		return // it ends with the run
	}
	t.pop(l, s)
	if f.above.lane == l {
		f.above.fail(s.Type, s.Problem)
	}
}

// unseen is the frame of an agent, or a conversation of one, that was not known to run when it ended.
func (t *tracer) unseen(s core.Sight) *frame {
	if t.program.owner(s.Agent) == s.Agent {
		return t.flow(s)
	}

	return t.conversation(s)
}

func (f *frame) fail(failed, problem string) { f.failed, f.problem = failed, problem }
