package otel

import (
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// endModelSpan is the span of a turn of a model, with its repetitions.
func (t *tracer) endModelSpan(s core.Sight) {
	f := t.conversationFrame(s)
	retries := t.retries[s.Address]
	delete(t.retries, s.Address)
	if s.Again || s.Turn == nil {
		return
	}
	c := newChat(s)
	t.endEffectSpan(f, s, c.spanName(), trace.SpanKindClient, c.failed, t.chatAttributes(s, c), retries)
	f.spent.addUsage(spent{turns: 1, input: s.Usage.Input, output: s.Usage.Output, cost: s.Cost})
	t.metrics.recordChat(t.ctx, c, s)
}

// endToolSpan is the span of a call of a tool. What the loop answers itself is at the address of the turn that asks for it.
func (t *tracer) endToolSpan(s core.Sight) {
	f := t.conversationFrame(s)
	if s.Tool == nil {
		t.noteAnsweredCall(f, s)

		return
	}
	if s.Again {
		return
	}
	t.endEffectSpan(f, s, "execute_tool "+s.Name, trace.SpanKindInternal, toolProblem(s), t.toolAttributes(s), nil)
	t.metrics.recordTool(t.ctx, s)
}

// noteAnsweredCall notes a call that the loop has answered itself: it has unlocked a skill, or has refused a call that is not possible. The name of
// such a tool may be anything that a model made up, so that it is not that of a span.
func (t *tracer) noteAnsweredCall(f *frame, s core.Sight) {
	if s.Problem != "" {
		t.addSpanEvent(f, "agentc.call_refused", s, t.refusalAttributes(s))

		return
	}
	t.addSpanEvent(f, "agentc.call_answered", s, withAttributes(keyTool.String(s.Name)))
}

// endCallSpan is the span of a method of Funcs, which only workflows call.
func (t *tracer) endCallSpan(s core.Sight) {
	l, _ := t.laneOf(s)
	for len(l.stack) > 0 && !l.topFrame().flow && l.topFrame() != t.base {
		t.popFrame(l, s)
	}
	t.endEffectSpan(l.topFrame(), s, "call "+s.Name, trace.SpanKindInternal, s.Type, t.callAttributes(s), nil)
}

// endAnswerSpan is the span of a question to a person that was answered. Time in which no process waited is not part of it.
func (t *tracer) endAnswerSpan(s core.Sight) {
	f := t.agentFrame(s)
	if s.Again {
		return
	}
	t.endEffectSpan(f, s, "ask "+s.Name, trace.SpanKindInternal, "", t.answerAttributes(s), nil)
}

// addRetry keeps a repetition until its turn ends.
func (t *tracer) addRetry(s core.Sight) {
	t.conversationFrame(s)
	if s.Again {
		return
	}
	t.retries[s.Address] = append(t.retries[s.Address], note{"agentc.retry", s.Time, t.retryAttributes(s)})
	t.metrics.recordRetry(t.ctx, t.program.ownerOf(s.Agent))
}

// endEffectSpan is the span of an effect that has ended, of the type failed if it has failed.
func (t *tracer) endEffectSpan(
	f *frame, s core.Sight, name string, kind trace.SpanKind, failed string, more trace.SpanStartEventOption, notes []note,
) {
	t.startSpan(f)
	f.setFailure(failed, s.Problem)
	span := t.beginSpan(f.span, s.Address, name, s.Began, trace.WithSpanKind(kind), more)
	for _, n := range notes {
		span.AddEvent(n.name, trace.WithTimestamp(n.at), n.more)
	}
	if failed != "" {
		span.SetStatus(codes.Error, t.textOr(s.Problem, failed))
		span.SetAttributes(errorType(failed))
	}
	span.End(trace.WithTimestamp(s.Time))
}

// textOr is a text if texts are sent, else what replaces it.
func (t *tracer) textOr(text, instead string) string {
	if !t.content {
		return instead
	}

	return t.run.Redact(text)
}
