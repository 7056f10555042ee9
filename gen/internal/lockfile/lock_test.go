package lockfile_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func pinned(t *testing.T) *lockfile.Lock {
	t.Helper()
	s := &lockfile.Server{Command: []string{"desk"}, Protocol: "2025-11-25", Tools: []lockfile.Tool{
		{Name: "b", Input: json.RawMessage(`{"type": "object", "a": "<1>"}`)},
		{Name: "a", Input: json.RawMessage(`{}`), Hints: []string{"read-only", "idempotent"}},
	}}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}

	return &lockfile.Lock{Format: lockfile.Format, Servers: map[string]*lockfile.Server{"desk": s}}
}

// What is written is read again as it was, and is written the same.
func TestRoundTrip(t *testing.T) {
	text, err := pinned(t).Encode()
	if err != nil {
		t.Fatal(err)
	}
	read := parsed(t, string(text))
	again, err := read.Encode()
	if err != nil || string(again) != string(text) || !strings.Contains(string(text), `"<1>"`) {
		t.Errorf("%v\n%s\n%s", err, text, again)
	}
	desk := read.Servers["desk"]
	if desk.Tools[0].Name != "a" || !desk.Tools[0].IsIntact() || !desk.Tools[1].IsIntact() || desk.At.Text() != `"desk"` {
		t.Errorf("%+v at %q", desk, desk.At.Text())
	}
	desk.Tools[1].Description = "edited"
	if desk.Tools[1].IsIntact() {
		t.Error("an edit is not seen")
	}
}

// parsed reads a file in which there is nothing to be found.
func parsed(t *testing.T, text string) *lockfile.Lock {
	t.Helper()
	f := source.NewFile(lockfile.Name, []byte(text))
	root, findings := yamldoc.ParseJSON(f)
	if len(findings) > 0 {
		t.Fatalf("%s: %s", text, findings[0].Message)
	}
	read, err := lockfile.Parse(f, root)
	if err != nil {
		t.Fatal(err)
	}

	return read
}

// A file that somebody has written another way says the same.
func TestOtherForm(t *testing.T) {
	read := parsed(t, "\t{\"servers\":{\r\n\"d\\u0065sk\" : {\"tools\":[],\"protocol\":\"1\"} },\"format\":1}\n")
	if desk := read.Servers["desk"]; desk == nil || desk.At.Text() != `"d\u0065sk"` || desk.Protocol != "1" {
		t.Errorf("%+v", read)
	}
}

// What is no JSON, or says something twice, is found at its place.
func TestFindings(t *testing.T) {
	for text, want := range map[string]string{
		"":                       `1:1 "": the file is not JSON: unexpected end of JSON input`,
		"{\n":                    `1:2 "\n": the file is not JSON: unexpected end of JSON input`,
		"{\n  \"format\": 1,\n}": `3:1 "}": the file is not JSON: invalid character '}' looking for beginning of object key string`,
		`{"format": 1} {}`:       `1:15 "{": the file is not JSON: invalid character '{' after top-level value`,
		"<<<<<<< HEAD\n":         `1:1 "<": the file is not JSON: invalid character '<' looking for beginning of value`,
		`{"a": 1, "b": [{"a": {}}], "a": {"c": 1, "c": 2}}`: `1:42 "\"c\"": key "c" is written twice in this mapping` + "\n" +
			`1:28 "\"a\"": key "a" is written twice in this mapping`,
		strings.Repeat("[", 20000): `1:10001 "[": the file is not JSON: invalid character '[' exceeded max depth`,
	} {
		root, findings := yamldoc.ParseJSON(source.NewFile(lockfile.Name, []byte(text)))
		var got []string
		for _, d := range findings {
			got = append(got, fmt.Sprintf("%d:%d %q: %s", d.Span.Pos().Line, d.Span.Pos().Column, d.Span.Text(), d.Message))
		}
		if strings.Join(got, "\n") != want || (root == nil) != strings.Contains(want, "not JSON") {
			t.Errorf("%.50q: %s", text, strings.Join(got, "\n"))
		}
	}
}

// Values are what encoding/json reads.
func TestTree(t *testing.T) {
	const text = ` {"a": [1, -0.5e3, 1e400, "x\ud83d\ude00", true, false, null, {}], "": {"b": []} } `
	root, _ := yamldoc.ParseJSON(source.NewFile(lockfile.Name, []byte(text)))
	var want any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&want); err != nil || !reflect.DeepEqual(root.JSON(), want) {
		t.Errorf("%v\n%v\n%v", err, root.JSON(), want)
	}
	if at := root.Value("a").Items[3].Span.Text(); at != `"x\ud83d\ude00"` || root.Value("").Span.Text() != `{"b": []}` {
		t.Errorf("places: %s, %s", at, root.Value("").Span.Text())
	}
}

func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		`{"format": 1}`: "", `{"format": "2"}`: "", `{}`: "", `[]`: "",
		`{"format": 2, "cheese": []}`: "the format of the file is 2, but this version of agentc reads format 1",
		`{"format": 1.5}`:             "the format of the file is 1.5, but this version of agentc reads format 1",
	} {
		root, _ := yamldoc.ParseJSON(source.NewFile(lockfile.Name, []byte(text)))
		got := ""
		if d := lockfile.CheckFormat(root); d != nil {
			got = d.Message
		}
		if got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
