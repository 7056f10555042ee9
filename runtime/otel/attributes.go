package otel

import (
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
)

// Names that are used in several places, of the GenAI conventions, which are still in development: the package semconv of a later day has
// others.
const (
	keyOperation = attribute.Key("gen_ai.operation.name")
	keyAgent     = attribute.Key("gen_ai.agent.name")
	keyInput     = attribute.Key("gen_ai.usage.input_tokens")
	keyOutput    = attribute.Key("gen_ai.usage.output_tokens")
	keyTokenType = attribute.Key("gen_ai.token.type")
	keyTool      = attribute.Key("gen_ai.tool.name")
	keyError     = attribute.Key("error.type")
)

// Names of our own, for what the conventions do not know.
const (
	keyRun      = attribute.Key("agentc.run.id")
	keyStatus   = attribute.Key("agentc.run.status")
	keyProgram  = attribute.Key("agentc.program.name")
	keyState    = attribute.Key("agentc.machine.state")
	keyMachine  = attribute.Key("agentc.machine.name")
	keyTo       = attribute.Key("agentc.transition.to")
	keyAddress  = attribute.Key("agentc.effect.address")
	keyQuestion = attribute.Key("agentc.question.name")
	keyFunc     = attribute.Key("agentc.function.name")
	keyLink     = attribute.Key("agentc.link")
)

const (
	chatting  = "chat"
	invoking  = "invoke_agent"
	flowing   = "invoke_workflow"
	executing = "execute_tool"
)

// The targets of links: the span of an earlier process, or of the caller that resumes the run.
var (
	attributesOfLink    = []attribute.KeyValue{keyLink.String("earlier")}
	attributesOfResumer = []attribute.KeyValue{keyLink.String("caller")}
)

func errorType(of string) attribute.KeyValue { return keyError.String(of) }

// attributes are those of a span, an event or a metric.
type attributes []attribute.KeyValue

// addText adds an attribute, if there is a text.
func (a *attributes) addText(key attribute.Key, value string) {
	if value != "" {
		*a = append(*a, key.String(value))
	}
}

// addCount adds an attribute, if it has at least so much.
func (a *attributes) addCount(key attribute.Key, least, n int) {
	if n >= least {
		*a = append(*a, key.Int(n))
	}
}

// addCost adds the cost of something, if it is known.
func (a *attributes) addCost(micro int64) {
	if micro > 0 {
		*a = append(*a, attribute.Float64("agentc.usage.cost", dollars(micro)))
	}
}

func withAttributes(attributes ...attribute.KeyValue) trace.SpanStartEventOption {
	return trace.WithAttributes(attributes...)
}

// operationName returns the name that the conventions have for the execution of an agent.
func (t *tracer) operationName(f *frame) string {
	if f.flow && t.program[f.agent].Pattern == "workflow" {
		return flowing
	}

	return invoking
}

func (t *tracer) agentName(f *frame) string { return t.operationName(f) + " " + f.name }

// nameAttributes returns the operation and the name of an agent, for spans and metrics.
func (t *tracer) nameAttributes(f *frame) attributes {
	operation := t.operationName(f)
	if operation == flowing {
		return attributes{keyOperation.String(operation), attribute.String("gen_ai.workflow.name", f.name)}
	}

	return attributes{keyOperation.String(operation), keyAgent.String(f.name)}
}

func (t *tracer) agentAttributes(f *frame) []attribute.KeyValue {
	all := slices.Insert(t.nameAttributes(f), 1, keyRun.String(t.run.Run))
	if a, ok := t.program[f.name]; ok {
		all = append(all, attribute.String("agentc.agent.pattern", a.Pattern))
		all.addText("gen_ai.agent.description", a.Description)
	}
	if f.above != nil {
		all.addText(keyState, f.above.state)
	}

	return all
}

func (t *tracer) runAttributes(f *frame) []attribute.KeyValue {
	p := t.run.Program

	return append(t.agentAttributes(f),
		keyProgram.String(p.Name), attribute.String("agentc.program.shape", p.Shape), attribute.String("agentc.program.text", p.TextHash()),
		attribute.Int("agentc.run.resumptions", t.run.Left))
}

// agentEnded reports the usage of an agent, and the error with which it has ended.
func (t *tracer) agentEnded(f *frame) {
	if s := f.spent; s.turns > 0 {
		all := attributes{attribute.Int("agentc.usage.turns", s.turns), keyInput.Int(s.input), keyOutput.Int(s.output)}
		all.addCost(s.cost)
		f.span.SetAttributes(all...)
	}
	if f.failed != "" {
		f.span.SetAttributes(errorType(f.failed))
		f.span.SetStatus(codes.Error, t.textOr(f.problem, f.failed))
	}
}

// runEnded reports how the run has ended, or how this process has left it.
func (t *tracer) runEnded(s core.Sight) {
	if s.Status == "failed" || s.Status == "cancelled" {
		if t.base.failed == "" {
			t.base.failed = t.newest
		}
	} else {
		t.base.setFailure("", "")
	}
	t.base.span.SetAttributes(keyStatus.String(s.Status), attribute.Int("agentc.run.steps", s.Count))
	t.agentEnded(t.base)
}

// transitionAttributes is a transition. What an agent says is sent only as far as the machine knows the word: any other may be a text.
func (t *tracer) transitionAttributes(s core.Sight) trace.EventOption {
	all := []attribute.KeyValue{
		keyMachine.String(s.Machine), keyState.String(s.State), keyTo.String(s.To),
		attribute.String("agentc.transition.matched", s.Matched), attribute.Int("agentc.transition.visit", s.Visit),
	}
	if t.content || s.Matched == "exact" || s.Matched == "folded" {
		all = append(all, attribute.String("agentc.transition.key", s.Key))
	}
	var guards []string
	for _, g := range s.Guards {
		guards = append(guards, g.Name+"="+strconv.FormatBool(g.OK))
	}
	if guards != nil {
		all = append(all, attribute.StringSlice("agentc.transition.guards", guards))
	}

	return withAttributes(all...)
}

func (t *tracer) retryAttributes(s core.Sight) trace.EventOption {
	all := attributes{attribute.Int("agentc.retry.attempt", s.Count), attribute.Float64("agentc.retry.wait", s.Wait.Seconds())}
	if s.Err != nil {
		all = append(all, errorType(failureOf(s.Err)))
	}
	_, next := splitModelName(s.Name)
	all.addText("agentc.retry.fallback", next)

	return t.withProblem(s, all...)
}

func (t *tracer) refusalAttributes(s core.Sight) trace.EventOption {
	if t.content {
		return t.withProblem(s, keyTool.String(t.run.Redact(s.Name)))
	}

	return t.withProblem(s)
}

// noteAttributes are the attributes of a note, as its row says. Those that may contain texts of people and models are sent if texts are.
func (t *tracer) noteAttributes(note *eventkind.Note, s core.Sight) trace.EventOption {
	kind, fields := eventkind.Of(string(s.Kind)), s.Fields()
	var all []attribute.KeyValue
	for _, a := range note.Attributes {
		value := eventtext.Value(fields, a.Field)
		if f := kind.Field(a.Field); f != nil && f.IsNumber() {
			number, _ := strconv.ParseInt(value, 10, 64) // what is not recorded is 0
			all = append(all, attribute.Int64(a.Key, number))
			continue
		}
		if a.Private {
			if !t.content {
				continue
			}
			value = t.run.Redact(value)
		}
		all = append(all, attribute.String(a.Key, value))
	}

	return withAttributes(all...)
}

// withProblem is an event with what was wrong, if texts are sent.
func (t *tracer) withProblem(s core.Sight, more ...attribute.KeyValue) trace.EventOption {
	if t.content {
		more = append(more, attribute.String("agentc.problem", t.run.Redact(s.Problem)))
	}

	return withAttributes(more...)
}

func (t *tracer) pauseAttributes(s core.Sight) trace.EventOption {
	return withAttributes(append(interruptedAttributes(s.Effect), keyQuestion.String(s.Name), attribute.String("agentc.question.channel", s.Channel))...)
}

// interruptedAttributes describes the call that a pause asks about, without its arguments; nil for
// any other question.
func interruptedAttributes(call *event.UnknownEffect) []attribute.KeyValue {
	if call == nil {
		return nil
	}
	name := keyTool
	if call.Kind == unknown.Function {
		name = keyFunc
	}

	all := attributes{name.String(call.Name), keyAddress.String(call.Address), attribute.String("agentc.call.idempotency_key", call.Key)}
	all.addText(keyAgent, call.Agent)

	return all
}

func (t *tracer) answerAttributes(s core.Sight) trace.SpanStartEventOption {
	all := []attribute.KeyValue{keyQuestion.String(s.Name), keyAddress.String(s.Address), keyRun.String(t.run.Run)}
	if t.content {
		all = append(all, attribute.String("agentc.question.answer", t.run.Redact(s.Value)))
	}

	return withAttributes(all...)
}

func (t *tracer) callAttributes(s core.Sight) trace.SpanStartEventOption {
	return withAttributes(keyFunc.String(s.Name), keyAddress.String(s.Address), keyRun.String(t.run.Run))
}

// dollars are what millionths of a dollar are.
func dollars(micro int64) float64 { return float64(micro) / 1e6 }
