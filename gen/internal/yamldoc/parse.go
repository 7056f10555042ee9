package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

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
