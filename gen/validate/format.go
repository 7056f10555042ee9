package validate

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/schema"
)

// format is a schema in the two forms that are needed: compiled, for verdicts, and as a tree, for words.
type format struct {
	compiled *jsonschema.Schema
	// quick says the same of a document as compiled, in less time and without saying where: references are written out.
	quick *jsonschema.Schema
	root  node
}

// formats compiles each schema once, when it is first needed. The schemas are part of the program, so a fault in one is a
// bug of ours.
var formats = map[Kind]func() *format{
	Agent:      sync.OnceValue(func() *format { return compile(Agent) }),
	Step:       step,
	Resume:     step,
	Skill:      sync.OnceValue(func() *format { return compile(Skill) }),
	Config:     sync.OnceValue(func() *format { return compile(Config) }),
	TamaConfig: sync.OnceValue(func() *format { return compile(TamaConfig) }),
}

// step is what both kinds of step files share.
var step = sync.OnceValue(func() *format { return compile(Step) })

func compile(kind Kind) *format {
	name := kind.schemaName()
	text, _ := schema.Text(name)
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}
	f := &format{compiled: c.MustCompile(name)}
	if err := json.Unmarshal(text, &f.root.value); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}
	f.root.root = f.root.value
	f.quick = compileQuick(name, f.root)

	return f
}

// compileQuick compiles a schema with its references written out: the library takes a step, and a map of all fields, for each
// of them, and nearly all documents have nothing wrong.
func compileQuick(name string, root node) *jsonschema.Schema {
	text, err := json.Marshal(root.writtenOut(root.value))
	if err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}

	return c.MustCompile(name)
}

// writtenOut returns a part of the schema with what its references mean in their place. No definition refers to itself.
func (n node) writtenOut(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = n.writtenOut(item)
		}

		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		if ref, ok := v["$ref"].(string); ok {
			v = node{n.root, v}.at(pointerTokens(strings.TrimPrefix(ref, "#"))).value
		}
		for key, item := range v {
			if key != "$defs" && key != "$id" {
				out[key] = n.writtenOut(item)
			}
		}

		return out
	}

	return value
}

// node is a subschema.
type node struct {
	root  map[string]any
	value map[string]any
}

// at follows a JSON pointer from the root; the zero node if it leads nowhere or to something that is no schema.
func (n node) at(tokens []string) node {
	var value any = n.root
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

	return node{n.root, found}
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

	return node{n.root, value}
}

// entry returns the schema of a field that only additionalProperties describes.
func (n node) entry() node { return n.child("additionalProperties") }

func (n node) child(keyword string) node {
	value, _ := n.value[keyword].(map[string]any)

	return node{n.root, value}
}

// list returns the schemas below a keyword such as oneOf.
func (n node) list(keyword string) []node {
	values, _ := n.value[keyword].([]any)
	nodes := make([]node, 0, len(values))
	for _, v := range values {
		m, _ := v.(map[string]any)
		nodes = append(nodes, node{n.root, m})
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
		tokens[i] = unescape.Replace(token)
	}

	return tokens
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")
