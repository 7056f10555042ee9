package core

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestDigestHasEverySetting: a fork notices that a model is asked with other settings than were
// recorded.
func TestDigestHasEverySetting(t *testing.T) {
	digests := map[digest]string{noDigest: "no setting"}
	for _, setting := range model.SettingTable() {
		for _, value := range settingtest.Values(setting) {
			var s model.Settings
			settingtest.Set(t, setting, &s, value)
			d := noDigest.addSettings(s)
			what := setting.Name + " " + setting.Text(s)
			if other, known := digests[d]; known {
				t.Errorf("a request with %s has the digest of one with %s", what, other)
			}
			digests[d] = what
		}
	}
}

// TestDigestsStay: the digests of settings that journals have had from the beginning have no names.
func TestDigestsStay(t *testing.T) {
	warm, most := 0.5, 9
	for _, c := range []struct {
		settings model.Settings
		want     digest
	}{
		{model.Settings{}, noDigest},
		{model.Settings{Temperature: &warm}, noDigest.add("0.5")},
		{model.Settings{MaxTokens: &most}, noDigest.addNumber(9)},
		{model.Settings{Temperature: &warm, MaxTokens: &most}, noDigest.add("0.5").addNumber(9)},
	} {
		if got := noDigest.addSettings(c.settings); got != c.want {
			t.Errorf("%+v: %s, not %s", c.settings, got, c.want)
		}
	}
}
