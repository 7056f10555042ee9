package otel

import (
	"strconv"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// frame is an agent, or a conversation of one, that runs.
type frame struct {
	link
	lane  *lane
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
func (t *tracer) open(l *lane, what link, ordinal string, began time.Time, at moment) *frame {
	above := l.top()
	above.failed, above.problem = "", ""
	if began.IsZero() || began.After(at.time) {
		began = at.time
	}
	kind := "agent "
	if what.flow {
		kind = "flow "
	}
	place := t.place(kind + what.name + " " + join(l.address, ordinal))
	f := &frame{link: what, lane: l, above: above, began: began, place: place}
	l.stack = append(l.stack, f)
	if !at.again {
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

// isOld reports whether a frame began before a process has left the run: then that process has sent its span, and this one has another.
func (t *tracer) isOld(f *frame) bool { return t.run.Left > 0 && !f.began.After(t.run.LeftAt) }

// start begins the span of a frame, and of those around it, unless they have begun.
func (t *tracer) start(f *frame) {
	if f.span != nil {
		return
	}
	t.start(f.above)
	began, options := f.began, []trace.SpanStartOption{}
	if t.isOld(f) {
		began = t.run.Now
		options = append(options, trace.WithLinks(t.earlier(f.place)))
	}
	f.span = t.begin(f.above.span, f.place, t.agentName(f), began, append(options, trace.WithAttributes(t.agentAttributes(f)...))...)
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
func (t *tracer) note(f *frame, name string, at moment, more trace.EventOption) {
	if at.again && t.run.Left > 0 && !at.time.After(t.run.LeftAt) {
		return
	}
	if !at.again {
		t.start(f)
	}
	if f.span == nil {
		f.notes = append(f.notes, note{name, at.time, more})

		return
	}
	f.span.AddEvent(name, trace.WithTimestamp(at.time), more)
}

// end ends a frame, and its span if there is one.
func (t *tracer) end(f *frame, at moment) {
	f.above.spent.add(f.spent)
	if f.span == nil {
		return
	}
	t.agentEnded(f)
	f.span.End(trace.WithTimestamp(at.time))
	t.metrics.invoked(t.ctx, t, f, at.time)
}

// finish ends the innermost frame of a name, and what is open in it. problem is the error with which it ends, of the type failed; "" for
// none.
func (t *tracer) finish(address, name, failed, problem string, at moment) {
	l, ordinal := t.lane(address)
	t.joined(l, ordinal, at)
	f := l.find(name)
	if f == nil {
		owner := t.program.owner(name)
		want := []link{t.program.agent(owner)}
		if name != owner {
			want = t.program.conversation(name)
		}
		f = t.settle(address, want, at.time, at)
	}
	if f.lane != l {
		f.fail(failed, problem) // of a group that another branch has begun

		return
	}
	if !at.again {
		t.start(f)
	}
	for l.stack[len(l.stack)-1] != f {
		t.pop(l, at)
	}
	f.fail(failed, problem)
	if f == t.base {
		return // it ends with the run
	}
	t.pop(l, at)
	if f.above.lane == l {
		f.above.fail(failed, problem)
	}
}

func (f *frame) fail(failed, problem string) { f.failed, f.problem = failed, problem }
