package sample_test

import (
	"encoding/json"
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// FuzzPattern: whatever the pattern, a text that is made for it matches, and is as long as it has to be.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		`^(a|b)+$`, `^\d{4}-\d{2}$`, `\bfoo\b.*\bbar\b`, `^[^a]*$`, `x{100}`, `^\p{Lu}\S?$`, `^(x|xx){5}$`, `a^`, `(a*)*b`, `^.$|^..$`, `\W`,
	} {
		f.Add(pattern, 3, 9)
		f.Add(pattern, 0, 100)
	}
	f.Fuzz(func(t *testing.T, pattern string, least, longest int) {
		if least < 0 || longest < least || longest > 100 {
			t.Skip()
		}
		s, found := schemadoc.Lower(mustParse(t, pattern))
		if len(found) > 0 {
			t.Skip()
		}
		s.MinLength, s.MaxLength = &least, &longest
		value, err := sample.MakeValue(s, "text")
		if err != nil {
			return
		}
		var text string
		if err := json.Unmarshal([]byte(value), &text); err != nil || !regexp.MustCompile(s.GoPattern).MatchString(text) {
			t.Errorf("%q does not match %q", value, pattern)
		}
		if n := utf8.RuneCountInString(text); n < least || n > longest {
			t.Errorf("%q has %d characters, not %d to %d", text, n, least, longest)
		}
	})
}

func mustParse(t *testing.T, pattern string) *yamldoc.Node {
	t.Helper()
	quoted, err := json.Marshal(pattern)
	if err != nil {
		t.Skip()
	}
	n, found := yamldoc.Parse(source.NewFile("s.json", []byte(`{"pattern":`+string(quoted)+`}`)))
	if len(found) > 0 {
		t.Skip()
	}

	return n
}

// FuzzValue: whatever the schema, a value that is made for it fits.
func FuzzValue(f *testing.F) {
	for schema := range table(values) {
		f.Add(schema)
	}
	for schema := range table(noValues) {
		f.Add(schema)
	}
	f.Fuzz(func(t *testing.T, schema string) {
		n, found := yamldoc.Parse(source.NewFile("schema.yaml", []byte(schema)))
		if len(found) > 0 {
			t.Skip()
		}
		s, found := schemadoc.Lower(n)
		if len(found) > 0 {
			t.Skip()
		}
		if value, err := sample.MakeValue(s, "text"); err == nil {
			fits(t, schema, value)
		}
	})
}
