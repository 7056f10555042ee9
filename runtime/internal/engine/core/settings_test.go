package core_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestEverySettingResolves: the agent's own value counts more than the variable's, and that more
// than the role's.
func TestEverySettingResolves(t *testing.T) {
	for _, setting := range model.SettingTable() {
		var one, two model.Settings
		values := settingtest.Values(setting)
		settingtest.Set(t, setting, &one, values[0])
		settingtest.Set(t, setting, &two, values[1])
		p := &compiled.Program{Models: []compiled.Role{{Role: "worker", Name: "a:b", Settings: one}}}
		env := variables{"AGENTC_MODEL_WORKER_" + strings.ToUpper(setting.Name): values[1]}
		for what, c := range map[string]struct {
			choice model.Choice
			env    variables
			want   model.Settings
		}{
			"the role":     {model.Choice{Role: "worker"}, nil, one},
			"the variable": {model.Choice{Role: "worker"}, env, two},
			"the agent":    {model.Choice{Role: "worker", Settings: one}, env, one},
		} {
			m, err := core.Resolve(p, &c.choice, c.env.lookup)
			if err != nil || setting.Text(m.Settings) != setting.Text(c.want) {
				t.Errorf("%s of %s: %q, %v", setting.Name, what, setting.Text(m.Settings), err)
			}
			if asked := m.Choice("worker"); asked.Settings != m.Settings {
				t.Errorf("%s of %s: a request has %+v", setting.Name, what, asked.Settings)
			}
		}
	}
}
