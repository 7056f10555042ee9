package jsontext_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// FuzzAppend: what is written is read back as encoding/json reads back what it writes itself, and it is one line without anything
// that a terminal or another reader takes for more than text.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{"", "a", `"\`, "\n\r\t\x00\x1f\x7f", "é日\u2028\u2029\ufffd😀", "a\xffb\xc3", "\xed\xa0\x80", "ab\"cd\"ef"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written := string(jsontext.Append([]byte("x"), text))
		var got string
		if err := json.Unmarshal([]byte(written[1:]), &got); err != nil || written[0] != 'x' {
			t.Fatalf("%q is written %s: %v", text, written, err)
		}
		theirs, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if err := json.Unmarshal(theirs, &want); err != nil || got != want {
			t.Errorf("%q is read back as %q, not %q", text, got, want)
		}
		if strings.ContainsFunc(written, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }) {
			t.Errorf("%q is written %q", text, written)
		}
	})
}
