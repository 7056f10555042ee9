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

// problem is a syntax error of the library.
type problem struct {
	f *source.File
	// at and end are the position that the library names, in the line that starts at line.
	at, end, line int
	message       string
}

// explain returns the diagnostic of a syntax error at the position that the library names. It uses
// the message of the library, except for the most common mistakes.
func explain(f *source.File, base int, err error) []*diag.Diagnostic {
	p := &problem{f: f, at: base, message: err.Error()}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		p.at, p.message = min(base+max(pe.Position.Start, 0), len(f.Bytes)), pe.Message
		if strings.Contains(pe.Message, "already") {
			if found := findDuplicates(f, base, p.at); found != nil {
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

// explain looks for usual mistakes of people who write YAML.
func (p *problem) explain() *diag.Diagnostic {
	at := source.Span{File: p.f, Start: p.at, End: p.end}
	text := strings.TrimRight(word.FindString(string(p.f.Bytes[p.at:])), " \t")
	key := keyColon.FindSubmatch(p.f.Bytes[p.line:p.at])
	switch lower := strings.ToLower(text); {
	case key != nil && at.Text() == ":":
		return diag.New(diag.Syntax, at, "key %q is followed by a colon; TOML writes =", key[1]).WithFix("write =", at, " =")
	case !strings.HasPrefix(p.message, "expected value but found") || text == "":
		return diag.New(diag.Syntax, at, "%s", rewriteMessage(p.message))
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

// rewriteMessage rewrites a message of the library in our style.
func rewriteMessage(message string) string {
	message = strings.NewReplacer(`'\n'`, "the end of the line", "EOF", "end of the file", " instead", "").Replace(strings.TrimRight(message, "."))
	first, size := utf8.DecodeRuneInString(message)

	return string(unicode.ToLower(first)) + message[size:]
}

// findDuplicates parses the text up to the line of at, which is valid except for a repeated key.
func findDuplicates(f *source.File, base, at int) []*diag.Diagnostic {
	end := lineEnd(f.Bytes, at)
	if checkSyntax(f.Bytes[base:end]) == nil {
		return nil
	}
	r := &reader{file: f, text: f.Bytes[:end], i: base}
	if !r.tryDocument() {
		return nil
	}

	return r.duplicates
}

// tryDocument parses the document. It returns false if the text has a second mistake.
func (r *reader) tryDocument() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	r.readDocument()

	return true
}
