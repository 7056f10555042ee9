package sample_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func lower(t *testing.T, text string) *ir.Schema {
	t.Helper()
	n, found := yamldoc.Parse(source.NewFile("schema.yaml", []byte(text)))
	s, more := schemadoc.Lower(n)
	for _, d := range append(found, more...) {
		t.Fatalf("%s: %s", text, d.Message)
	}

	return s
}

// values are schemas, and below each the value that is made for it.
const values = `
{}
	"text"
{oneOf: [{properties: {is: {const: a}, n: {type: integer, minimum: 2}}, required: [is, n]}, {properties: {is: {const: b}}, required: [is]}]}
	{"is":"a","n":2}
{properties: {next: {anyOf: [{$ref: "#"}, {type: "null"}]}, all: {type: array, items: {$ref: "#"}}}, required: [next, all]}
	{"next":null,"all":[]}
{type: string}
	"text"
{type: [string, "null"]}
	"text"
{type: string, maxLength: 2}
	"aa"
{type: string, maxLength: 0}
	""
{type: string, minLength: 6}
	"text.."
{enum: [b, a]}
	"b"
{const: 3}
	3
{type: boolean}
	true
{type: integer}
	0
{type: integer, minimum: 3}
	3
{type: integer, minimum: 2.5}
	3
{type: integer, maximum: -3}
	-3
{type: integer, maximum: -2.5}
	-3
{exclusiveMinimum: 3, multipleOf: 2, type: integer}
	4
{exclusiveMaximum: -4, multipleOf: 2, type: integer}
	-6
{minimum: -5, maximum: 5, type: integer}
	0
{minimum: 1, multipleOf: 1.5, type: integer}
	3
{type: number, exclusiveMinimum: 0, maximum: 1}
	1
{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1}
	0.5
{type: number, exclusiveMinimum: 0.1, maximum: 0.2, multipleOf: 0.05}
	0.15
{type: number, minimum: 1.0e+300}
	1e+300
{type: array}
	[]
{items: {type: integer}, minItems: 2}
	[0,0]
{additionalProperties: {type: integer}, minProperties: 2, maxProperties: 2}
	{"x0_0":0,"x0_1":0}
{additionalProperties: {type: integer}, maxProperties: 0}
	{}
{items: {type: integer}, minItems: 3, uniqueItems: true}
	[0,1,-1]
{items: {enum: [x, y]}, minItems: 2, uniqueItems: true}
	["x","y"]
{items: {maxLength: 1}, minItems: 2, uniqueItems: true}
	["a","b"]
{items: {type: boolean}, minItems: 2, uniqueItems: true}
	[true,false]
{items: {type: string}, minItems: 2, uniqueItems: true}
	["text","text 2"]
{items: {items: {type: integer}}, minItems: 3, uniqueItems: true}
	[[],[0],[1]]
{items: {pattern: "^[a-c]{2}$"}, minItems: 2, uniqueItems: true}
	["aa","ba"]
{items: {properties: {n: {type: integer}, s: {}}, required: [n]}, minItems: 2, uniqueItems: true}
	[{"n":0},{"n":1,"s":"text"}]
{items: {properties: {n: {type: integer}}}, minItems: 3, uniqueItems: true}
	[{},{"n":0},{"n":1}]
{items: {additionalProperties: {}}, minItems: 2, uniqueItems: true}
	[{},{"x1":"text"}]
{properties: {a: {type: integer}, b: {minLength: 1}}, required: [b]}
	{"b":"text"}
{pattern: "^t"}
	"text"
{pattern: "^\\d{4}-\\d{2}$"}
	"0000-00"
{pattern: "^(yes|no)$"}
	"yes"
{pattern: "^(yes|no)$", maxLength: 2}
	"no"
{pattern: "^x*$", minLength: 3}
	"xxx"
{pattern: "x$", minLength: 3}
	"aax"
{pattern: "^[^a-z]+$"}
	"0"
{pattern: "^a.c$"}
	"a0c"
{pattern: "\\bword\\b"}
	"word"
{pattern: "^[A-Z]\\w+@[a-z]+\\.org$"}
	"A0@a.org"
`

// noValues are schemas for which no value is found, and below each what is said about it.
const noValues = `
{type: integer, minimum: 1, maximum: 2, multipleOf: 5}
	numbers
{items: {type: boolean}, minItems: 3, uniqueItems: true}
	at [2], no 3 different values were found
{properties: {a: {pattern: "a^"}}, required: [a]}
	at a, no text was found that matches the pattern "a^"
{type: string, minLength: 1000000}
	a text of 1000000 characters is too long
{minItems: 1000000}
	a list of 1000000 items is too long
{minItems: 9000, items: {minItems: 9000, items: {type: integer}}}
	it is too large to be made up
{minItems: 9000, items: {minLength: 9000}}
	it is too large to be made up
{items: {items: {enum: [x]}, maxItems: 0}, minItems: 2, uniqueItems: true}
	at [1], no 2 different values were found
{items: {properties: {a: {const: 1}}}, minItems: 3, uniqueItems: true}
	at [2], no 3 different values were found
`

// table reads pairs of lines.
func table(text string) map[string]string {
	pairs := map[string]string{}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		pairs[lines[i]] = strings.TrimSpace(lines[i+1])
	}

	return pairs
}

func TestValue(t *testing.T) {
	for schema, want := range table(values) {
		got, err := sample.MakeValue(lower(t, schema), "text")
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", schema, got, err, want)
		}
	}
}

func TestNoValue(t *testing.T) {
	for schema, want := range table(noValues) {
		got, err := sample.MakeValue(lower(t, schema), "text")
		var problem *sample.Error
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want %s", schema, got, err, want)
		}
	}
}

func TestTexts(t *testing.T) {
	for schema, want := range map[string][]string{
		`{type: string}`:                   {"DONE", "again"},
		`{type: string, maxLength: 4}`:     {"DONE"},
		`{type: string, minLength: 6}`:     {"DONE..", "again."},
		`{enum: ["done: good", more]}`:     {"done: good", "more"},
		`{type: string, pattern: "^aga"}`:  {"again"},
		`{type: string, minLength: 99999}`: nil,
		`{type: integer}`:                  nil,
		`{}`:                               nil,
	} {
		if got := sample.MakeTexts(lower(t, schema), "DONE", "again"); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}

// TestManyDifferentValues makes long lists without the same item twice, each item out of the ones before it.
func TestManyDifferentValues(t *testing.T) {
	for _, items := range []string{
		`{type: integer}`, `{type: integer, minimum: 3, maximum: 100000, multipleOf: 7}`, `{type: number, exclusiveMinimum: 0, maximum: 1}`,
		`{pattern: "^[0-9]{6}$"}`, `{pattern: "^(a|b|cd*)+x?$"}`, `{items: {type: integer}}`, `{additionalProperties: {}}`, `{}`,
	} {
		text := fmt.Sprintf(`{items: %s, minItems: 2000, uniqueItems: true}`, items)
		value, err := sample.MakeValue(lower(t, text), "text")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		fits(t, text, value)
	}
}

// TestValuesFit makes values for random schemas and holds them against another implementation of JSON Schema.
func TestValuesFit(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 3))
	made := 0
	for range 2000 {
		text := randomSchema(random, 0)
		value, err := sample.MakeValue(lower(t, text), "text")
		if err != nil {
			continue
		}
		made++
		fits(t, text, value)
	}
	if made < 1500 {
		t.Errorf("only %d of 2000 schemas had a value", made)
	}
}

// fits holds a value against another implementation of JSON Schema.
func fits(t *testing.T, schema, value string) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("s.json", strings.NewReader(lower(t, schema).JSON)); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err != nil {
		t.Fatalf("%s: %s: %v", schema, value, err)
	}
	if err := c.MustCompile("s.json").Validate(v); err != nil {
		t.Errorf("%s\n%s\n%v", schema, value, err)
	}
}

func randomSchema(r *rand.Rand, depth int) string {
	kinds := 7
	if depth > 2 {
		kinds = 5
	}
	bound := func() int { return r.IntN(40) - 20 }
	switch r.IntN(kinds) {
	case 0:
		least := bound()
		return fmt.Sprintf(`{"type":"integer","minimum":%d,"exclusiveMaximum":%d,"multipleOf":%d}`,
			least, least+1+r.IntN(9), 1+r.IntN(4))
	case 1:
		least := bound()
		return fmt.Sprintf(`{"type":"number","exclusiveMinimum":%d.%d,"maximum":%d}`, least, r.IntN(10), least+1+r.IntN(5))
	case 2:
		least := r.IntN(5)
		return fmt.Sprintf(`{"type":"string","minLength":%d,"maxLength":%d}`, least, least+r.IntN(9))
	case 3:
		pattern := []string{`^\\d+$`, `^[A-Z]{3}-\\d{2,4}$`, `^(a|b(c|d)*)+$`, `x`, `^$`, `^.{3}$`, `\\S\\s\\S`}[r.IntN(7)]
		return fmt.Sprintf(`{"type":"string","minLength":%d,"pattern":"%s"}`, r.IntN(3), pattern)
	case 4:
		return []string{`{"enum":["a","b"]}`, `{"type":"boolean"}`, `{}`, `{"const":7}`}[r.IntN(4)]
	case 5:
		return fmt.Sprintf(`{"type":"array","items":%s,"minItems":%d,"uniqueItems":%t}`,
			randomSchema(r, depth+1), r.IntN(4), r.IntN(2) == 0)
	}

	return fmt.Sprintf(`{"type":"object","properties":{"a":%s,"b":%s},"required":["a"]}`,
		randomSchema(r, depth+1), randomSchema(r, depth+1))
}
