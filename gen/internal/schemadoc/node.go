package schemadoc

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The nodes of schemas that are made here.

func mapping(at source.Span, fields ...*yamldoc.Field) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Map, Span: at, Fields: fields}
}

func sequence(at source.Span, items ...*yamldoc.Node) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Seq, Span: at, Items: items}
}

func word(at source.Span, text string) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.String, Quoted: true, Text: text, Span: at}
}

func field(name string, value *yamldoc.Node) *yamldoc.Field {
	return &yamldoc.Field{Key: word(value.Span, name), Value: value}
}

// parseJSON makes a tree of JSON, whose places are all at.
func parseJSON(text json.RawMessage, at source.Span) (*yamldoc.Node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()

	return nextNode(d, at)
}

func nextNode(d *json.Decoder, at source.Span) (*yamldoc.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		return nestedNode(d, token, at)
	case bool:
		return &yamldoc.Node{Kind: yamldoc.Bool, Text: map[bool]string{true: "true", false: "false"}[token], Span: at}, nil
	case json.Number:
		kind := yamldoc.Int
		if strings.ContainsAny(token.String(), ".eE") {
			kind = yamldoc.Float
		}
		return &yamldoc.Node{Kind: kind, Text: token.String(), Span: at}, nil
	case string:
		return word(at, token), nil
	}

	return &yamldoc.Node{Kind: yamldoc.Null, Span: at}, nil
}

// nestedNode reads what follows the opening bracket of a list or an object.
func nestedNode(d *json.Decoder, open json.Delim, at source.Span) (*yamldoc.Node, error) {
	n := sequence(at)
	if open == '{' {
		n = mapping(at)
	}
	for d.More() {
		value, err := nextNode(d, at)
		if err != nil {
			return nil, err
		}
		if open == '[' {
			n.Items = append(n.Items, value)
			continue
		}
		name := value.Text
		if value, err = nextNode(d, at); err != nil {
			return nil, err
		}
		n.Fields = append(n.Fields, field(name, value))
	}
	_, err := d.Token()

	return n, err
}
