package emit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Random schemas and values for TestAgreesWithJSONSchema. Schemas use every supported keyword;
// values fit more or less.

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

func js(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}

	return string(raw)
}

// randomSchema returns a schema as JSON, with definitions that it may refer to.
func randomSchema(r *rand.Rand) string {
	g := &schemaGenerator{Rand: r}
	kind := "object"
	if r.IntN(4) == 0 {
		kind = pick(r, "array", "string", "integer", "number", "boolean", "any", "object")
	}
	fields := g.schema(kind, 0)
	fields = append(fields, `"$schema":"https://json-schema.org/draft/2020-12/schema"`)
	var definitions []string
	if g.refers {
		definition := g.schema(pick(r, "string", "integer", "object"), 2)
		definitions = append(definitions, `"shared":{`+strings.Join(definition, ",")+`}`)
	}
	if g.recurs {
		definitions = append(definitions, `"node":{"type":"object","properties":{"v":`+g.nested(3)+`,"next":{"$ref":"#/$defs/node"},`+
			`"or":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},"all":{"type":"array","items":{"$ref":"#/$defs/node"},"maxItems":2}}}`)
	}
	if definitions != nil {
		fields = append(fields, `"$defs":{`+strings.Join(definitions, ",")+`}`)
	}

	return "{" + strings.Join(fields, ",") + "}"
}

type schemaGenerator struct {
	*rand.Rand
	refers, recurs bool
}

func (g *schemaGenerator) maybe(n int) bool { return g.IntN(n) == 0 }

// nested returns a schema below another one.
func (g *schemaGenerator) nested(depth int) string {
	if depth < 2 && g.maybe(12) {
		g.refers = true
		return `{"description":"shared","$ref":"#/$defs/shared"}`
	}
	switch {
	case depth < 2 && g.maybe(12):
		g.recurs = true
		return pick(g.Rand, `{"$ref":"#/$defs/node"}`, `{"oneOf":[{"type":"null"},{"$ref":"#/$defs/node"}],"default":null}`)
	case depth < 3 && g.maybe(12):
		return g.withDefault(g.union(depth))
	}
	kinds := []string{"string", "string", "integer", "number", "boolean", "any"}
	if depth < 3 {
		kinds = append(kinds, "object", "array", "array", "object")
	}
	fields := g.schema(pick(g.Rand, kinds...), depth)
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	text := "{" + strings.Join(fields, ",") + "}"
	if g.maybe(3) {
		return g.withDefault(text)
	}

	return text
}

// union returns a choice of objects.
func (g *schemaGenerator) union(depth int) string {
	var of []string
	for _, kind := range []string{"a", "b", "日本"}[:2+g.IntN(2)] {
		of = append(of, `{"type":"object","properties":{"kind":{"const":"`+kind+`"},"of":`+g.nested(depth+1)+`},"required":["kind"]}`)
	}
	if g.maybe(3) {
		of = append(of, `{"type":"null"}`)
	}

	return `{"` + pick(g.Rand, "anyOf", "oneOf") + `":[` + strings.Join(of, ",") + `]}`
}

// withDefault adds a random default to a schema, if it fits.
func (g *schemaGenerator) withDefault(text string) string {
	s, errors := lowerText(text)
	if errors > 0 || s.Default != "" {
		return text
	}
	added := strings.TrimSuffix(text, "}") + `,"default":` + randomValue(g.Rand, s, 0).String() + "}"
	if text == "{}" {
		added = strings.Replace(added, ",", "", 1)
	}
	if _, errors := lowerText(added); errors > 0 {
		return text
	}

	return added
}

// lowerText returns the schema of a text and how many errors it has.
func lowerText(text string) (*ir.Schema, int) {
	n, found := yamldoc.Parse(source.NewFile("schema.json", []byte(text)))
	if len(found) > 0 {
		return nil, len(found)
	}
	s, found := schemadoc.Lower(n)
	errors := 0
	for _, d := range found {
		if d.Severity == diag.Error {
			errors++
		}
	}

	return s, errors
}

func (g *schemaGenerator) schema(kind string, depth int) []string {
	var fields []string
	if g.maybe(4) {
		fields = append(fields, `"description":`+js(pick(g.Rand, "Plain words.", "two\nlines", "a */ b `c` \u2028 ${d}")))
	}
	if g.maybe(8) {
		fields = append(fields, pick(g.Rand, `"title":"T"`, `"format":"email"`, `"examples":[1,"a"]`, `"deprecated":true`, `"$comment":"c"`))
	}
	nullable := g.maybe(5)
	if kind != "any" && (nullable || kind == "integer" || !g.maybe(10)) {
		name := js(kind)
		if nullable {
			name = `[` + js(kind) + `,"null"]`
		}
		fields = append(fields, `"type":`+name)
	}

	switch kind {
	case "object":
		return append(fields, g.object(depth)...)
	case "array":
		return append(fields, g.array(depth)...)
	case "string":
		return append(fields, g.text(nullable)...)
	case "integer":
		return append(fields, g.integer(nullable)...)
	case "number":
		return append(fields, g.number(nullable)...)
	case "boolean":
		return append(fields, g.boolean()...)
	}
	if g.maybe(6) {
		fields = append(fields, `"default":`+pick(g.Rand, "null", "[1,{\"a\":2}]", `"x"`))
	}

	return fields
}

var propertyNames = []string{
	"a", "b", "user_id", "x-y", "Name", "größe", "with space", "type", "limit", "-", "$ref", "é", "query", "nested", "value", "out",
	"func", "nil", "9lives", "日本", "ǆ", "ß", "١", "a.b", "{}", "//go:build", "*/", "f", "n", "json", "@", "İx", "_", "String", "i",
}

func (g *schemaGenerator) object(depth int) []string {
	var fields, properties, required []string
	for _, i := range g.Perm(len(propertyNames))[:g.IntN(5)] {
		name := propertyNames[i]
		properties = append(properties, js(name)+":"+g.nested(depth+1))
		if g.maybe(2) {
			required = append(required, name)
		}
	}
	if len(properties) > 0 {
		fields = append(fields, `"properties":{`+strings.Join(properties, ",")+`}`)
	}
	if len(required) > 0 {
		fields = append(fields, `"required":`+js(required))
	}
	kind, low := g.IntN(6), 0
	switch kind {
	case 0:
		fields = append(fields, `"additionalProperties":true`)
	case 1:
		fields = append(fields, `"additionalProperties":false`)
	case 2:
		fields = append(fields, `"additionalProperties":`+g.nested(depth+1))
	}
	if isMap := len(properties) == 0 && (kind == 0 || kind == 2); isMap && g.maybe(2) {
		low = g.IntN(3)
		fields = append(fields, fmt.Sprintf(`"minProperties":%d,"maxProperties":%d`, low, low+g.IntN(3)))
	}
	if len(required) == 0 && low == 0 && g.maybe(4) {
		fields = append(fields, `"default":{}`)
	}

	return append(fields, `"x-note":"ours"`)
}

func (g *schemaGenerator) array(depth int) []string {
	var fields []string
	if !g.maybe(5) {
		fields = append(fields, `"items":`+g.nested(depth+1))
	}
	low := 0
	if g.maybe(3) {
		low = g.IntN(3)
		fields = append(fields, fmt.Sprintf(`"minItems":%d`, low))
	}
	if g.maybe(3) {
		fields = append(fields, fmt.Sprintf(`"maxItems":%d`, low+g.IntN(3)))
	}
	if g.maybe(3) {
		fields = append(fields, `"uniqueItems":true`)
	}
	if low == 0 && g.maybe(4) {
		fields = append(fields, `"default":[]`)
	}

	return fields
}

// patterns are with texts that match them.
var patterns = map[string][]string{
	`^[a-z]+$`: {"abc", "z"}, `^\d{3}-\d{4}$`: {"555-1234"}, `foo|bar`: {"xfoo", "bar"}, `^\S+@\S+$`: {"a@b"},
	`^.{2}$`: {"日本", "ab"}, `[^\w\s]`: {"a-b", "!"}, `\bword\b`: {"a word here"}, "`\"": {"`\""}, `^\p{Lu}`: {"Über"},
}

var patternNames = []string{
	`^[a-z]+$`, `^\d{3}-\d{4}$`, `foo|bar`, `^\S+@\S+$`, `^.{2}$`, `[^\w\s]`, `\bword\b`, "`\"", `^\p{Lu}`,
}

func (g *schemaGenerator) text(nullable bool) []string {
	switch g.IntN(6) {
	case 0:
		enum := []any{"en", "de", "", "two words"}[:1+g.IntN(4)]
		if g.maybe(3) {
			enum = append([]any{"en"}, []any{"`\"\\`", "*/ x", "a\n//go:build b", "\u2028", "🙂", "日本", "+", "-", "1", "func"}[g.IntN(9):]...)
		}
		fields := []string{}
		if g.maybe(2) {
			fields = append(fields, `"default":"en"`)
		}
		if nullable && g.maybe(2) {
			enum = append(append([]any{}, enum...), nil)
		}
		return append(fields, `"enum":`+js(enum))
	case 1:
		return []string{`"const":"only"`}
	case 2:
		return []string{`"pattern":` + js(pick(g.Rand, patternNames...))}
	case 3:
		return []string{`"minLength":1`, `"default":"a\"b"`}
	}
	var fields []string
	low := 0
	if g.maybe(2) {
		low = g.IntN(4)
		fields = append(fields, fmt.Sprintf(`"minLength":%d`, low))
	}
	if g.maybe(2) {
		fields = append(fields, fmt.Sprintf(`"maxLength":%d`, low+g.IntN(4)))
	}

	return fields
}

func (g *schemaGenerator) integer(nullable bool) []string {
	switch g.IntN(6) {
	case 0:
		return []string{`"enum":` + pick(g.Rand, "[1,2,3]", "[7]", "[-1,1.0e1]")}
	case 1:
		return []string{pick(g.Rand, `"multipleOf":5`, `"multipleOf":2.5`, `"multipleOf":0.5`), `"default":10`}
	case 2:
		fields := []string{`"minimum":-9223372036854775808`, `"maximum":9223372036854775807`}
		if nullable {
			fields = append(fields, `"default":null`)
		}
		return fields
	}
	var fields []string
	if g.maybe(2) {
		fields = append(fields, pick(g.Rand, `"minimum":`, `"exclusiveMinimum":`)+pick(g.Rand, "-3", "0", "0.5", "1"))
	}
	if g.maybe(2) {
		fields = append(fields, pick(g.Rand, `"maximum":`, `"exclusiveMaximum":`)+pick(g.Rand, "3", "3.5", "1e1"))
	}
	if g.maybe(4) {
		fields = append(fields, `"default":`+pick(g.Rand, "2", "2.0"))
	}

	return fields
}

func (g *schemaGenerator) number(nullable bool) []string {
	switch g.IntN(6) {
	case 0:
		return []string{`"enum":` + pick(g.Rand, "[0.5,1,2e3]", "[0.1]")}
	case 1:
		return []string{`"multipleOf":` + pick(g.Rand, "0.01", "0.1", "3", "1e-7")}
	case 2:
		return []string{`"const":1.5`}
	}
	var fields []string
	if g.maybe(2) {
		fields = append(fields, pick(g.Rand, `"minimum":`, `"exclusiveMinimum":`)+pick(g.Rand, "-0.5", "0", "0.1", "1e-3"))
	}
	if g.maybe(2) {
		fields = append(fields, pick(g.Rand, `"maximum":`, `"exclusiveMaximum":`)+pick(g.Rand, "0.3", "2.5", "1e300"))
	}
	if g.maybe(4) {
		fields = append(fields, `"default":`+pick(g.Rand, "0.25", "0.2"))
	}
	if nullable && g.maybe(2) {
		fields = append(fields, `"x-null":"may be"`)
	}

	return fields
}

func (g *schemaGenerator) boolean() []string {
	switch g.IntN(5) {
	case 0:
		return []string{`"const":` + pick(g.Rand, "true", "false")}
	case 1:
		return []string{`"enum":[true,false]`, `"default":true`}
	case 2:
		return []string{`"default":false`}
	}

	return nil
}

// value is a JSON value that can be changed: a scalar's text, or what is inside.
type value struct {
	text  string
	names []string // of an object's items
	items []*value
	kind  byte // '[', '{' or 0
}

func (v *value) String() string {
	parts := make([]string, len(v.items))
	for i, item := range v.items {
		parts[i] = item.String()
		if v.kind == '{' {
			parts[i] = js(v.names[i]) + ": " + parts[i]
		}
	}
	switch v.kind {
	case '[':
		return "[" + strings.Join(parts, ", ") + "]"
	case '{':
		return "{" + strings.Join(parts, ",") + " }"
	}

	return v.text
}

var scalars = []string{
	"null", "true", "false", `""`, `"en"`, `"only"`, `"a"`, `"日本"`, `"long enough"`, `"\ud83d\ude00"`, `"a\u0000\n\"b"`,
	"0", "-0", "1", "1.0", "10e-1", "2", "3", "7", "10", "1e1", "-1", "0.1", "0.3", "0.30", "1.5", "2.5", "1E+2", "2e3", "0.07", "1e-7",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9007199254740993",
	"12345678901234567890", "0.1234567890123456789", "1e308", "1e309", "5e-324", "1e-400", "100000000000000000000.0", "1e22", "0e999",
}

func scalar(r *rand.Rand) *value { return &value{text: pick(r, scalars...)} }

// randomValue returns a value that mostly fits s.
func randomValue(r *rand.Rand, s *ir.Schema, depth int) *value {
	if s == nil || s.Kind == ir.SchemaAny {
		return anyValue(r, depth)
	}
	if s.Nullable && r.IntN(4) == 0 {
		return &value{text: "null"}
	}
	if len(s.Enum) > 0 {
		return &value{text: pick(r, s.Enum...)}
	}
	switch s.Kind {
	case ir.SchemaRef:
		return randomValue(r, s.Target, depth+1)
	case ir.SchemaUnion:
		return randomValue(r, pick(r, s.Variants...).Schema, depth+1)
	case ir.SchemaObject:
		v := &value{kind: '{'}
		for _, p := range s.Properties {
			if p.Required || r.IntN(2+depth/4) == 0 {
				v.names = append(v.names, p.Name.Value)
				v.items = append(v.items, randomValue(r, p.Schema, depth+1))
			}
		}
		for i := 0; s.Additional != nil && i < r.IntN(3); i++ {
			v.names = append(v.names, "extra "+strconv.Itoa(i))
			v.items = append(v.items, randomValue(r, s.Additional, depth+1))
		}
		return v
	case ir.SchemaArray:
		v := &value{kind: '['}
		for range r.IntN(4) {
			v.items = append(v.items, randomValue(r, s.Items, depth+1))
		}
		return v
	case ir.SchemaString:
		if s.Pattern != "" {
			return &value{text: js(pick(r, patterns[s.Pattern]...))}
		}
		return &value{text: js(strings.Repeat("é", r.IntN(5)))}
	case ir.SchemaInteger:
		return &value{text: pick(r, "0", "1", "2", "3.0", "5", "10", "1e1", "-1", "9223372036854775807", "-9223372036854775808")}
	case ir.SchemaNumber:
		return &value{text: pick(r, "0.2", "0.25", "0.07", "1", "1e-7", "0.3", "3", "-0.5", "2.5e0")}
	}

	return &value{text: pick(r, "true", "false")}
}

func anyValue(r *rand.Rand, depth int) *value {
	switch {
	case depth < 4 && r.IntN(5) == 0:
		return &value{kind: '[', items: []*value{scalar(r), anyValue(r, depth+1)}}
	case depth < 4 && r.IntN(5) == 0:
		return &value{kind: '{', names: []string{"k", ""}, items: []*value{scalar(r), anyValue(r, depth+1)}}
	}

	return scalar(r)
}

// mutate changes one place of v.
func (v *value) mutate(r *rand.Rand) {
	if len(v.items) > 0 && r.IntN(3) > 0 {
		v.items[r.IntN(len(v.items))].mutate(r)
		return
	}
	switch i := r.IntN(4); {
	case v.kind == '{' && i == 0 && len(v.items) > 0:
		drop := r.IntN(len(v.items))
		v.items = append(v.items[:drop:drop], v.items[drop+1:]...)
		v.names = append(v.names[:drop:drop], v.names[drop+1:]...)
	case v.kind == '{' && i == 1:
		for _, name := range v.names {
			if name == "unheard of" {
				return
			}
		}
		v.names, v.items = append(v.names, "unheard of"), append(v.items, scalar(r))
	case v.kind == '{' && i == 2:
		r.Shuffle(len(v.items), func(i, j int) {
			v.items[i], v.items[j] = v.items[j], v.items[i]
			v.names[i], v.names[j] = v.names[j], v.names[i]
		})
	case v.kind == '[' && i == 0 && len(v.items) > 0:
		v.items = append(v.items, v.items[0])
	case v.kind == '[' && i == 1:
		v.items = append(v.items, scalar(r))
	default:
		*v = *anyValue(r, 2)
	}
}
