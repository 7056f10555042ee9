package model_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

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
		if row.Name == "" || row.Title == "" || row.Doc == "" || row.Min >= row.Max {
			t.Errorf("%s: name %q, title %q, sentence %q, from %g to %g", row.Field, row.Name, row.Title, row.Doc, row.Min, row.Max)
		}
		if whole := fields[i].Type == reflect.TypeFor[*int](); whole != row.IsWhole() {
			t.Errorf("%s: whole is %t, and the field is a %s", row.Field, row.IsWhole(), fields[i].Type)
		}

		var s model.Settings
		row.Set(&s, 2)
		text, err := json.Marshal(model.NamedSettings(s))
		if err != nil || string(text) != `{"`+row.Name+`":2}` {
			t.Errorf("%s as JSON is %s, %v", row.Field, text, err)
		}
		if reflect.ValueOf(s).Field(i).IsNil() {
			t.Errorf("row %s does not set its field: %+v", row.Name, s)
		}
		for _, other := range table {
			if (other.Value(s) != nil) != (other.Name == row.Name) || (other.Text(s) == "2") != (other.Name == row.Name) {
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
			other.Set(&second, 2)
		}
		row.Set(&first, 1)
		both := first.Or(second)
		for _, other := range model.SettingTable() {
			want := "2"
			if other.Name == row.Name {
				want = "1"
			}
			if got := other.Text(both); got != want {
				t.Errorf("%s of the first alone: %s is %s, not %s", row.Name, other.Name, got, want)
			}
		}
		if other := (model.Settings{}).Or(first); row.Text(other) != "1" {
			t.Errorf("%s of the second alone is %q", row.Name, row.Text(other))
		}
	}
}

// TestParseSetting: the bounds belong to the range; what is outside, and what is no number, is described.
func TestParseSetting(t *testing.T) {
	ranges := map[string]string{"temperature": "number from 0 to 2", "max_tokens": "whole number above 0", "top_p": "number from 0 to 1"}
	for _, row := range model.SettingTable() {
		if want := ranges[row.Name]; want != "" && row.Range() != want {
			t.Errorf("%s is a %s, not a %s", row.Name, row.Range(), want)
		}
		accepted := []float64{row.Min}
		refused := []string{"", "x", "NaN", "1 ", text(row.Min - 1)}
		if math.IsInf(row.Max, 1) {
			refused = append(refused, "Inf", "-Inf")
		} else {
			accepted = append(accepted, row.Max)
			refused = append(refused, text(row.Max+1))
		}
		if row.IsWhole() {
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
