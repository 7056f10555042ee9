package templates_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/schema"
	"github.com/agentc-dev/agentc/templates"
)

// placeholder is that of a template; workflows have spaces in theirs.
var placeholder = regexp.MustCompile(`\{\{[a-z]*\}\}`)

// filled expects that no placeholder is left; {{input}} belongs to scripts.
func filled(t *testing.T, files []templates.File) {
	t.Helper()
	for _, f := range files {
		if path.IsAbs(f.Name) || !fs.ValidPath(f.Name) {
			t.Errorf("%q is no path in a project", f.Name)
		}
		for _, left := range placeholder.FindAllString(f.Name+string(f.Content), -1) {
			if left != "{{input}}" {
				t.Errorf("%s: %s is left", f.Name, left)
			}
		}
	}
}

func TestEveryPatternHasATemplate(t *testing.T) {
	entries, err := os.ReadDir("patterns")
	if err != nil || len(entries) != 13 || len(templates.Patterns()) != 13 {
		t.Fatalf("%d templates, %d patterns, %v", len(entries), len(templates.Patterns()), err)
	}
	for _, e := range entries {
		if pattern := strings.TrimSuffix(e.Name(), ".txtar"); !slices.Contains(templates.Patterns(), pattern) {
			t.Errorf("%s is no pattern", pattern)
		}
	}
}

// An agent's files lie in its own folder and in those of agents whose names begin with its name, and its script is JSON.
func TestAgent(t *testing.T) {
	for _, pattern := range templates.Patterns() {
		files := templates.Agent(pattern, "x")
		filled(t, files)
		names := map[string]bool{}
		for _, f := range files {
			names[f.Name] = true
			if folder := strings.Split(f.Name, "/")[1]; folder != "x" && !strings.HasPrefix(folder, "x-") {
				t.Errorf("%s: %s", pattern, f.Name)
			}
			if path.Base(f.Name) == "AGENT.md" && !strings.Contains(string(f.Content), "\nname: "+path.Base(path.Dir(f.Name))+"\n") {
				t.Errorf("%s: %s has another name", pattern, f.Name)
			}
			if path.Ext(f.Name) == ".json" && !json.Valid(f.Content) {
				t.Errorf("%s: %s is no JSON", pattern, f.Name)
			}
		}
		if !names["agents/x/AGENT.md"] || !names["agents/x/script.json"] {
			t.Errorf("%s: the files are %v", pattern, names)
		}
	}
}

func TestFill(t *testing.T) {
	for template, placeholders := range map[string]string{
		templates.Project:    "name package",
		templates.Program:    "name program project generated",
		templates.Module:     "name",
		templates.Workflow:   "name",
		templates.Skill:      "name",
		templates.TypedSkill: "name tool",
		templates.Method:     "program file generated package method type",
	} {
		values := map[string]string{}
		for _, name := range strings.Fields(placeholders) {
			values[name] = "x"
		}
		files := templates.Fill(template, values)
		filled(t, files)
		if len(files) == 0 {
			t.Errorf("%s has no files", template)
		}
		for name := range values {
			delete(values, name)
			if !slices.ContainsFunc(templates.Fill(template, values), func(f templates.File) bool {
				return strings.Contains(f.Name+string(f.Content), "{{"+name+"}}")
			}) {
				t.Errorf("%s has no placeholder %s", template, name)
			}
			values[name] = "x"
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a template that does not exist is filled")
		}
	}()
	templates.Fill("nothing", nil)
}

// An editor finds the schema that agentc prints.
func TestTheModelineNamesTheSchema(t *testing.T) {
	text, ok := schema.Text("config")
	var config struct {
		ID string `json:"$id"`
	}
	if err := json.Unmarshal(text, &config); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for _, f := range templates.Fill(templates.Project, nil) {
		if path.Ext(f.Name) == ".yaml" && !strings.HasPrefix(string(f.Content), "# yaml-language-server: $schema="+config.ID+"\n") {
			t.Errorf("%s begins with\n%s", f.Name, f.Content)
		}
	}
}
