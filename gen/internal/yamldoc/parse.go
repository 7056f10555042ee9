package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Parse reads f as one YAML document. The tree is nil if there is a syntax diagnostic; an empty document is a Null node.
// Beside at most one syntax diagnostic there is a duplicate-key diagnostic for each key that is twice in its mapping: the
// first one counts and the tree holds no other.
func Parse(f *source.File) (*Node, []*diag.Diagnostic) {
	return parseRange(f, f.Start(), len(f.Bytes))
}

// parseRange reads the bytes [start, end) of f as one document.
func parseRange(f *source.File, start, end int) (*Node, []*diag.Diagnostic) {
	if d := CheckText(f, start, end); d != nil {
		return nil, []*diag.Diagnostic{d}
	}

	m := newMask(f.Bytes[start:end])
	doc, extra, err := decode(bytes.NewReader(m.text))
	if err != nil {
		return nil, []*diag.Diagnostic{explainSyntax(f, start, m.text, err)}
	}

	c := &converter{file: f, base: start, text: m.text, mask: m, places: newPlaces(m.text)}
	root := c.document(doc)
	if c.syntax == nil && extra {
		c.syntax = c.secondDocument(root)
	}
	if c.syntax != nil {
		return nil, []*diag.Diagnostic{c.syntax}
	}
	NoteComments(f, start, end, root)

	return root, c.duplicates
}

// decode reads the first document of r. It is nil if r holds none; extra says that more follows.
func decode(r io.Reader) (doc *yaml.Node, extra bool, err error) {
	// The library has panicked on damaged input before. A file must not be able to stop the compiler, whatever it holds.
	defer func() {
		if p := recover(); p != nil {
			doc, extra, err = nil, false, fmt.Errorf("%w: %v", errPanic, p)
		}
	}()

	d := yaml.NewDecoder(r)
	first := new(yaml.Node)
	switch err := d.Decode(first); {
	case errors.Is(err, io.EOF):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}

	switch err := d.Decode(new(yaml.Node)); {
	case errors.Is(err, io.EOF):
		return first, false, nil
	case err != nil && strings.Contains(err.Error(), "did not find expected <document start>"):
		return nil, false, err // this document ended before its text did, and no other one begins
	}

	return first, true, nil
}

var errPanic = errors.New("the YAML library gave up")

// CheckText finds the first place in the bytes [start, end) of f that neither YAML nor TOML may hold: bytes that are not
// UTF-8, and control characters. It returns nil if there is none.
func CheckText(f *source.File, start, end int) *diag.Diagnostic {
	if d := checkEncoding(f, start, end); d != nil {
		return d
	}
	for i := start; i < end; {
		r, size := utf8.DecodeRune(f.Bytes[i:end])
		if !printable(r) {
			span := source.Span{File: f, Start: i, End: i + size}
			return diag.New(diag.Syntax, span, "control character %U is not allowed here", r).
				WithHint("in double quotes it can be written as an escape")
		}
		i += size
	}

	return nil
}

// printable reports whether YAML allows r, by the production c-printable.
func printable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r >= ' ' && r <= '~', r == 0x85:
		return true
	}

	return r >= 0xa0 && r != 0xfffe && r != 0xffff
}

// checkEncoding finds the first byte in [start, end) that is not UTF-8.
func checkEncoding(f *source.File, start, end int) *diag.Diagnostic {
	text := f.Bytes[start:end]
	if utf8.Valid(text) {
		return nil
	}
	if bytes.HasPrefix(f.Bytes, []byte("\xff\xfe")) || bytes.HasPrefix(f.Bytes, []byte("\xfe\xff")) {
		return diag.New(diag.Syntax, source.Span{File: f, Start: 0, End: 2}, "the file is UTF-16; save it as UTF-8")
	}
	for i := start; ; {
		r, size := utf8.DecodeRune(f.Bytes[i:end])
		if r == utf8.RuneError && size <= 1 {
			span := source.Span{File: f, Start: i, End: min(i+1, end)}
			return diag.New(diag.Syntax, span, "byte 0x%02x is not UTF-8; save the file as UTF-8", f.Bytes[i])
		}
		i += size
	}
}
