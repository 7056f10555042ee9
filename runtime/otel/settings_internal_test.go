package otel

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestSpansHaveEverySetting: the span of a turn has the settings of its model, named as the conventions name them, or as
// agentc's own.
func TestSpansHaveEverySetting(t *testing.T) {
	want := map[string]string{
		"temperature": "gen_ai.request.temperature 1", "max_tokens": "gen_ai.request.max_tokens 2", "top_p": "gen_ai.request.top_p 1",
		"top_k": "gen_ai.request.top_k 2", "seed": "gen_ai.request.seed 2", "stop": `gen_ai.request.stop_sequences ["END","<\n>"]`,
		"reasoning": "agentc.model.reasoning high", "verbosity": "agentc.model.verbosity high",
		"parallel_tool_calls": "agentc.model.parallel_tool_calls true", "extra": `agentc.model.extra {"service_tier":"default"}`,
	}
	for _, setting := range model.SettingTable() {
		choice := &model.Choice{Name: "a:b", Settings: settingtest.Example(t, setting)}
		all := requestAttributes(&model.Request{Model: choice})
		if len(all) != 1 || string(all[0].Key)+" "+all[0].Value.String() != want[setting.Name] {
			t.Errorf("%s is %v", setting.Name, all)
		}
	}
}
