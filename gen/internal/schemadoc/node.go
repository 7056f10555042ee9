package schemadoc

import (
	"encoding/json"

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

// parseJSON makes a tree of JSON, whose places are all at; nil if it is none.
func parseJSON(text json.RawMessage, at source.Span) *yamldoc.Node {
	n, _ := yamldoc.ParseJSON(source.NewFile("schema.json", text))
	if n != nil {
		move(n, at)
	}

	return n
}

// move gives a node, and all that is in it, one place.
func move(n *yamldoc.Node, at source.Span) {
	n.Span = at
	for _, item := range n.Items {
		move(item, at)
	}
	for _, f := range n.Fields {
		move(f.Key, at)
		move(f.Value, at)
	}
}
