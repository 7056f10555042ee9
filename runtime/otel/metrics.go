package otel

import (
	"context"
	"slices"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// metrics are what all runs of a process count together.
type metrics struct {
	tokens, chats, agents, flows, tools metric.Float64Histogram
	runs, transitions, retries          metric.Int64Counter
	cost                                metric.Float64Counter
}

// The bounds that the conventions recommend.
var (
	tokenBounds = []float64{
		1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
	}
	secondBounds = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	longBounds   = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}
)

// newMetrics makes the instruments. Their names are known to be right, so that none of them can fail.
func newMetrics(m metric.Meter) *metrics {
	histogram := func(name, unit, text string, bounds []float64) metric.Float64Histogram {
		h, _ := m.Float64Histogram(name, metric.WithUnit(unit), metric.WithDescription(text),
			metric.WithExplicitBucketBoundaries(bounds...))

		return h
	}
	counter := func(name, unit, text string) metric.Int64Counter {
		c, _ := m.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(text))

		return c
	}
	cost, _ := m.Float64Counter("agentc.cost", metric.WithUnit("USD"), metric.WithDescription("What models have cost."))

	return &metrics{
		tokens:      histogram("gen_ai.client.token.usage", "{token}", "Number of input and output tokens used.", tokenBounds),
		chats:       histogram("gen_ai.client.operation.duration", "s", "GenAI operation duration.", secondBounds),
		agents:      histogram("gen_ai.invoke_agent.duration", "s", "How long agents ran.", longBounds),
		flows:       histogram("gen_ai.workflow.duration", "s", "How long workflows ran.", longBounds),
		tools:       histogram("gen_ai.execute_tool.duration", "s", "How long tools ran.", secondBounds),
		runs:        counter("agentc.runs", "{run}", "How often a process has left a run."),
		transitions: counter("agentc.transitions", "{transition}", "Rows that machines have taken."),
		retries:     counter("agentc.retries", "{retry}", "Calls of models that were made again."),
		cost:        cost,
	}
}

func durationOf(s core.Sight) float64 { return s.Time.Sub(s.Began).Seconds() }

func (m *metrics) recordChat(ctx context.Context, c chat, s core.Sight) {
	names := slices.Clip(c.modelAttributes())
	if c.failed != "" {
		m.chats.Record(ctx, durationOf(s), metric.WithAttributes(append(names, errorType(c.failed))...))
		return
	}
	m.chats.Record(ctx, durationOf(s), metric.WithAttributes(names...))
	m.tokens.Record(ctx, float64(s.Usage.Input), metric.WithAttributes(append(names, keyTokenType.String("input"))...))
	m.tokens.Record(ctx, float64(s.Usage.Output), metric.WithAttributes(append(names, keyTokenType.String("output"))...))
	if cost := s.Cost; cost > 0 {
		m.cost.Add(ctx, dollars(cost), metric.WithAttributes(names...))
	}
}

func (m *metrics) recordTool(ctx context.Context, s core.Sight) {
	all := attributes{keyOperation.String(executing), keyTool.String(s.Name)}
	all.addText(keyError, toolProblem(s))
	m.tools.Record(ctx, durationOf(s), metric.WithAttributes(all...))
}

// recordAgent counts an agent that has ended.
func (m *metrics) recordAgent(ctx context.Context, t *tracer, f *frame, at time.Time) {
	instrument := m.agents
	if t.operationName(f) == flowing {
		instrument = m.flows
	}
	all := t.nameAttributes(f)
	all.addText(keyError, f.failed)
	instrument.Record(ctx, max(at.Sub(f.began), 0).Seconds(), metric.WithAttributes(all...))
}

func (m *metrics) recordTransition(ctx context.Context, e event.Event) {
	m.transitions.Add(ctx, 1, metric.WithAttributes(keyMachine.String(e.Machine), keyState.String(e.State), keyTo.String(e.To)))
}

func (m *metrics) recordRetry(ctx context.Context, agent string) {
	m.retries.Add(ctx, 1, metric.WithAttributes(keyAgent.String(agent)))
}

// recordRun counts a run that leaves this process.
func (m *metrics) recordRun(ctx context.Context, t *tracer, s core.Sight) {
	of := attributes{keyProgram.String(t.run.Program.Name), keyAgent.String(t.run.Agent.Name), keyStatus.String(s.Status)}
	m.runs.Add(ctx, 1, metric.WithAttributes(of...))
	m.recordAgent(ctx, t, t.base, s.Time)
}
