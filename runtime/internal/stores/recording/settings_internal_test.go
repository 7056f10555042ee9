package recording

import (
	"bytes"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestDigestHasEverySetting: requests with other settings have other digests, so that none is answered with what a model
// said when it was asked in another way.
func TestDigestHasEverySetting(t *testing.T) {
	digests := map[digest]string{}
	add := func(what string, s model.Settings) {
		q := &request{system: "s", settings: s, tools: []tool{{Name: "t"}}}
		d := q.keyOf(digest{})
		if other, known := digests[d]; known {
			t.Errorf("a request with %s has the digest of one with %s", what, other)
		}
		digests[d] = what
	}
	add("no setting", model.Settings{})
	var all model.Settings
	for i, setting := range model.SettingTable() {
		for _, value := range settingtest.Values(setting) {
			var s model.Settings
			settingtest.Set(t, setting, &s, value)
			add(setting.Name+" "+setting.Text(s), s)
			settingtest.Set(t, setting, &all, value)
		}
		if i > 0 {
			add("all settings up to "+setting.Name, all)
		}
	}
}

// TestDigestsStay: the digests of settings that recordings have had from the beginning are those of older recordings.
func TestDigestsStay(t *testing.T) {
	for values, want := range map[[2]string]string{
		{"", ""}:     "0bfff51fb9a5339bd89de709",
		{"0.5", ""}:  "52fad30867d0936d3e7a0e6e",
		{"", "9"}:    "0d2e908b37c4a6a81e7cb91f",
		{"0.5", "9"}: "1511d83d2ed0056856b5c28f",
	} {
		q := &request{system: "s"}
		for i, name := range []string{"temperature", "max_tokens"} {
			for _, setting := range model.SettingTable() {
				if setting.Name != name || values[i] == "" {
					continue
				}
				if err := setting.Parse(&q.settings, values[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := q.keyOf(digest{}).String(); got != want {
			t.Errorf("temperature %q, max_tokens %q: %s, not %s", values[0], values[1], got, want)
		}
	}
}

// TestComparisonHasEverySetting: what differs between a recorded request and another one is displayed.
func TestComparisonHasEverySetting(t *testing.T) {
	for _, setting := range model.SettingTable() {
		s := settingtest.Example(t, setting)
		got := compareRequests(&request{}, &request{settings: s})
		if want := "-" + setting.Name + ": not set\n+" + setting.Name + ": " + setting.Text(s); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestLinesKeepEverySetting: a setting is in its line under its name, and read from there.
func TestLinesKeepEverySetting(t *testing.T) {
	for _, setting := range model.SettingTable() {
		q := &request{system: "s", settings: settingtest.Example(t, setting)}
		value := setting.Text(q.settings)
		d := newDecoder("r.jsonl")
		text, err := d.appendHeader(nil, header{Format: format, Version: version})
		if err == nil {
			text, err = d.appendLine(text, q, line{Reply: &reply{Text: "yes"}})
		}
		if err != nil || !strings.Contains(string(text), `"`+setting.Name+`":`+value) {
			t.Fatalf("%s, %v", text, err)
		}
		r, err := Read(bytes.NewReader(text), "r.jsonl")
		if err != nil || setting.Text(r.entries[0].request.settings) != value {
			t.Errorf("%s is read of %s as %+v, %v", setting.Name, text, r, err)
		}
	}
}
