package jsontext_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// repaired are texts of models, and the JSON that they mean; "" where that is not certain.
var repaired = map[string]string{
	"{\"value\":\"line1\nline2\"}":             `{"value":"line1\nline2"}`,
	"{\"value\":\"a\tb\r\n\x01\"}":             `{"value":"a\tb\r\n\u0001"}`,
	`{"pattern":"\d+\.\w"}`:                    `{"pattern":"\\d+\\.\\w"}`,
	`{"value":"it\'s"}`:                        `{"value":"it's"}`,
	`{"a":[1,2,],"b":{"c":1,},}`:               `{"a":[1,2],"b":{"c":1}}`,
	"[1 , ]":                                   "[1  ]",
	`{'a': None, 'b': True, "c": False}`:       `{"a": null, "b": true, "c": false}`,
	`{'a': 'say "hi"', 'b': 'it\'s', 'c': ''}`: `{"a": "say \"hi\"", "b": "it's", "c": ""}`,
	`{'a': '\x41\u00e4\n\\'}`:                  `{"a": "\u0041\u00e4\n\\"}`,
	`['a', 'b']`:                               `["a", "b"]`,
	`None`:                                     `null`,
	`{"a": 1}`:                                 `{"a": 1}`,
	`{'a': 'it's'}`:                            "",
	`{"a":"say "hi""}`:                         "",
	`{"a":"b"`:                                 "",
	`{"a":"b`:                                  "",
	`{a: 1}`:                                   "",
	`{"a":1,,}`:                                "",
	`[,]`:                                      "",
	`{,}`:                                      "",
	`{"a" "b"}`:                                "",
	`{"a":"\u12"}`:                             "",
	`{"a":"C:\users"}`:                         "",
	`{"v":"\alpha + \frac{1}{2} \theta"}`:      "",
	`{"v":"C:\data\new"}`:                      "",
	`{"v":"\d+\n"}`:                            "",
	`{"\d\t":1}`:                               "",
	`{"v":"\d+","w":"a\nb"}`:                   `{"v":"\\d+","w":"a\nb"}`,
	`{"v":"it\'s\n"}`:                          `{"v":"it's\n"}`,
	`{"v":"\d\\ \"\/"}`:                        `{"v":"\\d\\ \"\/"}`,
	"{\"a\":\"b\\\nc\"}":                       "",
	`{"a":NaN}`:                                "",
	`{"a":none}`:                               "",
	`{"a":1} {"a":1}`:                          "",
	`('a', 'b')`:                               "",
	"{'a': '\xff'}":                            "",
	strings.Repeat("[", 2000) + "'a'" + strings.Repeat("]", 2000): "",
	"": "",
}

// TestRepair: what models write beside JSON is read where it has one meaning.
func TestRepair(t *testing.T) {
	for text, want := range repaired {
		got, ok := jsontext.Repair(text)
		if !ok {
			got = ""
		}
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}

// FuzzRepair: what encoding/json reads stays as it is, and what is repaired is JSON that needs no
// repair. A comma behind the last element changes nothing.
func FuzzRepair(f *testing.F) {
	for text := range repaired {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := jsontext.Repair(text)
		if json.Valid([]byte(text)) {
			if got != text || !ok {
				t.Errorf("%q became %q", text, got)
			}
			isDeep := strings.Count(text, "[")+strings.Count(text, "{") > 900
			if isDeep || !utf8.ValidString(text) {
				return
			}
			list, ok := jsontext.Repair("[" + text + ",]")
			if !ok || !reflect.DeepEqual(valueOf(t, list), []any{valueOf(t, text)}) {
				t.Errorf("a list of %q became %q", text, list)
			}

			return
		}
		if ok && !json.Valid([]byte(got)) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func valueOf(t *testing.T, text string) (value any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&value)
	if err != nil {
		t.Fatal(err)
	}

	return value
}
