package emit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// agreeValues is how many values each schema is tried with.
const agreeValues = 40

// TestAgreesWithJSONSchema compiles generated code for random schemas once, feeds it random values,
// and compares what it says with santhosh-tekuri/jsonschema. What both accept must encode back
// equal, defaults filled in.
//
// Two differences are wanted and are told to the reference as formats: a whole number is one of 64
// bits, and a number is one that a float64 gives back as it was written.
func TestAgreesWithJSONSchema(t *testing.T) {
	t.Parallel()
	count := 250
	if testing.Short() {
		count = 60
	}
	r := rand.New(rand.NewPCG(2, 6))
	schemas := make([]*ir.Schema, count)
	references := make([]*jsonschema.Schema, count)
	for i := range schemas {
		schemas[i] = lowerRandom(t, r)
		references[i] = referenceFor(t, schemas[i].JSON)
	}
	program := buildAgreement(t, schemas)

	type pair struct {
		schema int
		value  string
	}
	var pairs []pair
	var input bytes.Buffer
	for i, s := range schemas {
		for range agreeValues {
			v := randomValue(r, s, 0)
			for range r.IntN(3) {
				v.mutate(r)
			}
			pairs = append(pairs, pair{i, v.String()})
			line, _ := json.Marshal([]string{strconv.Itoa(i), v.String()})
			input.Write(append(line, '\n'))
		}
	}

	cmd := exec.Command(program)
	cmd.Stdin = &input
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 1<<24)

	accepted := 0
	for _, p := range pairs {
		if !lines.Scan() {
			t.Fatal("the program answered too little")
		}
		var answer struct{ Problem, Encoded string }
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		want := references[p.schema].Validate(decodeAny(t, p.value))
		if (want == nil) != (answer.Problem == "") {
			t.Errorf("schema %s\nvalue %s\nreference: %v\ngenerated: %s", schemas[p.schema].JSON, p.value, want, answer.Problem)
			continue
		}
		if want != nil {
			continue
		}
		accepted++
		full := decodeAny(t, p.value)
		if p.schema%2 == 1 { // in what users make, a default is a remark
			full = withDefaults(t, schemas[p.schema], full)
		}
		if back := decodeAny(t, answer.Encoded); !sameJSON(full, back) {
			t.Errorf("schema %s\nvalue   %s\nencoded %s", schemas[p.schema].JSON, p.value, answer.Encoded)
		}
	}
	t.Logf("%d pairs, %d accepted by both", len(pairs), accepted)
	least := len(pairs) * 3 / 10
	if accepted < least || len(pairs)-accepted < least {
		t.Errorf("%d pairs, of which %d are accepted: too few of one sort to mean anything", len(pairs), accepted)
	}
}

// lowerRandom returns a random schema that the compiler takes; names may collide by chance, which
// it refuses.
func lowerRandom(t *testing.T, r *rand.Rand) *ir.Schema {
	t.Helper()
	for {
		text := randomSchema(r)
		n, found := yamldoc.Parse(source.NewFile("schema.json", []byte(text)))
		if len(found) > 0 {
			t.Fatalf("%s: %s", text, found[0].Message)
		}
		s, found := schemadoc.Lower(n)
		usable := true
		for _, d := range found {
			switch {
			case d.Check == diag.DuplicateName:
				usable = false
			case d.Severity == diag.Error:
				t.Fatalf("%s: %s: %s", text, d.Span.Text(), d.Message)
			}
		}
		if usable {
			return s
		}
	}
}

// buildAgreement compiles a program that reads pairs [schema, value] and answers each with the
// problem or the value as it is encoded.
func buildAgreement(t *testing.T, schemas []*ir.Schema) string {
	t.Helper()
	f := jen.NewFile("main")
	f.ImportName(runtimePath, "runtime")
	f.ImportName(linkedPath+"/rt", "rt")
	table := make([]jen.Code, len(schemas))
	for i, s := range schemas {
		root := "S" + strconv.Itoa(i)
		fail := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
		out := jen.List(jen.Id("out"), jen.Err()).Op(":=")
		var body []jen.Code
		if i%2 == 0 {
			emitSchema(f, root, "a value", s, true)
			body = []jen.Code{
				out.Add(readerCode(root)).Dot("Decode").Call(jen.Id("raw")), fail,
				jen.Return(readerCode(root).Dot("Encode").Call(jen.Id("out"))),
			}
		} else {
			emitSchema(f, root, "a value", s, false)
			body = []jen.Code{
				jen.Err().Op(":=").Add(checkFunc(root)).Call(jen.Id("raw")), fail,
				out.Add(readerCode(root)).Dot("Decode").Call(jen.Id("raw")), fail,
				jen.Return(jen.Qual("encoding/json", "Marshal").Call(jen.Id("out"))),
			}
		}
		table[i] = jen.Line().Func().Params(jen.Id("raw").Index().Byte()).Params(jen.Index().Byte(), jen.Error()).Block(body...)
	}
	f.Var().Id("roundTrips").Op("=").Index().Func().Params(jen.Index().Byte()).Params(jen.Index().Byte(), jen.Error()).Values(table...)

	return buildProgram(t, map[string]string{"schemas.go": fmt.Sprintf("%#v", f), "main.go": agreementMain})
}

const agreementMain = `package main

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
)

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var pair []string
		if err := in.Decode(&pair); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		i, err := strconv.Atoi(pair[0])
		if err != nil {
			panic(err)
		}
		var answer struct{ Problem, Encoded string }
		raw, err := roundTrips[i]([]byte(pair[1]))
		if err != nil {
			answer.Problem = err.Error()
		}
		answer.Encoded = string(raw)
		if err := out.Encode(answer); err != nil {
			panic(err)
		}
	}
}
`

// buildProgram vets and compiles package main in a module of its own, which takes the runtime from
// this one, and returns the path of the binary.
func buildProgram(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/agentc-dev/agentc"
	files["go.sum"] = string(sums)
	files["go.mod"] = "module agreement\n\ngo 1.25.0\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + strconv.Quote(root) + "\n"

	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "-mod=mod", "."}, {"build", "-mod=mod", "-o", "agreement", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}

	return filepath.Join(dir, "agreement")
}

// referenceFor compiles the schema that a model is shown, with the two wanted differences.
func referenceFor(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(withFormats(decodeAny(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.Formats = map[string]func(any) bool{"int64": isInt64, "float64": isFloat64}
	if err := c.AddResource("schema.json", bytes.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}

	return s
}

func isInt64(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return true
	}
	r, ok := new(big.Rat).SetString(string(n))

	return ok && (!r.IsInt() || r.Num().IsInt64())
}

func isFloat64(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return true
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return false
	}

	return sameJSON(n, json.Number(strconv.FormatFloat(f, 'g', -1, 64)))
}

// withFormats replaces the format of every schema below v by that of its Go type.
func withFormats(v any) any {
	s, ok := v.(map[string]any)
	if !ok {
		return v
	}
	delete(s, "format")
	types, _ := s["type"].([]any)
	for _, name := range append(types, s["type"]) {
		switch name {
		case "integer":
			s["format"] = "int64"
		case "number":
			s["format"] = "float64"
		}
	}
	for _, key := range []string{"properties", "$defs"} {
		properties, _ := s[key].(map[string]any)
		for name := range properties {
			properties[name] = withFormats(properties[name])
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		of, _ := s[key].([]any)
		for i := range of {
			of[i] = withFormats(of[i])
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if below, ok := s[key]; ok {
			s[key] = withFormats(below)
		}
	}

	return s
}

// withDefaults fills the defaults of s into v.
func withDefaults(t *testing.T, s *ir.Schema, v any) any {
	t.Helper()
	s = s.Resolved()
	for _, variant := range s.Variants {
		if m, ok := v.(map[string]any); ok && m[s.Tag] == variant.Name.Value {
			return withDefaults(t, variant.Schema, v)
		}
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			if s.Items != nil {
				v[i] = withDefaults(t, s.Items, v[i])
			}
		}
	case map[string]any:
		declared := map[string]bool{}
		for _, p := range s.Properties {
			name := p.Name.Value
			declared[name] = true
			if _, there := v[name]; !there && !p.Required && p.Schema.Default != "" {
				v[name] = decodeAny(t, p.Schema.Default)
			}
			if below, there := v[name]; there {
				v[name] = withDefaults(t, p.Schema, below)
			}
		}
		for name := range v {
			if !declared[name] && s.Additional != nil {
				v[name] = withDefaults(t, s.Additional, v[name])
			}
		}
	}

	return v
}

func decodeAny(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}

	return v
}

// sameJSON compares values; numbers by their exact value.
func sameJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		n, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, okX := new(big.Rat).SetString(string(a))
		y, okY := new(big.Rat).SetString(string(n))
		return okX && okY && x.Cmp(y) == 0
	case []any:
		items, ok := b.([]any)
		if !ok || len(a) != len(items) {
			return false
		}
		for i := range a {
			if !sameJSON(a[i], items[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		members, ok := b.(map[string]any)
		if !ok || len(a) != len(members) {
			return false
		}
		for name := range a {
			if other, there := members[name]; !there || !sameJSON(a[name], other) {
				return false
			}
		}
		return true
	}

	return a == b
}
