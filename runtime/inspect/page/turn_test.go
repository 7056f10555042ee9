package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/model"
)

// TestTurnsHaveEverySetting: a turn has the settings of its model under their names.
func TestTurnsHaveEverySetting(t *testing.T) {
	for _, setting := range model.SettingTable() {
		choice := &model.Choice{Name: "a:b"}
		setting.Set(&choice.Settings, 2)
		text, err := json.Marshal(turnOf("r", "1", &model.Request{Agent: "a", Model: choice}))
		if err != nil || !strings.Contains(string(text), `"`+setting.Name+`":2`) {
			t.Errorf("no %s in %s, %v", setting.Name, text, err)
		}
	}
}
