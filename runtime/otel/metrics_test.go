package otel_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestMetrics: what all runs of a process have used and done is counted together.
func TestMetrics(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	var asked atomic.Int32
	config := core.Config{Asker: boss{}, Retry: model.Retry{Attempts: 3, First: time.Nanosecond}}
	config.Model = model.ProviderFunc(func(ctx context.Context, q model.Request) (model.Reply, error) {
		if asked.Add(1) == 1 {
			return model.Reply{}, &model.Error{Class: model.Overloaded}
		}

		return llm(ctx, q)
	})
	engine := core.New(config)
	for range 2 {
		if _, err := engine.Run(context.Background(), desk(), "", "x"); err != nil {
			t.Fatal(err)
		}
	}
	if told := closed(); told != "" {
		t.Fatal(told)
	}

	// Two runs of three turns of the writer, and of two judges.
	tokens := map[string]float64{}
	for _, p := range r.metric(t, "gen_ai.client.token.usage").GetHistogram().DataPoints {
		key := attributeOf(p.Attributes, "gen_ai.provider.name") + " " + attributeOf(p.Attributes, "gen_ai.response.model") + " " +
			attributeOf(p.Attributes, "gen_ai.token.type")
		tokens[key] = p.GetSum()
	}
	for key, want := range map[string]float64{
		"openai gpt-x-2026 input": 600, "openai gpt-x-2026 output": 60,
		"anthropic claude-x-2026 input": 400, "anthropic claude-x-2026 output": 40,
	} {
		if tokens[key] != want {
			t.Errorf("%s: %v, want %v", key, tokens[key], want)
		}
	}
	for name, want := range map[string]uint64{
		"gen_ai.client.operation.duration": 10, "gen_ai.execute_tool.duration": 4, "gen_ai.invoke_agent.duration": 12,
	} {
		var got uint64
		for _, p := range r.metric(t, name).GetHistogram().DataPoints {
			got += p.Count
		}
		if got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]int64{"agentc.runs": 2, "agentc.transitions": 6, "agentc.retries": 1} {
		var got int64
		for _, p := range r.metric(t, name).GetSum().DataPoints {
			got += p.GetAsInt()
		}
		if got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	var cost float64
	for _, p := range r.metric(t, "agentc.cost").GetSum().DataPoints {
		cost += p.GetAsDouble()
	}
	if want := 0.025; cost < want-1e-9 || cost > want+1e-9 {
		t.Errorf("the cost is %v", cost)
	}
}
