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

// Parse parses f as one YAML document. The tree is nil after a syntax diagnostic. An empty document
// is a Null node. There is also a duplicate-key diagnostic for each repeated key of a mapping. The
// tree has only the first one.
func Parse(f *source.File) (*Node, []*diag.Diagnostic) {
	return parseRange(f, f.Start(), len(f.Bytes))
}

// parseRange parses the bytes [start, end) of f as one document.
func parseRange(f *source.File, start, end int) (*Node, []*diag.Diagnostic) {
	if d := CheckText(f, start, end); d != nil {
		return nil, []*diag.Diagnostic{d}
	}

	m := newMask(f.Bytes[start:end])
	doc, extra, err := decode(bytes.NewReader(m.text))
	if err != nil {
		return nil, []*diag.Diagnostic{explainSyntax(f, start, m.text, err)}
	}

	c := &converter{file: f, base: start, text: m.text, mask: m, places: newLineIndex(m.text)}
	root := c.convertDocument(doc)
	if c.syntax == nil && extra {
		c.syntax = c.reportSecondDocument(root)
	}
	if c.syntax != nil {
		return nil, []*diag.Diagnostic{c.syntax}
	}
	RecordComments(f, start, end, root)

	return root, c.duplicates
}

// decode parses the first document of r. doc is nil for an empty text; extra is true if another one
// follows.
func decode(r io.Reader) (doc *yaml.Node, extra bool, err error) {
	// The library has panicked on damaged input before. No file may stop the compiler.
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
		return nil, false, err // the document ended early, and no other one begins
	}

	return first, true, nil
}

var errPanic = errors.New("the YAML library gave up")

// CheckText returns a diagnostic for the first of the bytes [start, end) of f that neither YAML nor
// TOML allows: invalid UTF-8 and control characters. It returns nil if there are none.
func CheckText(f *source.File, start, end int) *diag.Diagnostic {
	if d := checkEncoding(f, start, end); d != nil {
		return d
	}
	for i := start; i < end; {
		r, size := utf8.DecodeRune(f.Bytes[i:end])
		if !isPrintable(r) {
			span := source.Span{File: f, Start: i, End: i + size}
			return diag.New(diag.Syntax, span, "control character %U is not allowed here", r).
				WithHint("in double quotes it can be written as an escape")
		}
		i += size
	}

	return nil
}

// isPrintable reports whether YAML allows r, by the production c-printable.
func isPrintable(r rune) bool {
	switch r {
	case '\t', '\n', '\r', 0x85:
		return true
	case 0xfffe, 0xffff:
		return false
	}
	isASCII := r >= ' ' && r <= '~'

	return isASCII || r >= 0xa0
}

// checkEncoding returns a diagnostic for the first byte in [start, end) that is not UTF-8.
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
