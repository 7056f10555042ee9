package page

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestTurnsHaveEverySetting: a turn has the settings of its model under their names.
func TestTurnsHaveEverySetting(t *testing.T) {
	for _, setting := range model.SettingTable() {
		choice := &model.Choice{Name: "a:b", Settings: settingtest.Example(t, setting)}
		text, err := jsontext.Marshal(turnOf("r", "1", &model.Request{Agent: "a", Model: choice}))
		if err != nil || !strings.Contains(string(text), `"`+setting.Name+`":`+setting.Text(choice.Settings)) {
			t.Errorf("no %s in %s, %v", setting.Name, text, err)
		}
	}
}
