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

// ParseJSON parses f as JSON. The tree is nil after a syntax diagnostic. There is also a
// duplicate-key diagnostic for each repeated key of an object, for example after a bad merge. The
// first one counts.
func ParseJSON(f *source.File) (*Node, []*diag.Diagnostic) {
	var whole json.RawMessage
	if err := json.Unmarshal(f.Bytes, &whole); err != nil {
		return nil, []*diag.Diagnostic{jsonSyntaxDiagnostic(f, err)}
	}
	r := &jsonReader{file: f, tokens: json.NewDecoder(bytes.NewReader(f.Bytes))}
	r.tokens.UseNumber()
	root := r.readValue(r.next())

	return root, r.duplicates
}

// jsonSyntaxDiagnostic describes where a file stops being JSON.
func jsonSyntaxDiagnostic(f *source.File, err error) *diag.Diagnostic {
	at := int64(len(f.Bytes))
	var wrong *json.SyntaxError
	if errors.As(err, &wrong) && wrong.Offset > 0 {
		at = wrong.Offset - 1
	}
	start := min(int(at), len(f.Bytes))
	span := source.Span{File: f, Start: start, End: min(start+1, len(f.Bytes))}

	return diag.New(diag.Syntax, span, "the file is not JSON: %s", err)
}

// jsonReader builds a tree from valid JSON.
type jsonReader struct {
	file       *source.File
	tokens     *json.Decoder
	duplicates []*diag.Diagnostic
}

// next returns the next token and its span.
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

// readValue builds the node that begins with a token.
func (r *jsonReader) readValue(token json.Token, at source.Span) *Node {
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
			r.readObject(n)
		} else {
			r.readList(n)
		}
	}

	return n
}

// readObject reads the rest of an object.
func (r *jsonReader) readObject(n *Node) {
	n.Kind = Map
	keys := map[string]*Node{}
	for r.tokens.More() {
		key, value := r.readValue(r.next()), r.readValue(r.next())
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

// readList reads the rest of a list.
func (r *jsonReader) readList(n *Node) {
	n.Kind = Seq
	for r.tokens.More() {
		n.Items = append(n.Items, r.readValue(r.next()))
	}
	_, end := r.next()
	n.Span.End = end.End
}
