package otel

import (
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/unknown"
)

// The names of the GenAI conventions, which are still in development: the package semconv of a later day has others.
const (
	keyOperation     = attribute.Key("gen_ai.operation.name")
	keyProvider      = attribute.Key("gen_ai.provider.name")
	keyAgent         = attribute.Key("gen_ai.agent.name")
	keyAgentText     = attribute.Key("gen_ai.agent.description")
	keyWorkflow      = attribute.Key("gen_ai.workflow.name")
	keyRequestModel  = attribute.Key("gen_ai.request.model")
	keyResponseModel = attribute.Key("gen_ai.response.model")
	keyTemperature   = attribute.Key("gen_ai.request.temperature")
	keyMaxTokens     = attribute.Key("gen_ai.request.max_tokens")
	keyOutputType    = attribute.Key("gen_ai.output.type")
	keyFinish        = attribute.Key("gen_ai.response.finish_reasons")
	keyInput         = attribute.Key("gen_ai.usage.input_tokens")
	keyOutput        = attribute.Key("gen_ai.usage.output_tokens")
	keyCached        = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	keyStored        = attribute.Key("gen_ai.usage.cache_creation.input_tokens")
	keyTokenType     = attribute.Key("gen_ai.token.type")
	keyTool          = attribute.Key("gen_ai.tool.name")
	keyToolType      = attribute.Key("gen_ai.tool.type")
	keyToolText      = attribute.Key("gen_ai.tool.description")
	keyToolCall      = attribute.Key("gen_ai.tool.call.id")
	keyToolArgs      = attribute.Key("gen_ai.tool.call.arguments")
	keyToolResult    = attribute.Key("gen_ai.tool.call.result")
	keySystem        = attribute.Key("gen_ai.system_instructions")
	keyInputText     = attribute.Key("gen_ai.input.messages")
	keyOutputText    = attribute.Key("gen_ai.output.messages")
	keyError         = attribute.Key("error.type")
)

// Names of our own, for what the conventions do not know.
const (
	keyRun      = attribute.Key("agentc.run.id")
	keyStatus   = attribute.Key("agentc.run.status")
	keyLeft     = attribute.Key("agentc.run.resumptions")
	keySteps    = attribute.Key("agentc.run.steps")
	keyProgram  = attribute.Key("agentc.program.name")
	keyShape    = attribute.Key("agentc.program.shape")
	keyText     = attribute.Key("agentc.program.text")
	keyPattern  = attribute.Key("agentc.agent.pattern")
	keyState    = attribute.Key("agentc.machine.state")
	keyMachine  = attribute.Key("agentc.machine.name")
	keyTo       = attribute.Key("agentc.transition.to")
	keyKey      = attribute.Key("agentc.transition.key")
	keyMatched  = attribute.Key("agentc.transition.matched")
	keyVisit    = attribute.Key("agentc.transition.visit")
	keyGuards   = attribute.Key("agentc.transition.guards")
	keyAddress  = attribute.Key("agentc.effect.address")
	keyRole     = attribute.Key("agentc.model.role")
	keyTurn     = attribute.Key("agentc.model.turn")
	keyTurns    = attribute.Key("agentc.usage.turns")
	keyCost     = attribute.Key("agentc.usage.cost")
	keyAttempts = attribute.Key("agentc.model.attempts")
	keyNext     = attribute.Key("agentc.retry.fallback")
	keyAttempt  = attribute.Key("agentc.retry.attempt")
	keyWait     = attribute.Key("agentc.retry.wait")
	keyQuestion = attribute.Key("agentc.question.name")
	keyChannel  = attribute.Key("agentc.question.channel")
	keyFunc     = attribute.Key("agentc.function.name")
	keyStep     = attribute.Key("agentc.step.name")
	keyLimit    = attribute.Key("agentc.budget.limit")
	keySpent    = attribute.Key("agentc.budget.spent")
	keyProblem  = attribute.Key("agentc.problem")
	keyAnswer   = attribute.Key("agentc.question.answer")
	keyOnce     = attribute.Key("agentc.call.idempotency_key")
	keyLink     = attribute.Key("agentc.link")
	keyServer   = attribute.Key("agentc.tool.server")
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

// text adds an attribute, if there is a text.
func (a *attributes) text(key attribute.Key, value string) {
	if value != "" {
		*a = append(*a, key.String(value))
	}
}

// count adds an attribute, if it has at least so much.
func (a *attributes) count(key attribute.Key, least, n int) {
	if n >= least {
		*a = append(*a, key.Int(n))
	}
}

// cost adds what something has cost, if that is known.
func (a *attributes) cost(micro int64) {
	if micro > 0 {
		*a = append(*a, keyCost.Float64(dollars(micro)))
	}
}

func with(attributes ...attribute.KeyValue) trace.SpanStartEventOption {
	return trace.WithAttributes(attributes...)
}

// operation is what the conventions call the running of an agent.
func (t *tracer) operation(f *frame) string {
	if a := t.program.agents[f.agent]; a != nil && a.Pattern == "workflow" && f.flow {
		return flowing
	}

	return invoking
}

func (t *tracer) agentName(f *frame) string { return t.operation(f) + " " + f.name }

// named are the operation and the name of an agent, on spans and metrics.
func (t *tracer) named(f *frame) attributes {
	operation := t.operation(f)
	if operation == flowing {
		return attributes{keyOperation.String(operation), keyWorkflow.String(f.name)}
	}

	return attributes{keyOperation.String(operation), keyAgent.String(f.name)}
}

func (t *tracer) agentAttributes(f *frame) []attribute.KeyValue {
	all := slices.Insert(t.named(f), 1, keyRun.String(t.run.Run))
	if a := t.program.agents[f.name]; a != nil {
		all = append(all, keyPattern.String(a.Pattern))
		all.text(keyAgentText, a.Description)
	}
	if f.above != nil {
		all.text(keyState, f.above.state)
	}

	return all
}

func (t *tracer) runAttributes(f *frame) []attribute.KeyValue {
	p := t.run.Program

	return append(t.agentAttributes(f), keyProgram.String(p.Name), keyShape.String(p.Shape), keyText.String(p.TextHash()),
		keyLeft.Int(t.run.Left))
}

// agentEnded says what an agent has used, and with which error it has ended.
func (t *tracer) agentEnded(f *frame) {
	if s := f.spent; s.turns > 0 {
		all := attributes{keyTurns.Int(s.turns), keyInput.Int(s.input), keyOutput.Int(s.output)}
		all.cost(s.cost)
		f.span.SetAttributes(all...)
	}
	if f.failed != "" {
		f.span.SetAttributes(errorType(f.failed))
		f.span.SetStatus(codes.Error, t.text(f.problem, f.failed))
	}
}

// left marks what is open when a process leaves the run.
func (t *tracer) left(s core.Sight) {
	var mark func(l *lane)
	mark = func(l *lane) {
		for _, b := range l.branches {
			mark(b)
		}
		for _, f := range l.stack {
			f.span.SetAttributes(keyStatus.String(s.Status))
		}
	}
	mark(t.base.lane)
}

// runEnded says how the run has ended, or how this process has left it.
func (t *tracer) runEnded(s core.Sight) {
	if s.Status == "failed" || s.Status == "cancelled" {
		if t.base.failed == "" {
			t.base.failed = t.newest
		}
	} else {
		t.base.fail("", "")
	}
	t.base.span.SetAttributes(keyStatus.String(s.Status), keySteps.Int(s.Count))
	t.agentEnded(t.base)
}

// moved is a transition. What an agent says is sent only as far as the machine knows the word: any other may be a text.
func (t *tracer) moved(s core.Sight) trace.EventOption {
	all := []attribute.KeyValue{
		keyMachine.String(s.Machine), keyState.String(s.State), keyTo.String(s.To), keyMatched.String(s.Matched), keyVisit.Int(s.Visit),
	}
	if t.content || s.Matched == "exact" || s.Matched == "folded" {
		all = append(all, keyKey.String(s.Key))
	}
	var guards []string
	for _, g := range s.Guards {
		guards = append(guards, g.Name+"="+strconv.FormatBool(g.OK))
	}
	if guards != nil {
		all = append(all, keyGuards.StringSlice(guards))
	}

	return with(all...)
}

func (t *tracer) repeated(s core.Sight) trace.EventOption {
	all := attributes{keyAttempt.Int(s.Count), keyWait.Float64(s.Wait.Seconds())}
	if s.Err != nil {
		all = append(all, errorType(failureOf(s.Err)))
	}
	_, next := split(s.Name)
	all.text(keyNext, next)

	return t.withProblem(s, all...)
}

func (t *tracer) refused(s core.Sight) trace.EventOption {
	if t.content {
		return t.withProblem(s, keyTool.String(t.run.Redact(s.Name)))
	}

	return t.withProblem(s)
}

// withProblem is an event with what was wrong, if texts are sent.
func (t *tracer) withProblem(s core.Sight, more ...attribute.KeyValue) trace.EventOption {
	if t.content {
		more = append(more, keyProblem.String(t.run.Redact(s.Problem)))
	}

	return with(more...)
}

func (t *tracer) paused(s core.Sight) trace.EventOption {
	return with(append(interrupted(s.Effect), keyQuestion.String(s.Name), keyChannel.String(s.Channel))...)
}

// interrupted is the call that a pause asks about, without its arguments; nil of any other question.
func interrupted(call *event.UnknownEffect) []attribute.KeyValue {
	if call == nil {
		return nil
	}
	name := keyTool
	if call.Kind == unknown.Function {
		name = keyFunc
	}

	all := attributes{name.String(call.Name), keyAddress.String(call.Address), keyOnce.String(call.Key)}
	all.text(keyAgent, call.Agent)

	return all
}

func (t *tracer) answerAttributes(s core.Sight) trace.SpanStartEventOption {
	all := []attribute.KeyValue{keyQuestion.String(s.Name), keyAddress.String(s.Address), keyRun.String(t.run.Run)}
	if t.content {
		all = append(all, keyAnswer.String(t.run.Redact(s.Value)))
	}

	return with(all...)
}

func (t *tracer) callAttributes(s core.Sight) trace.SpanStartEventOption {
	return with(keyFunc.String(s.Name), keyAddress.String(s.Address), keyRun.String(t.run.Run))
}

// dollars are what millionths of a dollar are.
func dollars(micro int64) float64 { return float64(micro) / 1e6 }
