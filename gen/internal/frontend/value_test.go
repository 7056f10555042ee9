package frontend_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/size"
	"github.com/agentc-dev/agentc/schema"
)

// TestDurations: the schemas let pass what is read as a duration, and nothing else that a person might write.
func TestDurations(t *testing.T) {
	patterns := regexp.MustCompile(`"pattern": ("[^\n]*\(ms\|[^\n]*")`)
	read := map[string]bool{}
	for _, text := range []string{
		"500ms", "30s", "90 seconds", "5m", "20min", "5 minutes", "1h30m", "1h 30m", "0.5h", "7d", "1 day", "2 weeks", "1w", "99999999999 weeks",
		"", "7", "d", "-1s", "1h-30m", "30 s.", "1 moon", "s30", "1e3s", "30S", "30s ", "two days",
	} {
		d, err := size.Duration(text)
		read[text] = err == nil || d > 0
	}
	found := 0
	for _, name := range []string{"agent", "config"} {
		document, _ := schema.Text(name)
		for _, quoted := range patterns.FindAllSubmatch(document, -1) {
			found++
			var pattern string
			if err := json.Unmarshal(quoted[1], &pattern); err != nil {
				t.Fatal(err)
			}
			for text, want := range read {
				if regexp.MustCompile(pattern).MatchString(text) != want {
					t.Errorf("%q is read: %v, and %s has it otherwise", text, want, pattern)
				}
			}
		}
	}
	if found != 3 {
		t.Errorf("%d patterns of durations", found)
	}
}

// TestEverySettingIsRead: each setting of a model is read by its name, and one that is too large is reported.
func TestEverySettingIsRead(t *testing.T) {
	for _, setting := range model.SettingTable() {
		for value, want := range map[string]string{"2": "2", "2.0": "2", "true": "", "[1]": "", "9e99": "9e+99"} {
			if setting.IsWhole() && value == "9e99" {
				want = ""
			}
			var list diag.List
			document, problems := yamldoc.Parse(&source.File{Path: "a.yaml", Bytes: []byte(setting.Name + ": " + value + "\n")})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			settings := frontend.New(nil, &list).ReadSettings(document)
			if got := setting.Text(settings); got != want {
				t.Errorf("%s: %s is read as %q, not %q", setting.Name, value, got, want)
			}
			if reported := list.HasErrors(); reported != (setting.IsWhole() && value == "9e99") {
				t.Errorf("%s: %s is reported: %t", setting.Name, value, reported)
			}
		}
	}
}
