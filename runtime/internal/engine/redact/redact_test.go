package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

func TestText(t *testing.T) {
	secrets := New(
		Secret{"KEY", "abcdefgh"}, Secret{"LONGER", "xabcdefghx"}, Secret{"OVER", "efgh-ijkl-mnop"},
		Secret{"SHORT", "1234567"}, Secret{"SPACED", " \tspaced value\r\n"}, Secret{"SAME", "abcdefgh"}, Secret{"EMPTY", ""},
		Secret{"REPEATED", "zzzzzzzz"},
	)
	for text, want := range map[string]string{
		"":                               "",
		"nothing":                        "nothing",
		"abcdefgh":                       "[redacted KEY]",
		"a abcdefgh, and abcdefgh.":      "a [redacted KEY], and [redacted KEY].",
		"abcdefghabcdefgh":               "[redacted KEY][redacted KEY]",
		"xabcdefghx":                     "[redacted LONGER]",
		"abcdefgh-ijkl-mnop!":            "[redacted OVER]!",
		"abcdefgh-ijkl":                  "[redacted KEY]-ijkl",
		"abcdefg":                        "abcdefg",
		"ABCDEFGH":                       "ABCDEFGH",
		"1234567":                        "1234567",
		"a spaced value":                 "a [redacted SPACED]",
		"?q=spaced+value&spaced%20value": "?q=[redacted SPACED]&[redacted SPACED]",
		strings.Repeat("z", 100):         "[redacted REPEATED]",
		"zzzzzzz":                        "zzzzzzz",
		"%61bcdefgh":                     "[redacted KEY]",
		`\u0061bcdefgh`:                  "[redacted KEY]",
		"a&#98;c&#x64;efgh":              "[redacted KEY]",
		"a&#0000000000000000098;cdefgh":  "a&#0000000000000000098;cdefgh",
	} {
		if got := secrets.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := (*Redactor)(nil).Text("abcdefgh"); got != "abcdefgh" {
		t.Errorf("nobody redacted %q", got)
	}
}

// writers write a value in the ways that a server, a file or a command may send it back.
var writers = map[string]func(string) string{
	"as it is":    func(s string) string { return s },
	"JSON":        asJSON,
	"JSON of PHP": func(s string) string { return strings.ReplaceAll(asJSON(s), "/", `\/`) },
	"JSON in ASCII": func(s string) string {
		var out strings.Builder
		for _, r := range s {
			if r < 0x80 && r >= ' ' && r != '"' && r != '\\' {
				out.WriteRune(r)
			} else if r > 0xffff {
				r -= 0x10000
				fmt.Fprintf(&out, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			} else {
				fmt.Fprintf(&out, `\u%04x`, r)
			}
		}

		return out.String()
	},
	"JSON in JSON":         func(s string) string { return asJSON(asJSON(s)) },
	"JSON in JSON in JSON": func(s string) string { return asJSON(asJSON(asJSON(s))) },
	"query":                url.QueryEscape,
	"path":                 url.PathEscape,
	"lower query":          func(s string) string { return lowerPercent(url.QueryEscape(s)) },
	"every byte": func(s string) string {
		var out strings.Builder
		for _, b := range []byte(s) {
			fmt.Fprintf(&out, "%%%02x", b)
		}

		return out.String()
	},
	"HTML": html.EscapeString,
	"HTML numbers": func(s string) string {
		var out strings.Builder
		for _, r := range s {
			fmt.Fprintf(&out, "&#x%X;", r)
		}

		return out.String()
	},
	"Base64":              func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"Base64 behind user":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) },
	"Base64 in the midst": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("u:" + s + "|after")) },
	"hex":                 func(s string) string { return hex.EncodeToString([]byte(s)) },
	"HEX":                 func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
}

func asJSON(s string) string {
	text, _ := json.Marshal(s)

	return string(text[1 : len(text)-1])
}

func lowerPercent(s string) string {
	out := []byte(s)
	for i := range out {
		if out[i] == '%' {
			copy(out[i:i+3], strings.ToLower(s[i:i+3]))
		}
	}

	return string(out)
}

var values = []string{
	"sk-ant-0123456789abcdef", "p@ss w/ord+&=%25", `quo"te\back/slash`, "line one\nline two\ttab", "schlüssel-ñ-鍵-🔑", "%%%%%%%%", "<a href='x'>&amp;",
	"+++++++++", "&&&&&&&&", `\\\\\\\\`, "a%41%42%43b", "%25%25%25",
}

func TestSpellings(t *testing.T) {
	for _, value := range values {
		for name, write := range writers {
			r := New(Secret{"KEY", value})
			text := `{"before": "` + write(value) + `"}`
			got := r.Text(text)
			if !strings.Contains(got, "[redacted KEY]") {
				t.Errorf("%q written as %s stayed: %s", value, name, got)
			}
			// Of Base64 and what stands beside the value a character or two may stay.
			if left := len(got) - len(`{"before": "[redacted KEY]"}`); left > 16 {
				t.Errorf("%q written as %s: %d bytes stayed: %s", value, name, left, got)
			}
		}
	}
}

// TestMixedSpellings writes each character another way.
func TestMixedSpellings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	each := []string{"as it is", "JSON", "JSON in JSON", "JSON of PHP", "JSON in ASCII", "every byte", "HTML", "HTML numbers", "query"}
	for range 2000 {
		value := values[random.IntN(len(values))]
		var text strings.Builder
		for _, r := range value {
			text.WriteString(writers[each[random.IntN(len(each))]](string(r)))
		}
		if got := New(Secret{"KEY", value}).Text("<" + text.String() + ">"); got != "<[redacted KEY]>" {
			t.Fatalf("%q as %q became %q", value, text.String(), got)
		}
	}
}

// TestSpace: a value of several lines is found however they are arranged.
func TestSpace(t *testing.T) {
	r := New(Secret{"KEY", "-----BEGIN KEY-----\nMIIabc\r\n  def\\nghi\n-----END KEY-----\n"})
	for _, text := range []string{
		"-----BEGIN KEY-----\nMIIabc\r\n  def\\nghi\n-----END KEY-----", "-----BEGIN KEY----- MIIabc def\\nghi -----END KEY-----",
		"-----BEGIN\tKEY-----\n    MIIabc\n    def\\nghi\n    -----END KEY-----", `-----BEGIN KEY-----\nMIIabc\r\n  def\\nghi\n-----END KEY-----`,
		"-----BEGIN+KEY-----%0AMIIabc%0D%0A++def%5Cnghi%0A-----END%20KEY-----",
		strings.ReplaceAll("-----BEGIN KEY-----\nMIIabc\ndef\\nghi\n-----END KEY-----", "\n", strings.Repeat("&#10; ", 50)),
	} {
		if got := r.Text("<" + text + ">"); got != "<[redacted KEY]>" {
			t.Errorf("%q became %q", text, got)
		}
	}
	if text := "-----BEGINKEY-----MIIabcdef\\nghi-----ENDKEY-----"; r.Text(text) != text {
		t.Error("space was found where none is")
	}
}

// TestManyBackslashes: how a text is read does not take longer the more ways there are to read it.
func TestManyBackslashes(t *testing.T) {
	value := strings.Repeat(`\`, 24)
	r := New(Secret{"KEY", value})
	if got := r.Text(strings.Repeat(`\`, 24<<3)); got != "[redacted KEY]" {
		t.Errorf("got %q", got)
	}
	if text := strings.Repeat(strings.Repeat(`\`, 23)+"x", 16); r.Text(text) != text {
		t.Errorf("%q was found in %q", value, text)
	}
}

// TestWhatIsNotFound holds the page to its word.
func TestWhatIsNotFound(t *testing.T) {
	const value = "0123456789abcdef"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(value))
	_ = w.Close()
	backwards := []byte(value)
	slices.Reverse(backwards)
	for name, text := range map[string]string{
		"packed": packed.String(), "reversed": string(backwards), "spelled": strings.Join(strings.Split(value, ""), " "),
		"halved": value[:8] + " " + value[8:],
	} {
		if got := New(Secret{"KEY", value}).Text(text); got != text {
			t.Errorf("%s: %q became %q, which the package page denies", name, text, got)
		}
	}
}

func TestResult(t *testing.T) {
	r := New(Secret{"KEY", "01234567890"}, Secret{"PIN", "12345678"})
	for _, c := range []struct{ in, want runtime.ToolResult }{
		{runtime.ToolResult{Text: `{"a":"01234567890"}`, JSON: true}, runtime.ToolResult{Text: `{"a":"[redacted KEY]"}`, JSON: true}},
		{runtime.ToolResult{Text: `{"a":12345678}`, JSON: true}, runtime.ToolResult{Text: `{"a":[redacted PIN]}`}},
		{runtime.ToolResult{Text: `{"a":1}`, JSON: true}, runtime.ToolResult{Text: `{"a":1}`, JSON: true}},
		{runtime.ToolResult{Problem: "no 01234567890"}, runtime.ToolResult{Problem: "no [redacted KEY]"}},
	} {
		if got := r.Result(c.in); got != c.want {
			t.Errorf("%+v became %+v, want %+v", c.in, got, c.want)
		}
	}
}

func TestVariables(t *testing.T) {
	env := func(name string) (string, bool) {
		value, ok := map[string]string{"TOKEN": "t", "OPENAI_API_KEY": "k"}[name]

		return value, ok
	}
	got := Variables([]string{"TOKEN", "UNSET"}, env, []string{
		"HOME=/root", "OPENAI_API_KEY=k=k", "API_KEY", "X_API_KEY_FILE=/k", "=C:=C:\\", "X_AUTH_TOKEN=a",
		"AGENTC_SERVE_TOKENS=ada=s1=s2\n  bob=s3 # nobody", "OTHER_TOKENS=a=b", "AGENTC_TOKEN=c",
	})
	want := []Secret{
		{"TOKEN", "t"}, {"OPENAI_API_KEY", "k=k"}, {"X_AUTH_TOKEN", "a"}, {"AGENTC_SERVE_TOKENS", "s1=s2"}, {"AGENTC_SERVE_TOKENS", "s3"},
		{"AGENTC_TOKEN", "c"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzText looks for a text in which a value stays as it is, or by which anything else is changed.
func FuzzText(f *testing.F) {
	for _, value := range values {
		f.Add(value, "before "+value+" after")
		f.Add(value, writers["every byte"](value)+value[:len(value)/2]+value)
	}
	f.Add("aaaaaaaa", "aaaaaaaaaaaaaaaaaaaaa")
	f.Add("\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xff")
	f.Fuzz(func(t *testing.T, value, text string) {
		r := New(Secret{"K", value})
		got := r.Text(text)
		trimmed := strings.TrimSpace(value)
		if len(trimmed) < shortest {
			if got != text {
				t.Fatalf("%q is short, and %q became %q", value, text, got)
			}

			return
		}
		// What is left of the text beside the marks does not hold the value, unless a mark makes it.
		for _, part := range strings.Split(got, "[redacted K]") {
			if strings.Contains(part, trimmed) {
				t.Fatalf("%q is still in %q", trimmed, got)
			}
		}
		if !strings.Contains(text, trimmed) && len(r.find(text)) == 0 && got != text {
			t.Fatalf("%q became %q, and nothing was found", text, got)
		}
		if utf8.ValidString(value) && utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("%q without %q is not UTF-8: %q", text, value, got)
		}
	})
}

func BenchmarkText(b *testing.B) {
	page := strings.Repeat("<p>A page of a server, with 100% of what it has &amp; more.</p>\n", 1<<20/64)
	var secrets []Secret
	for i := range 10 {
		secrets = append(secrets, Secret{fmt.Sprint("KEY", i), fmt.Sprintf("sk-%d-0123456789abcdefghijklmnop", i)})
	}
	r := New(secrets...)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		r.Text(page)
	}
}

func TestReplace(t *testing.T) {
	r := New(Secret{"KEY", "01234567890"}, Secret{"OTHER", "zyxwvuts"})
	mark := func(name string) string { return "${" + name + "}" }
	if got := r.Replace("a 01234567890, zyxwvut%73 b", mark); got != "a ${KEY}, ${OTHER} b" {
		t.Error(got)
	}
	if got := (*Redactor)(nil).Replace("01234567890", mark); got != "01234567890" {
		t.Error(got)
	}
}

// TestNothingIsPaid where there are no secrets, nor where none is found.
func TestNothingIsPaid(t *testing.T) {
	result := runtime.ToolResult{Text: strings.Repeat("a text that says nothing; ", 100), Problem: "none"}
	for name, r := range map[string]*Redactor{"nobody": nil, "nothing": New(), "a secret": New(Secret{"KEY", "0123456789abcdef"})} {
		if n := testing.AllocsPerRun(100, func() { result = r.Result(result) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
