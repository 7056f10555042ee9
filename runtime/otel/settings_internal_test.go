package otel

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/model"
)

// TestSpansHaveEverySetting: the span of a turn has the settings of its model, named as the conventions name them.
func TestSpansHaveEverySetting(t *testing.T) {
	for _, setting := range model.SettingTable() {
		choice := &model.Choice{Name: "a:b"}
		setting.Set(&choice.Settings, 2)
		all := requestAttributes(&model.Request{Model: choice})
		if len(all) != 1 || string(all[0].Key) != "gen_ai.request."+setting.Name || all[0].Value.String() != "2" {
			t.Errorf("%s is %v", setting.Name, all)
		}
	}
}
