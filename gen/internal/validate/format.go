package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	"github.com/agentc-dev/agentc/schema"
)

// format is a schema in the forms that are needed: as a tree, for words, and compiled, for verdicts.
type format struct {
	root node
	// byKind says that fields are used by objects of some kinds only: the schema has x-agentc-kinds.
	byKind bool
	// rule says of most documents that nothing is wrong. compiled says what is wrong; it is made when something is.
	rule     rule
	compiled func() *jsonschema.Schema
}

// formats are the schemas, each made when it is first needed. They are part of the program, so a fault in one is a bug of ours.
var formats = func() (all [len(formatNames)]func() *format) {
	for kind := range all {
		all[kind] = sync.OnceValue(func() *format { return newFormat(formatNames[kind].schema) })
	}

	return all
}()

func newFormat(name string) *format {
	text, _ := schema.Text(name)
	f := &format{
		compiled: sync.OnceValue(func() *jsonschema.Schema { return compile(name, text) }),
		byKind:   bytes.Contains(text, []byte(`"x-agentc-kinds"`)),
	}
	if err := errors.Join(json.Unmarshal(text, &f.root.value), json.Unmarshal(text, &f.rule)); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}
	f.root.whole = f.root.value

	return f
}

func compile(name string, text []byte) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	address := "schema://agentc/" + name // the library makes a path of a bare name, in a working directory that may have a #
	if err := c.AddResource(address, bytes.NewReader(text)); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}

	return c.MustCompile(address)
}

// node is a subschema, and whole the schema from its top.
type node struct {
	whole, value map[string]any
}

// at follows a JSON pointer from the root; the zero node if it leads nowhere or to something that is no schema.
func (n node) at(tokens []string) node {
	var value any = n.whole
	for _, token := range tokens {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return node{}
			}
			value = v[i]
		}
	}
	found, _ := value.(map[string]any)

	return node{n.whole, found}
}

// resolved follows $ref.
func (n node) resolved() node {
	for {
		ref, ok := n.value["$ref"].(string)
		if !ok {
			return n
		}
		n = n.at(pointerTokens(strings.TrimPrefix(ref, "#")))
	}
}

// property returns the schema of a field that the schema names, the zero node if it names none.
func (n node) property(name string) node {
	properties, _ := n.resolved().value["properties"].(map[string]any)
	value, _ := properties[name].(map[string]any)

	return node{n.whole, value}
}

// entry returns the schema of a field that only additionalProperties describes.
func (n node) entry() node { return n.child("additionalProperties") }

func (n node) child(keyword string) node {
	value, _ := n.value[keyword].(map[string]any)

	return node{n.whole, value}
}

// list returns the schemas below a keyword such as oneOf.
func (n node) list(keyword string) []node {
	values, _ := n.value[keyword].([]any)
	nodes := make([]node, 0, len(values))
	for _, v := range values {
		m, _ := v.(map[string]any)
		nodes = append(nodes, node{n.whole, m})
	}

	return nodes
}

// text returns a keyword's text, of the schema itself or of the one that it refers to.
func (n node) text(keyword string) string {
	if s, ok := n.value[keyword].(string); ok {
		return s
	}
	s, _ := n.resolved().value[keyword].(string)

	return s
}

// strings returns a keyword's texts; a single one counts as a list.
func (n node) strings(keyword string) []string {
	switch v := n.value[keyword].(type) {
	case string:
		return []string{v}
	case []any:
		var texts []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				texts = append(texts, s)
			}
		}
		return texts
	}

	return nil
}

// number returns a keyword's number as the schema writes it.
func (n node) number(keyword string) string {
	v, _ := n.value[keyword].(float64)

	return strconv.FormatFloat(v, 'g', -1, 64)
}

// types returns the JSON types that the schema accepts, those of all branches for a oneOf.
func (n node) types() []string {
	n = n.resolved()
	types := n.strings("type")
	for _, branch := range n.list("oneOf") {
		types = append(types, branch.types()...)
	}

	return types
}

// free reports whether a field's name is free for the user (x-).
func (n node) free(name string) bool {
	patterns, _ := n.value["patternProperties"].(map[string]any)
	for p := range patterns {
		if regexp.MustCompile(p).MatchString(name) {
			return true
		}
	}

	return false
}

// pointerTokens splits a JSON pointer as the schema library writes it: percent-encoded.
func pointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		if decoded, err := url.PathUnescape(token); err == nil {
			token = decoded
		}
		tokens[i] = yamldoc.UnescapePointer(token)
	}

	return tokens
}
