package frontend_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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
		if !setting.IsNumber() {
			continue
		}
		for value, want := range map[string]string{"2": "2", "2.0": "2", "true": "", "[1]": "", "9e99": "9e+99"} {
			if setting.Kind == model.KindWhole && value == "9e99" {
				want = ""
			}
			settings, list := readSettings(t, setting.Name+": "+value)
			if got := setting.Text(settings); got != want {
				t.Errorf("%s: %s is read as %q, not %q", setting.Name, value, got, want)
			}
			if reported := list.HasErrors(); reported != (setting.Kind == model.KindWhole && value == "9e99") {
				t.Errorf("%s: %s is reported: %t", setting.Name, value, reported)
			}
		}
	}
}

// readSettings reads the settings of a document.
func readSettings(t *testing.T, text string) (model.Settings, *diag.List) {
	t.Helper()
	document, problems := yamldoc.Parse(&source.File{Path: "a.yaml", Bytes: []byte(text + "\n")})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var list diag.List

	return frontend.New(nil, &list).ReadSettings(document), &list
}

// TestOtherSettingsAreRead: settings that are no numbers are read, in the notations of YAML; values that the schema
// refuses are not.
func TestOtherSettingsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`stop: [END, "\n"]`:                `["END","\n"]`,
		`stop: [a, b, c, d, e]`:            "",
		`stop: END`:                        "",
		`stop: [1]`:                        "",
		`reasoning: none`:                  `"none"`,
		`reasoning: most`:                  "",
		`reasoning: 1`:                     "",
		`verbosity: "low"`:                 `"low"`,
		`parallel_tool_calls: False`:       "false",
		`parallel_tool_calls: "true"`:      "",
		`extra: {b: [1, null], a: {c: x}}`: `{"a":{"c":"x"},"b":[1,null]}`,
		`extra: [a]`:                       "",
		`extra: {a: .inf, b: 0x1F}`:        `{"a":".inf","b":31}`,
	} {
		settings, list := readSettings(t, text)
		name, _, _ := strings.Cut(text, ":")
		for _, setting := range model.SettingTable() {
			wanted := want
			if setting.Name != name {
				wanted = ""
			}
			if got := setting.Text(settings); got != wanted {
				t.Errorf("%s: %s is %q, not %q", text, setting.Name, got, wanted)
			}
		}
		if list.HasErrors() {
			t.Errorf("%s is reported", text)
		}
	}
}

// TestSentMembers: further settings cannot replace what the clients of models send, and each such member is reported.
func TestSentMembers(t *testing.T) {
	settings, list := readSettings(t, "extra: {service_tier: flex, stream: true, top_k: 1}")
	if settings.Extra != nil || len(list.Sorted()) != 2 {
		t.Errorf("read as %v, with %d problems", settings.Extra, len(list.Sorted()))
	}
}

// TestLackedSettings: a setting that the providers of all models lack is reported, unless the project has the provider's
// package.
func TestLackedSettings(t *testing.T) {
	own := &ir.Program{Providers: []*ir.Provider{{Name: ir.Text{Value: "anthropic"}, Import: ir.Text{Value: "example.com/acme"}}}}
	for _, c := range []struct {
		program *ir.Program
		models  []ir.Text
		want    int
	}{
		{&ir.Program{}, []ir.Text{{Value: "anthropic:a"}}, 1},
		{&ir.Program{}, []ir.Text{{Value: "anthropic:a"}, {Value: "openai:b"}}, 0},
		{&ir.Program{}, []ir.Text{{}}, 0},
		{&ir.Program{}, nil, 0},
		{own, []ir.Text{{Value: "anthropic:a"}}, 0},
	} {
		document, _ := yamldoc.Parse(&source.File{Path: "a.yaml", Bytes: []byte("seed: 1\n")})
		var list diag.List
		p := frontend.New(nil, &list)
		p.Program = c.program
		p.ReadSettings(document, c.models...)
		if list.Len() != c.want || list.HasErrors() {
			t.Errorf("%v: %d problems, not %d", c.models, list.Len(), c.want)
		}
	}
}
