package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Tree reads the file as JSON, whose every value knows its place. The tree is nil if there is a syntax finding. Beside that there is a
// duplicate-key finding for each key that stands twice in its object, as one does after a bad merge: the first one counts.
func Tree(f *source.File) (*yamldoc.Node, []*diag.Diagnostic) {
	var whole json.RawMessage
	if err := json.Unmarshal(f.Bytes, &whole); err != nil {
		return nil, []*diag.Diagnostic{syntax(f, err)}
	}
	r := &reader{file: f, tokens: json.NewDecoder(bytes.NewReader(f.Bytes))}
	r.tokens.UseNumber()
	root := r.value(r.next())

	return root, r.duplicates
}

// syntax says where a file stops being JSON.
func syntax(f *source.File, err error) *diag.Diagnostic {
	at := int64(len(f.Bytes))
	var wrong *json.SyntaxError
	if errors.As(err, &wrong) && wrong.Offset > 0 {
		at = wrong.Offset - 1
	}
	start := min(int(at), len(f.Bytes))
	span := source.Span{File: f, Start: start, End: min(start+1, len(f.Bytes))}

	return diag.New(diag.Syntax, span, "the file is no JSON: %s", err)
}

// reader makes a tree of text that is JSON.
type reader struct {
	file       *source.File
	tokens     *json.Decoder
	duplicates []*diag.Diagnostic
}

// next returns the next token and its place.
func (r *reader) next() (json.Token, source.Span) {
	start := int(r.tokens.InputOffset())
	for start < len(r.file.Bytes) && strings.IndexByte(" \t\r\n,:", r.file.Bytes[start]) >= 0 {
		start++
	}
	token, err := r.tokens.Token()
	if err != nil && !errors.Is(err, io.EOF) {
		panic(fmt.Sprintf("lockfile: JSON that is none: %v", err)) // it was decoded before
	}

	return token, source.Span{File: r.file, Start: start, End: int(r.tokens.InputOffset())}
}

// value makes the node that a token begins.
func (r *reader) value(token json.Token, at source.Span) *yamldoc.Node {
	n := &yamldoc.Node{Kind: yamldoc.Null, Span: at}
	switch token := token.(type) {
	case bool:
		n.Kind, n.Text = yamldoc.Bool, at.Text()
	case json.Number:
		n.Kind, n.Text = yamldoc.Int, token.String()
		if strings.ContainsAny(n.Text, ".eE") {
			n.Kind = yamldoc.Float
		}
	case string:
		n.Kind, n.Quoted, n.Text = yamldoc.String, true, token
	case json.Delim:
		if token == '{' {
			r.object(n)
		} else {
			r.list(n)
		}
	}

	return n
}

// object reads the rest of an object.
func (r *reader) object(n *yamldoc.Node) {
	n.Kind = yamldoc.Map
	keys := map[string]*yamldoc.Node{}
	for r.tokens.More() {
		key, value := r.value(r.next()), r.value(r.next())
		if first := keys[key.Text]; first != nil {
			r.duplicates = append(r.duplicates, diag.New(diag.DuplicateKey, key.Span, "key %q stands twice in this mapping", key.Text).
				Note(first.Span, "key %q stands here first", key.Text))
			continue
		}
		keys[key.Text] = key
		n.Fields = append(n.Fields, &yamldoc.Field{Key: key, Value: value})
	}
	_, end := r.next()
	n.Span.End = end.End
}

// list reads the rest of a list.
func (r *reader) list(n *yamldoc.Node) {
	n.Kind = yamldoc.Seq
	for r.tokens.More() {
		n.Items = append(n.Items, r.value(r.next()))
	}
	_, end := r.next()
	n.Span.End = end.End
}
