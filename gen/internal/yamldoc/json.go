package yamldoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// ParseJSON reads f as JSON. The tree is nil if there is a syntax diagnostic. Beside that there is a duplicate-key diagnostic for each key that
// is written twice in its object, as one is after a bad merge: the first one counts.
func ParseJSON(f *source.File) (*Node, []*diag.Diagnostic) {
	var whole json.RawMessage
	if err := json.Unmarshal(f.Bytes, &whole); err != nil {
		return nil, []*diag.Diagnostic{jsonSyntax(f, err)}
	}
	r := &jsonReader{file: f, tokens: json.NewDecoder(bytes.NewReader(f.Bytes))}
	r.tokens.UseNumber()
	root := r.value(r.next())

	return root, r.duplicates
}

// jsonSyntax says where a file stops being JSON.
func jsonSyntax(f *source.File, err error) *diag.Diagnostic {
	at := int64(len(f.Bytes))
	var wrong *json.SyntaxError
	if errors.As(err, &wrong) && wrong.Offset > 0 {
		at = wrong.Offset - 1
	}
	start := min(int(at), len(f.Bytes))
	span := source.Span{File: f, Start: start, End: min(start+1, len(f.Bytes))}

	return diag.New(diag.Syntax, span, "the file is not JSON: %s", err)
}

// jsonReader makes a tree of text that is JSON.
type jsonReader struct {
	file       *source.File
	tokens     *json.Decoder
	duplicates []*diag.Diagnostic
}

// next returns the next token and its place.
func (r *jsonReader) next() (json.Token, source.Span) {
	start := int(r.tokens.InputOffset())
	for start < len(r.file.Bytes) && strings.IndexByte(" \t\r\n,:", r.file.Bytes[start]) >= 0 {
		start++
	}
	token, err := r.tokens.Token()
	if err != nil && !errors.Is(err, io.EOF) {
		panic(fmt.Sprintf("JSON that is none: %v", err)) // it was decoded before
	}

	return token, source.Span{File: r.file, Start: start, End: int(r.tokens.InputOffset())}
}

// value makes the node that a token begins.
func (r *jsonReader) value(token json.Token, at source.Span) *Node {
	n := &Node{Kind: Null, Span: at}
	switch token := token.(type) {
	case bool:
		n.Kind, n.Text = Bool, at.Text()
	case json.Number:
		n.Kind, n.Text = Int, token.String()
		if strings.ContainsAny(n.Text, ".eE") {
			n.Kind = Float
		}
	case string:
		n.Kind, n.Quoted, n.Text = String, true, token
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
func (r *jsonReader) object(n *Node) {
	n.Kind = Map
	keys := map[string]*Node{}
	for r.tokens.More() {
		key, value := r.value(r.next()), r.value(r.next())
		if first := keys[key.Text]; first != nil {
			r.duplicates = append(r.duplicates, diag.New(diag.DuplicateKey, key.Span, "key %q is written twice in this mapping", key.Text).
				Note(first.Span, "key %q is here first", key.Text))
			continue
		}
		keys[key.Text] = key
		n.Fields = append(n.Fields, &Field{Key: key, Value: value})
	}
	_, end := r.next()
	n.Span.End = end.End
}

// list reads the rest of a list.
func (r *jsonReader) list(n *Node) {
	n.Kind = Seq
	for r.tokens.More() {
		n.Items = append(n.Items, r.value(r.next()))
	}
	_, end := r.next()
	n.Span.End = end.End
}
