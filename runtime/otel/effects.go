package otel

import (
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// model is the span of a turn of a model, with its repetitions.
func (t *tracer) model(s core.Sight) {
	f := t.conversation(s)
	retries := t.retries[s.Address]
	delete(t.retries, s.Address)
	if s.Again || s.Turn == nil {
		return
	}
	c := newChat(s)
	t.effect(f, s, c.spanName(), trace.SpanKindClient, c.failed, t.chatAttributes(s, c), retries)
	f.spent.add(spent{turns: 1, input: s.Usage.Input, output: s.Usage.Output, cost: s.Cost})
	t.metrics.chatted(t.ctx, c, s)
}

// tool is the span of a call of a tool. What the loop answers itself is at the address of the turn that asks for it.
func (t *tracer) tool(s core.Sight) {
	f := t.conversation(s)
	if s.Tool == nil {
		t.noteAnsweredCall(f, s)

		return
	}
	if s.Again {
		return
	}
	t.effect(f, s, "execute_tool "+s.Name, trace.SpanKindInternal, toolProblem(s), t.toolAttributes(s), nil)
	t.metrics.executed(t.ctx, s)
}

// noteAnsweredCall notes a call that the loop has answered itself: it has unlocked a skill, or has refused a call that is not possible. The name of
// such a tool may be anything that a model made up, so that it is not that of a span.
func (t *tracer) noteAnsweredCall(f *frame, s core.Sight) {
	if s.Problem != "" {
		t.note(f, "agentc.call_refused", s, t.refused(s))

		return
	}
	t.note(f, "agentc.call_answered", s, with(keyTool.String(s.Name)))
}

// call is the span of a method of Funcs, which only workflows call.
func (t *tracer) call(s core.Sight) {
	l, _ := t.lane(s)
	for len(l.stack) > 0 && !l.top().flow && l.top() != t.base {
		t.pop(l, s)
	}
	t.effect(l.top(), s, "call "+s.Name, trace.SpanKindInternal, s.Type, t.callAttributes(s), nil)
}

// answer is the span of a question to a person that was answered. Time in which no process waited is not part of it.
func (t *tracer) answer(s core.Sight) {
	f := t.flow(s)
	if s.Again {
		return
	}
	t.effect(f, s, "ask "+s.Name, trace.SpanKindInternal, "", t.answerAttributes(s), nil)
}

// retry keeps a repetition until the turn ends that it belongs to.
func (t *tracer) retry(s core.Sight) {
	t.conversation(s)
	if s.Again {
		return
	}
	t.retries[s.Address] = append(t.retries[s.Address], note{"agentc.retry", s.Time, t.repeated(s)})
	t.metrics.retried(t.ctx, t.program.owner(s.Agent))
}

// effect is the span of an effect that has ended, of the type failed if it has failed.
func (t *tracer) effect(
	f *frame, s core.Sight, name string, kind trace.SpanKind, failed string, more trace.SpanStartEventOption, notes []note,
) {
	t.start(f)
	f.fail(failed, s.Problem)
	span := t.begin(f.span, s.Address, name, s.Began, trace.WithSpanKind(kind), more)
	for _, n := range notes {
		span.AddEvent(n.name, trace.WithTimestamp(n.at), n.more)
	}
	if failed != "" {
		span.SetStatus(codes.Error, t.text(s.Problem, failed))
		span.SetAttributes(errorType(failed))
	}
	span.End(trace.WithTimestamp(s.Time))
}

// text is a text if texts are sent, else what replaces it.
func (t *tracer) text(text, instead string) string {
	if !t.content {
		return instead
	}

	return t.run.Redact(text)
}
