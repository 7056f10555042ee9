package gen_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// TestSchemasChangeNoMeaning: expressions and templates give the same, whether Go knows what they read as structs (a declared
// context, the output of an agent) or as values of which nothing is known (an open context, what is read from it).
func TestSchemasChangeNoMeaning(t *testing.T) {
	objects, conditions, templates := 16, 150, 100
	if testing.Short() {
		objects, conditions, templates = 8, 24, 16
	}
	r := &randomTyped{rand.New(rand.NewPCG(7, 7))}
	steps := r.steps(conditions, templates)
	kinds := []struct{ name, head, root, script, context string }{
		{"typedcontext", "context: " + typedSchema + "\nsteps:\n" + anyWriter, "context", "", "%s"},
		{"opencontext", "steps:\n", "context", "", "%s"},
		{"typedsteps", typedAgent, "steps.it", "flow/reader: [{say: '%s'}]", ""},
		{"opensteps", "steps:\n  - {name: it, agent: {id: flujo.builtins.context_get, params: {path: it}}}\n", "steps.it", "", `{"it": %s}`},
	}

	packages := map[string]*gen.Result{}
	var calls strings.Builder
	for _, k := range kinds {
		source := "version: \"0.1\"\n" + k.head + strings.ReplaceAll(steps, "IT.", k.root+".")
		packages[k.name] = compileTyped(t, k.name, source)
		for i := range objects {
			object := r.object(uint64(i))
			archive := &txtar.Archive{Files: []txtar.File{{Name: "script", Data: []byte(strings.ReplaceAll(k.script, "%s", object))}}}
			fmt.Fprintf(&calls, "\tplay(\"%s%d\", %s.New().Program(), \"x\", %q, %q)\n", k.name, i, k.name,
				scriptOf(t, k.name, archive, packages[k.name]), strings.ReplaceAll(k.context, "%s", object))
		}
	}
	told := buildAndRun(t, packages, patternPlayer, calls.String())

	for i := range objects {
		want := finishIn(told[fmt.Sprint("opencontext", i)])
		for _, k := range kinds {
			if got := finishIn(told[fmt.Sprint(k.name, i)]); got == "" || got != want {
				t.Errorf("%s, %s: got\n%s\nof an open context\n%s", r.object(uint64(i)), k.name, differing(got, want), differing(want, got))
			}
		}
	}
}

func finishIn(told string) string {
	_, finish, _ := strings.Cut(told, "== finish")

	return finish
}

// differing returns the lines of a text that another one does not have at their place.
func differing(text, other string) string {
	others := strings.Split(other, "\n")
	var lines []string
	for i, line := range strings.Split(text, "\n") {
		if i >= len(others) || line != others[i] {
			lines = append(lines, line)
		}
	}

	return strings.Join(lines, "\n")
}

func compileTyped(t *testing.T, name, source string) *gen.Result {
	t.Helper()
	result, err := gen.Compile(context.Background(), gen.Options{FS: fstest.MapFS{"workflows/flow.yaml": {Data: []byte(source)}}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if result.HasErrors() {
		t.Fatalf("%s:\n%s", name, casetest.Text(t, result.Diagnostics))
	}

	return result
}

// typedSchema is the schema of an object with properties of all kinds.
const typedSchema = `{type: object, required: [text, n, x, on, list], properties: {
  text: {type: string}, n: {type: integer}, x: {type: number}, on: {type: boolean}, list: {type: array, items: {type: string}},
  note: {type: string}, limit: {type: integer}, rate: {type: number}, off: {type: boolean}, tags: {type: array, items: {type: string}},
  mood: {type: string, enum: [good, bad]}, empty: {type: [string, "null"]},
  sub: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}, words: {type: array, items: {type: string}},
    mood: {type: string, enum: [good, bad]}, inner: {type: object, required: [on], properties: {on: {type: boolean}, text: {type: string}}}}}}}`

const typedAgent = `agents:
  reader: {model: "openai:gpt-4o-mini", system_prompt: "Read.", output_schema: ` + typedSchema + `}
steps:
  - {name: it, uses: agents.reader}
`

// What there is to read, by type. A place is there always, or not.
var (
	typedTexts   = []string{"IT.text", "IT.note", "IT.mood", "IT.empty", "IT.sub.name", "IT.sub.mood", "IT.sub.inner.text", "IT.text.lower()", "IT.note.upper()", "IT.sub.name.strip()", "IT.get('note', 'a')", "IT.sub.get('mood', 'bad')", "IT.sub.inner.get('text', '')"}
	typedNumbers = []string{"IT.n", "IT.x", "IT.limit", "IT.rate", "IT.sub.size", "IT.get('limit', 2)", "IT.get('rate', 1)", "IT.sub.get('size', 2)"}
	typedTruths  = []string{"IT.on", "IT.off", "IT.sub.inner.on"}
	typedLists   = []string{"IT.list", "IT.tags", "IT.sub.words"}
	typedOthers  = []string{"IT.sub", "IT.sub.inner"}
	textLiterals = []string{"'a'", "'good'", "'A'", "''", "'ab'"}
	numLiterals  = []string{"1", "2", "2.5", "0", "-1"}
)

// randomTyped makes expressions and templates over such an object.
type randomTyped struct{ *rand.Rand }

func (r *randomTyped) one(lists ...[]string) string {
	list := lists[r.IntN(len(lists))]

	return list[r.IntN(len(list))]
}

// anyWriter is a step that never runs, and that may write every field of the context.
const anyWriter = `  - kind: conditional
    name: may-write
    condition_expression: "context.text == 'a text that there never is'"
    branches:
      true: [{name: write, agent: {id: flujo.builtins.context_merge, params: {path: "{{ context.text }}", value: {}}}}]
      false: [{name: leave, input: ""}]
`

// steps are conditional steps, which say whether a condition is true, false or unknown, and steps with templates, and one that tells what they came to.
func (r *randomTyped) steps(conditions, templates int) string {
	var b, all strings.Builder
	for i := range conditions {
		condition := r.logic(3)
		fmt.Fprintf(&b, "  - {kind: conditional, name: e%d, condition_expression: %q, branches: {true: {name: u%d, input: \"unknown\"}, "+
			"false: {kind: conditional, name: k%d, condition_expression: %q, "+
			"branches: {true: {name: y%d, input: \"yes\"}, false: {name: n%d, input: \"no\"}}}}}\n",
			i, "("+condition+") == None", i, i, condition, i, i)
		fmt.Fprintf(&all, "      e%d {{ steps.e%d }}\n", i, i)
	}
	for i := range templates {
		fmt.Fprintf(&b, "  - {name: t%d, input: %q}\n", i, r.template(2))
		fmt.Fprintf(&all, "      t%d {{ steps.t%d }}\n", i, i)
	}

	return b.String() + "  - name: all\n    input: |\n" + all.String()
}

// logic is true or false.
func (r *randomTyped) logic(depth int) string {
	x, y := r.expression(depth-1), r.expression(depth-1)
	switch r.IntN(4) {
	case 0:
		return "not (" + x + ")"
	case 1:
		return "(" + x + " or " + y + ")"
	}

	return "(" + x + " and " + y + ")"
}

func (r *randomTyped) expression(depth int) string {
	if depth > 0 && r.IntN(3) > 0 {
		return r.logic(depth)
	}
	compare := []string{"==", "!=", "<", "<=", ">", ">="}
	equal := compare[:2]
	switch r.IntN(9) {
	case 0:
		return r.one(typedTexts) + " " + r.one(compare) + " " + r.one(textLiterals, typedTexts)
	case 1:
		return r.one(typedNumbers) + " " + r.one(compare) + " " + r.one(numLiterals, typedNumbers)
	case 2:
		return r.one(typedTruths) + " " + r.one(equal) + " " + r.one([]string{"True", "False"}, typedTruths)
	case 3:
		return r.one(typedTexts[1:8], typedNumbers[2:5], typedTruths[1:], typedLists[1:], typedOthers) + " " + r.one(equal) + " None"
	case 4:
		return r.one(textLiterals, typedTexts) + r.one([]string{" in ", " not in "}) + r.one(typedLists, typedTexts)
	case 5:
		return r.one(typedTexts) + r.one([]string{" in ", " not in "}) + "('a', " + r.one(textLiterals) + ")"
	case 6:
		return r.one(typedNumbers) + " in [" + r.one(numLiterals) + ", " + r.one(numLiterals) + "]"
	case 7:
		return r.one(typedTexts[:10]) + r.one([]string{".startswith(", ".endswith("}) + r.one(textLiterals, typedTexts) + ")"
	}

	return r.one(typedTexts, typedNumbers, typedTruths, typedLists, typedOthers)
}

func (r *randomTyped) template(depth int) string {
	places := func() string { return r.one(typedTexts[:7], typedNumbers[:5], typedTruths, typedLists) }
	switch r.IntN(8) {
	case 0:
		return "{{ " + r.one(typedTexts[:7]) + " or " + places() + " or 'none' }}"
	case 1:
		return "{{ " + r.one(typedTexts[:7]) + " or " + r.one(typedTexts[:7]) + r.one([]string{"", " | upper", " | default('d') | lower"}) + " }}"
	case 2:
		if r.IntN(2) == 0 {
			return "{{ " + r.one(typedTexts[:7]) + r.one([]string{" | upper", " | lower | length", " | length"}) + " }}"
		}
		return "{{ " + places() + r.one([]string{" | tojson", " | default('d')", " | default('d') | tojson"}) + " }}"
	case 3:
		return "{{ " + r.one(typedLists) + r.one([]string{" | join(', ')", " | length", " | join('-') | upper"}) + " }}"
	case 4:
		if depth > 0 {
			return "{{#if " + r.one(typedTexts[:7], typedNumbers[:5], typedTruths, typedLists, typedOthers) + "}}" +
				r.template(depth-1) + ", " + r.template(depth-1) + "{{/if}}"
		}
	case 5:
		if depth > 0 {
			return "{{#each " + r.one(typedLists) + "}}<{{ this | upper }} {{ this }} " + r.template(depth-1) + ">{{/each}}"
		}
	}

	return "-{{ " + places() + " }}-"
}

// object is JSON that fits the schema.
func (r *randomTyped) object(seed uint64) string {
	o := &randomTyped{rand.New(rand.NewPCG(seed, 3))}
	words := []string{`"a"`, `"ab"`, `"A"`, `"good"`, `""`, `" a "`}
	list := func() string { return "[" + strings.Join([]string{o.one(words), o.one(words)}[:o.IntN(3)], ", ") + "]" }
	moods, truths := []string{`"good"`, `"bad"`}, []string{"true", "false"}
	numbers := []string{"0", "1", "2", "-1"}

	inner := o.optional(`"on": `+o.one(truths), member{"text", o.one(words)})
	sub := o.optional(`"name": `+o.one(words), member{"size", o.one(numbers)}, member{"words", list()}, member{"mood", o.one(moods)}, member{"inner", inner})

	return o.optional(
		fmt.Sprintf(`"text": %s, "n": %s, "x": %s, "on": %s, "list": %s`, o.one(words), o.one(numbers), o.one(numbers, []string{"2.5"}), o.one(truths), list()),
		member{"note", o.one(words)}, member{"limit", o.one(numbers)}, member{"rate", o.one(numbers)}, member{"off", o.one(truths)},
		member{"tags", list()}, member{"mood", o.one(moods)}, member{"sub", sub}, member{"empty", o.one(words, []string{"null"})})
}

type member struct{ name, value string }

// optional returns an object that has members, and perhaps others.
func (r *randomTyped) optional(members string, others ...member) string {
	for _, m := range others {
		if r.IntN(2) == 0 {
			members += fmt.Sprintf(", %q: %s", m.name, m.value)
		}
	}

	return "{" + members + "}"
}
