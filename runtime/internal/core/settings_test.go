package core_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestEverySettingResolves: the agent's own value counts more than the variable's, and that more than the role's.
func TestEverySettingResolves(t *testing.T) {
	for _, setting := range model.SettingTable() {
		var one, two model.Settings
		setting.Set(&one, 1)
		setting.Set(&two, 2)
		p := &compiled.Program{Models: []compiled.Role{{Role: "worker", Name: "a:b", Settings: one}}}
		env := variables{"AGENTC_MODEL_WORKER_" + strings.ToUpper(setting.Name): setting.Text(two)}
		for what, c := range map[string]struct {
			choice model.Choice
			env    variables
			want   string
		}{
			"the role":     {model.Choice{Role: "worker"}, nil, "1"},
			"the variable": {model.Choice{Role: "worker"}, env, "2"},
			"the agent":    {model.Choice{Role: "worker", Settings: one}, env, "1"},
		} {
			m, err := core.Resolve(p, &c.choice, c.env.lookup)
			if err != nil || setting.Text(m.Settings) != c.want {
				t.Errorf("%s of %s: %q, %v", setting.Name, what, setting.Text(m.Settings), err)
			}
			if asked := m.Choice("worker"); asked.Settings != m.Settings {
				t.Errorf("%s of %s: a request has %+v", setting.Name, what, asked.Settings)
			}
		}
	}
}
