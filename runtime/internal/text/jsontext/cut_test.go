package jsontext_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// FuzzCut: what is read is what encoding/json reads, and what encoding/json reads is read.
func FuzzCut(f *testing.F) {
	for _, seed := range []string{
		`plain" rest`, `é\"\\" rest`, `"`, ``, `a`, "a\nb\"", `\u00e9\ud83d\ude00"x`, `\ud800"`, `\x"`, "\xff\"", `\`, `\"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		text, rest, ok := jsontext.Cut(in)
		if end := jsontext.End(in); ok && (end < 0 || !bytes.Equal(in[end+1:], rest)) {
			t.Errorf("%q ends at %d", in, end)
		}
		d := json.NewDecoder(strings.NewReader(`"` + string(in)))
		var want string
		err := d.Decode(&want)
		if err != nil {
			if ok {
				t.Errorf("%q: read %q, and encoding/json says %v", in, text, err)
			}
			return
		}
		behind := in[d.InputOffset()-1:]
		valid := utf8.Valid(in[:len(in)-len(behind)])
		if ok != valid || ok && (text != want || !bytes.Equal(rest, behind)) {
			t.Errorf("%q: read %q before %q (%v), and encoding/json %q before %q", in, text, rest, ok, want, behind)
		}
	})
}

// TestEveryByteEverywhere: each byte is written the same at each place of a text of a few words.
func TestEveryByteEverywhere(t *testing.T) {
	for c := range 256 {
		alone := jsontext.Append(nil, string([]byte{byte(c)}))
		inner := string(alone[1 : len(alone)-1])
		for at := range 24 {
			before, after := strings.Repeat("~", at), strings.Repeat("]", 24-at)
			want := `"` + before + inner + after + `"`
			if got := string(jsontext.Append(nil, before+string([]byte{byte(c)})+after)); got != want {
				t.Errorf("%#x at %d: %s", c, at, got)
			}
		}
	}
}
