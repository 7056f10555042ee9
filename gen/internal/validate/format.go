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

// format is a schema as a tree, for messages, and compiled, for verdicts.
type format struct {
	root node
	// byKind is true if the schema has x-agentc-kinds: some fields are only used by objects of some
	// kinds.
	byKind bool
	// rule accepts most documents quickly. compiled finds the mistakes of the others; it is created
	// when it is needed.
	rule     rule
	compiled func() *jsonschema.Schema
}

// formats creates each schema when it is first needed. A mistake in a schema is our bug.
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
	address := "schema://agentc/" + name // the library turns a bare name into a path below the working directory, which may have a #
	if err := c.AddResource(address, bytes.NewReader(text)); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}

	return c.MustCompile(address)
}

// node is a subschema; whole is the complete schema.
type node struct {
	whole, value map[string]any
}

// follow follows a JSON pointer from the root. It returns the zero node if there is no schema.
func (n node) follow(tokens []string) node {
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
		n = n.follow(pointerTokens(strings.TrimPrefix(ref, "#")))
	}
}

// property returns the schema of a named field, or the zero node.
func (n node) property(name string) node {
	properties, _ := n.resolved().value["properties"].(map[string]any)
	value, _ := properties[name].(map[string]any)

	return node{n.whole, value}
}

// entrySchema returns the schema in additionalProperties.
func (n node) entrySchema() node { return n.child("additionalProperties") }

func (n node) child(keyword string) node {
	value, _ := n.value[keyword].(map[string]any)

	return node{n.whole, value}
}

// subschemas returns the schemas below a keyword such as oneOf.
func (n node) subschemas(keyword string) []node {
	values, _ := n.value[keyword].([]any)
	nodes := make([]node, 0, len(values))
	for _, v := range values {
		m, _ := v.(map[string]any)
		nodes = append(nodes, node{n.whole, m})
	}

	return nodes
}

// text returns the text of a keyword, of the schema itself or of its $ref.
func (n node) text(keyword string) string {
	if s, ok := n.value[keyword].(string); ok {
		return s
	}
	s, _ := n.resolved().value[keyword].(string)

	return s
}

// strings returns the texts of a keyword. A single text counts as a list.
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

// number returns the number of a keyword as the schema writes it.
func (n node) number(keyword string) string {
	v, _ := n.value[keyword].(float64)

	return strconv.FormatFloat(v, 'g', -1, 64)
}

// types returns the JSON types that the schema accepts, including all branches of a oneOf.
func (n node) types() []string {
	n = n.resolved()
	types := n.strings("type")
	for _, branch := range n.subschemas("oneOf") {
		types = append(types, branch.types()...)
	}

	return types
}

// isFreeName reports whether users may define a field with the name (x-).
func (n node) isFreeName(name string) bool {
	patterns, _ := n.value["patternProperties"].(map[string]any)
	for p := range patterns {
		if regexp.MustCompile(p).MatchString(name) {
			return true
		}
	}

	return false
}

// pointerTokens splits a percent-encoded JSON pointer of the schema library.
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
