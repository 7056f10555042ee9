package gen_test

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// freeNames are the places whose words may be any, with the reason. A place is the kind of the file and the path of the fields, with a
// number for an entry of a list.
var freeNames = []struct {
	place  *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`(^|/)(description|title|examples|message|question|system_prompt|default|const|expect)(/|$)`), "prose, and values that are data"},
	{regexp.MustCompile(`^(agent|step|skill|config|workflow)/(version|license|author)$`), "text that nothing reads"},
	{regexp.MustCompile(`^config/name$`), "the project's own name"},
	{regexp.MustCompile(`(^|/)x-`), "fields of the user's own"},
	{regexp.MustCompile(`(^|/)metadata(/|$)`), "data of other programs"},
	{regexp.MustCompile(`/properties/[^/]+:key$|/required/\d+$|/enum/\d+$`), "a property or a value of the user's own schema, where no guard reads it; required and properties agree"},
	{regexp.MustCompile(`^skill/tools/\d+/name$`), "the name of a tool of the user's own, which Go has to implement"},
	{regexp.MustCompile(`/(env|headers)(/|$)|/allow/\d+$|/command(/|$)|/url$|/base_url$|/root$`), "names and addresses of the outside world"},
	{regexp.MustCompile(`^agent/(access/\d+/agent|on_enter/|on_exit/|signals/\d+/on)`), "names of agents and functions outside of the program"},
	{regexp.MustCompile(`^agent/migrate/`), "names of an older version"},
	{regexp.MustCompile(`/when$|/priority$`), "an expression, of which other tests know, or the name of a method in Go"},
	{regexp.MustCompile(`^workflow/(.*/)?name$`), "the name of a step or a workflow: where something reads it, that is what is found, and else nothing is wrong"},
	{regexp.MustCompile(`^workflow/.*/branches/[^/]+:key$`), "the name of a parallel branch, or a value of a condition that may be any text"},
	{regexp.MustCompile(`^workflow/.*/(sink_to|path|parent|child)$`), "a path in a context that is not declared"},
	{regexp.MustCompile(`^workflow/.*/(input|value|content|user_input|iterable_input)(/.*)?$`), "a text or data of the user's own"},
	{regexp.MustCompile(`^workflow/.*/uses$`), "a function in Go, which has to implement it; others are in agent.id and agents"},
	{regexp.MustCompile(`^config/package$|^config/output$`), "where the Go goes"},
}

// nameToken is a word of a file of a project.
type nameToken struct {
	file  *source.File
	span  source.Span
	place string
}

// TestMisspelledNames misspells every word of the frontmatter, of the configs and of the workflows, one at a time: check notices 99 of
// 100, those of [freeNames] aside. Of the keys that prompts name it notices 95 of 100.
func TestMisspelledNames(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 29
	}
	var names, keys mutantCount
	n := 0
	for _, p := range namedProjects(t) {
		var tokens, inPrompts []nameToken
		for _, file := range slices.Sorted(maps.Keys(p.files)) {
			tokens = append(tokens, tokensOf(file, p.files[file].Data)...)
		}
		inPrompts = keysInPrompts(p.result.Program)
		for _, token := range tokens {
			if n++; n%every == 0 && !isFree(token.place) && !p.adapts(token) {
				names.add(t, p, token)
			}
		}
		for _, token := range inPrompts {
			if n++; n%every == 0 || every > 1 && n%3 == 0 {
				keys.add(t, p, token)
			}
		}
	}

	fmt.Printf("misspelled names: %d of %d noticed, %d more are written once; keys in prompts: %d of %d\n",
		names.noticed, names.all, names.free, keys.noticed, keys.all)
	names.expect(t, 99, "names")
	keys.expect(t, 95, "keys in prompts")
}

func isFree(place string) bool {
	return slices.ContainsFunc(freeNames, func(f struct {
		place  *regexp.Regexp
		reason string
	}) bool {
		return f.place.MatchString(place)
	})
}

// namedProject is a project without findings.
type namedProject struct {
	name   string
	files  fstest.MapFS
	result *gen.Result
}

// namedProjects are the examples, and the projects of testdata in which check finds nothing.
func namedProjects(t *testing.T) []namedProject {
	t.Helper()
	var projects []namedProject
	add := func(name string, files fstest.MapFS) {
		if result := checked(t, files); len(result.Diagnostics) == 0 {
			projects = append(projects, namedProject{name, files, result})
		}
	}
	examples, err := filepath.Glob("../examples/*/agentc.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range examples {
		add(filepath.Dir(config), readProject(t, filepath.Dir(config)))
	}
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := filepath.Glob("internal/check/testdata/ok/prompt-key*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(archives, prompts...) {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{}
		for _, f := range archive.Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		add(name, files)
	}
	if len(projects) < 50 {
		t.Fatalf("only %d projects", len(projects))
	}

	return projects
}

func checked(t *testing.T, files fstest.MapFS) *gen.Result {
	t.Helper()
	result, err := gen.Compile(context.Background(), gen.Options{FS: files, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}

	return result
}

// kindOfFile is the kind of a file whose words are names; "" for others.
func kindOfFile(file string) string {
	switch dir, base := path.Split(file); {
	case base == "AGENT.md":
		return "agent"
	case base == "SKILL.md":
		return "skill"
	case file == "agentc.yaml" || file == "tama.toml":
		return "config"
	case dir == "workflows/" && path.Ext(base) == ".yaml":
		return "workflow"
	case strings.HasPrefix(dir, "agents/") && path.Ext(base) == ".md":
		return "step"
	}

	return ""
}

// tokensOf are the words of a file's fields and of their values.
func tokensOf(name string, content []byte) []nameToken {
	kind := kindOfFile(name)
	if kind == "" || path.Ext(name) == ".toml" {
		return nil
	}
	f := source.NewFile(name, content)
	root, _ := yamldoc.Parse(f)
	if path.Ext(name) == ".md" {
		front, _ := yamldoc.ParseFrontmatter(f)
		root = front.Head
	}
	var tokens []nameToken
	add := func(n *yamldoc.Node, place string) {
		span := n.Span
		if model := modelName.FindString(span.Text()); model != "" {
			span.End = span.Start + len(model) // which models a provider has is not known
		}
		if text := span.Text(); nameText.MatchString(text) && !nameWords[text] {
			tokens = append(tokens, nameToken{f, span, place})
		}
	}
	var visit func(n *yamldoc.Node, place string)
	visit = func(n *yamldoc.Node, place string) {
		if n == nil {
			return
		}
		if n.Kind == yamldoc.String {
			add(n, place)
		}
		for i, item := range n.Items {
			visit(item, fmt.Sprintf("%s/%d", place, i))
		}
		for _, field := range n.Fields {
			add(field.Key, place+"/"+field.Key.Text+":key")
			visit(field.Value, place+"/"+field.Key.Text)
		}
	}
	visit(root, kind)

	return tokens
}

// nameText is a word that can be a name; words of YAML, and those that are too short to be misspelled, are none.
var (
	nameText  = regexp.MustCompile(`^["']?[A-Za-z][A-Za-z0-9_:./-]{2,60}["']?$`)
	modelName = regexp.MustCompile(`^["']?[a-z]+:`)
	nameWords = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true}
)

// keysInPrompts are the places where the prompt of a react loop names a key of the rows of its state as a word.
func keysInPrompts(p *ir.Program) []nameToken {
	var tokens []nameToken
	for _, a := range p.Agents {
		machine, ok := a.Node.(*ir.Machine)
		if !ok {
			continue
		}
		for _, state := range machine.States {
			if state.Agent == nil {
				continue
			}
			if _, react := state.Agent.Node.(*ir.React); !react {
				continue
			}
			prompt := state.Agent.Prompt.Span
			for _, row := range state.Rows {
				word := regexp.MustCompile(`(?:[\x60"'=*|]|key ) ?` + regexp.QuoteMeta(row.Key.Value) + `\b`)
				if len(row.Key.Value) < 4 || row.IsCatchAll() {
					continue
				}
				for _, at := range word.FindAllStringIndex(prompt.Text(), -1) {
					end := prompt.Start + at[1]
					span := source.Span{File: prompt.File, Start: end - len(row.Key.Value), End: end}
					tokens = append(tokens, nameToken{prompt.File, span, "prompt"})
				}
			}
		}
	}

	return tokens
}

// rowKey is the key of a row in the table of a machine.
var rowKey = regexp.MustCompile(`^agent/states/([^/:]+)/\d+/(?:key$|[^/]+:key$)`)

// adapts reports whether a word is the key of a row for an agent that is offered whatever keys its rows have, and whose prompt does not
// say this one; or of a machine that the user's Go drives. Then any key is right.
func (p namedProject) adapts(token nameToken) bool {
	m := rowKey.FindStringSubmatch(token.place)
	if m == nil {
		return false
	}
	for _, a := range p.result.Program.Agents {
		machine, ok := a.Node.(*ir.Machine)
		if !ok || a.File.Path != token.file.Path {
			continue
		}
		for _, state := range machine.States {
			if state.Name.Value != m[1] {
				continue
			}
			if state.Agent == nil {
				return true
			}
			react, ok := state.Agent.Node.(*ir.React)
			return ok && len(react.Keys) == 0 && !strings.Contains(state.Agent.Prompt.Value, token.span.Text())
		}
	}

	return false
}

// times is how often a word is written in the files of a project.
func (p namedProject) times(word string) int {
	whole := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(word) + `($|[^\w-])`)
	n := 0
	for name, f := range p.files {
		if kindOfFile(name) != "" {
			n += len(whole.FindAllIndex(f.Data, -1))
		}
	}

	return n
}

// mutantCount counts what check notices.
type mutantCount struct {
	all, noticed int
	// free are names that are written once: there is nothing from which they could differ.
	free   int
	missed []string
}

func (c *mutantCount) add(t *testing.T, p namedProject, token nameToken) {
	t.Helper()
	text := token.span.Text()
	middle := len(text) / 2
	changed := text[:middle] + text[middle+1:]
	w := &mutator{file: token.file}
	w.replace(token.place, token.span, changed)
	if len(checked(t, with(p.files, w.mutants[0])).Diagnostics) > 0 {
		c.all++
		c.noticed++
		return
	}
	if p.times(strings.Trim(text, "\"'")) == 1 {
		c.free++
		return
	}
	c.all++
	c.missed = append(c.missed, p.name+"/"+w.mutants[0].String())
}

// expect reports what is missed if less than so many of 100 are noticed.
func (c *mutantCount) expect(t *testing.T, percent int, what string) {
	t.Helper()
	if c.all == 0 || c.noticed*100 < percent*c.all {
		t.Errorf("%s: %d of %d are noticed, and %d of 100 are to be; not noticed:\n%s", what, c.noticed, c.all, percent, strings.Join(c.missed, "\n"))
	} else if testing.Verbose() {
		t.Logf("%s that are not noticed:\n%s", what, strings.Join(c.missed, "\n"))
	}
}
