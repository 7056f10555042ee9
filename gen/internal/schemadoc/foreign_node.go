package schemadoc

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// foreignNode makes a tree of JSON, whose places are all at.
func foreignNode(text json.RawMessage, at source.Span) (*yamldoc.Node, error) {
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
		if token {
			return yes(at), nil
		}
		return &yamldoc.Node{Kind: yamldoc.Bool, Text: "false", Span: at}, nil
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
		name := ""
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name, _ = key.(string)
		}
		value, err := nextNode(d, at)
		if err != nil {
			return nil, err
		}
		if open == '{' {
			n.Fields = append(n.Fields, field(name, value))
		} else {
			n.Items = append(n.Items, value)
		}
	}
	_, err := d.Token()

	return n, err
}

func mapping(at source.Span, fields ...*yamldoc.Field) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Map, Span: at, Fields: fields}
}

func sequence(at source.Span, items ...*yamldoc.Node) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Seq, Span: at, Items: items}
}

func word(at source.Span, text string) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.String, Quoted: true, Text: text, Span: at}
}

func yes(at source.Span) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Bool, Text: "true", Span: at}
}

// anything is the schema that any value fits.
func anything(at source.Span) *yamldoc.Node { return mapping(at) }

func field(name string, value *yamldoc.Node) *yamldoc.Field {
	return &yamldoc.Field{Key: word(value.Span, name), Value: value}
}
