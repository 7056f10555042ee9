package tomldoc

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// problem is a text that the library refuses.
type problem struct {
	f *source.File
	// at and end are what the library names, in the line from line on.
	at, end, line int
	message       string
}

// explain writes the diagnostic for a text that the library refuses: at the place that it names, and in its words where it is none of
// the commonest mistakes.
func explain(f *source.File, base int, err error) []*diag.Diagnostic {
	p := &problem{f: f, at: base, message: err.Error()}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		p.at, p.message = min(base+max(pe.Position.Start, 0), len(f.Bytes)), pe.Message
		if strings.Contains(pe.Message, "already") {
			if found := duplicates(f, base, p.at); found != nil {
				return found
			}
		}
	}
	p.line = bytes.LastIndexByte(f.Bytes[:p.at], '\n') + 1
	size := bytes.IndexAny(append(bytes.Clone(f.Bytes[p.at:]), '\n'), "\r\n")
	p.end = p.at + min(size, max(pe.Position.Len, 0))

	return []*diag.Diagnostic{p.explain()}
}

var (
	keyColon = regexp.MustCompile(`^[ \t]*([A-Za-z0-9_.-]+|"[^"]*"|'[^']*')[ \t]*$`)
	word     = regexp.MustCompile(`^[^\s#,"'\[\]{}=][^#,"'\[\]{}\r\n]*`)
)

// explain looks for the usual mistakes of people who write YAML.
func (p *problem) explain() *diag.Diagnostic {
	at := source.Span{File: p.f, Start: p.at, End: p.end}
	text := strings.TrimRight(word.FindString(string(p.f.Bytes[p.at:])), " \t")
	key := keyColon.FindSubmatch(p.f.Bytes[p.line:p.at])
	switch lower := strings.ToLower(text); {
	case key != nil && at.Text() == ":":
		return diag.New(diag.Syntax, at, "key %q is followed by a colon; TOML writes =", key[1]).WithFix("write =", at, " =")
	case !strings.HasPrefix(p.message, "expected value but found") || text == "":
		return diag.New(diag.Syntax, at, "%s", inWords(p.message))
	case lower == "true" || lower == "false":
		at.End = at.Start + len(text)
		return diag.New(diag.Syntax, at, "%q is written %s", text, lower).WithFix("write "+lower, at, lower)
	}
	at.End = at.Start + len(text)
	d := diag.New(diag.Syntax, at, "a text must be in quotes")
	if strings.Contains(text, `\`) {
		return d
	}

	return d.WithHint("write %q", text).WithFix("put quotes around it", at, `"`+text+`"`)
}

// inWords is a message of the library as ours are written.
func inWords(message string) string {
	message = strings.NewReplacer(`'\n'`, "the end of the line", "EOF", "end of the file", " instead", "").Replace(strings.TrimRight(message, "."))
	first, size := utf8.DecodeRuneInString(message)

	return string(unicode.ToLower(first)) + message[size:]
}

// duplicates reads the text up to the line of at, which is valid but for a key that is twice.
func duplicates(f *source.File, base, at int) []*diag.Diagnostic {
	end := len(f.Bytes)
	if n := bytes.IndexByte(f.Bytes[at:], '\n'); n >= 0 {
		end = at + n
	}
	if check(f.Bytes[base:end]) == nil {
		return nil
	}
	r := &reader{file: f, text: f.Bytes[:end], i: base}
	if !r.try() {
		return nil
	}

	return r.duplicates
}

// try reads the document and reports whether it could: a text that is faulty in a second way may end too early.
func (r *reader) try() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	r.document()

	return true
}
