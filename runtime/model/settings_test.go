package model_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/settingtest"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestSettingTable: each field of Settings has a row, in the order of the fields, and its JSON name is that of the row.
func TestSettingTable(t *testing.T) {
	fields := reflect.VisibleFields(reflect.TypeFor[model.Settings]())
	table := model.SettingTable()
	if len(table) != len(fields) {
		t.Fatalf("%d rows for %d fields", len(table), len(fields))
	}
	for i, row := range table {
		if row.Field != fields[i].Name {
			t.Errorf("row %d is %s, and field %d is %s", i, row.Field, i, fields[i].Name)
		}
		if row.Name == "" || row.Title == "" || row.Doc == "" || row.IsNumber() && row.Min >= row.Max {
			t.Errorf("%s: name %q, title %q, sentence %q, from %g to %g", row.Field, row.Name, row.Title, row.Doc, row.Min, row.Max)
		}

		s := settingtest.Example(t, row)
		if reflect.TypeOf(row.Value(s)) != fields[i].Type.Elem() {
			t.Errorf("%s: the value is a %T, and the field is a %s", row.Field, row.Value(s), fields[i].Type)
		}
		text, err := jsontext.Marshal(model.NamedSettings(s))
		if err != nil || string(text) != `{"`+row.Name+`":`+row.Text(s)+`}` {
			t.Errorf("%s as JSON is %s, %v", row.Field, text, err)
		}
		var read model.NamedSettings
		if err := json.Unmarshal(text, &read); err != nil || !reflect.DeepEqual(model.Settings(read), s) {
			t.Errorf("%s is read as %+v, %v", text, read, err)
		}
		if reflect.ValueOf(s).Field(i).IsNil() {
			t.Errorf("row %s does not set its field: %+v", row.Name, s)
		}
		for _, other := range table {
			if (other.Value(s) != nil) != (other.Name == row.Name) || (other.Text(s) != "") != (other.Name == row.Name) {
				t.Errorf("%s is set, and %s is %v, %q", row.Name, other.Name, other.Value(s), other.Text(s))
			}
		}
		row.Clear(&s)
		if s != (model.Settings{}) {
			t.Errorf("without %s there is %+v", row.Name, s)
		}
	}
}

// TestSettingsOr: each setting counts on its own.
func TestSettingsOr(t *testing.T) {
	for _, row := range model.SettingTable() {
		var first, second model.Settings
		for _, other := range model.SettingTable() {
			settingtest.Set(t, other, &second, settingtest.Values(other)[1])
		}
		settingtest.Set(t, row, &first, settingtest.Values(row)[0])
		both := first.Or(second)
		for _, other := range model.SettingTable() {
			want := other.Text(second)
			if other.Name == row.Name {
				want = other.Text(first)
			}
			if got := other.Text(both); got != want {
				t.Errorf("%s of the first alone: %s is %s, not %s", row.Name, other.Name, got, want)
			}
		}
		if other := (model.Settings{}).Or(first); row.Text(other) != row.Text(first) {
			t.Errorf("%s of the second alone is %q", row.Name, row.Text(other))
		}
	}
}

// TestParseSetting: the bounds belong to the range; what is outside, and what is no number, is described.
func TestParseSetting(t *testing.T) {
	ranges := map[string]string{
		"temperature": "number from 0 to 2", "max_tokens": "whole number above 0", "top_p": "number from 0 to 1",
		"seed": "whole number of at least 0", "stop": "list of 1 to 4 texts", "verbosity": "level: low, medium or high",
	}
	for _, row := range model.SettingTable() {
		if want := ranges[row.Name]; want != "" && row.Range() != want {
			t.Errorf("%s is a %s, not a %s", row.Name, row.Range(), want)
		}
		if !row.IsNumber() {
			continue
		}
		accepted := []float64{row.Min}
		refused := []string{"", "x", "NaN", "1 ", text(row.Min - 1)}
		if math.IsInf(row.Max, 1) {
			refused = append(refused, "Inf", "-Inf")
		} else {
			accepted = append(accepted, row.Max)
			refused = append(refused, text(row.Max+1))
		}
		if row.Kind == model.KindWhole {
			refused = append(refused, "1.5")
		}
		for _, value := range accepted {
			var s model.Settings
			if err := row.Parse(&s, text(value)); err != nil || row.Text(s) != text(value) {
				t.Errorf("%s: %g is read as %q, %v", row.Name, value, row.Text(s), err)
			}
		}
		for _, value := range refused {
			var s model.Settings
			err := row.Parse(&s, value)
			if err == nil || err.Error() != "is not a "+row.Range() || row.Value(s) != nil {
				t.Errorf("%s: %q is read as %v, %v", row.Name, value, row.Value(s), err)
			}
		}
	}
}

// TestParseOtherSettings: what is no number is read as JSON, or as the word that it is.
func TestParseOtherSettings(t *testing.T) {
	rows := map[string]*model.Setting{}
	for _, row := range model.SettingTable() {
		rows[row.Name] = row
	}
	for _, c := range []struct{ name, text, want string }{
		{"stop", `["a"]`, `["a"]`},
		{"stop", ` [ "a", "b\n", "c", "<d>" ] `, `["a","b\n","c","<d>"]`},
		{"stop", `["a","b","c","d","e"]`, ""},
		{"stop", `[]`, ""},
		{"stop", `[""]`, ""},
		{"stop", `[1]`, ""},
		{"stop", `END`, ""},
		{"reasoning", "none", `"none"`},
		{"reasoning", "minimal", `"minimal"`},
		{"reasoning", "most", ""},
		{"reasoning", `"low"`, ""},
		{"verbosity", "high", `"high"`},
		{"verbosity", "none", ""},
		{"verbosity", "", ""},
		{"parallel_tool_calls", "true", "true"},
		{"parallel_tool_calls", "false", "false"},
		{"parallel_tool_calls", "yes", ""},
		{"extra", `{}`, `{}`},
		{"extra", ` {"b": 1.50, "a": {"d": "<", "c": null}} `, `{"a":{"c":null,"d":"<"},"b":1.50}`},
		{"extra", `{"a":1} {}`, ""},
		{"extra", `[1]`, ""},
		{"extra", `null`, ""},
		{"extra", `{"a":`, ""},
		{"extra", `{"model":"x"}`, ""},
		{"extra", `{"top_k":1}`, ""},
		{"extra", `{"reasoning_effort":"low"}`, ""},
	} {
		var s model.Settings
		err := rows[c.name].Parse(&s, c.text)
		if got := rows[c.name].Text(s); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %s is read as %s, %v", c.name, c.text, got, err)
		}
		if err != nil && err.Error() != "is not a "+rows[c.name].Range() {
			t.Errorf("%s: %s: %v", c.name, c.text, err)
		}
	}
}

// TestAppendMembers: further settings follow the other members of a request.
func TestAppendMembers(t *testing.T) {
	for object, want := range map[model.Object]string{"{}": `{"a":1`, `{"b":2,"c":3}`: `{"a":1,"b":2,"c":3`} {
		if got := string(object.AppendMembers([]byte(`{"a":1`))); got != want {
			t.Errorf("%s: %s, not %s", object, got, want)
		}
	}
}

// TestOlderChoices: a choice is written to JSON with the names of Go, and one that was written before a setting existed
// is read; the histories of Temporal have them.
func TestOlderChoices(t *testing.T) {
	const older = `{"Role":"worker","Name":"a:b","Temperature":0.5,"MaxTokens":9}`
	var c model.Choice
	if err := json.Unmarshal([]byte(older), &c); err != nil {
		t.Fatal(err)
	}
	warm, most := 0.5, 9
	want := model.Choice{Role: "worker", Name: "a:b", Settings: model.Settings{Temperature: &warm, MaxTokens: &most}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%s is read as %+v", older, c)
	}
	text, err := json.Marshal(c)
	if err != nil || !strings.HasPrefix(string(text), strings.TrimSuffix(older, "}")) {
		t.Errorf("%s is written as %s, %v", older, text, err)
	}
}

// text is a number as JSON has it.
func text(number float64) string {
	text, _ := json.Marshal(number)

	return string(text)
}
