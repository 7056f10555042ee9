package templates_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

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

// An agent's files are in its own folder and in those of agents whose names begin with its name, and its script is JSON.
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
				t.Errorf("%s: %s is not JSON", pattern, f.Name)
			}
		}
		if !names["agents/x/AGENT.md"] || !names["agents/x/script.json"] {
			t.Errorf("%s: the files are %v", pattern, names)
		}
	}
}

func TestFill(t *testing.T) {
	for template, placeholders := range map[string]string{
		templates.Project:        "name package models tool",
		templates.Assistant:      "name",
		templates.Program:        "name program generated tools",
		templates.Package:        "name package generated tools",
		templates.Tools:          "package program generated",
		templates.Test:           "package program file project app",
		templates.Module:         "name",
		templates.Ignored:        "",
		templates.Repository:     "name folder tool",
		templates.VSCode:         "schemas",
		templates.JetBrains:      "schemas",
		templates.Workflow:       "name model schema",
		templates.Skill:          "name",
		templates.TypedSkill:     "name tool",
		templates.Method:         "program file generated in package method type",
		templates.Image:          "ours binary folders volumes copies",
		templates.ImageWithShell: "ours binary folders volumes packages owned",
		templates.RunTest:        "package generated test script new context agent input key value",
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

// An editor finds the schemas that init writes into a project: by the first line of each file, and by the settings of VS Code and of
// JetBrains' editors for files that a person writes by hand.
func TestEditorsFindTheSchemas(t *testing.T) {
	const folder = "deep/x/.agentc/schema"
	formats := map[string]string{"agentc.yaml": "config", "**/workflows/*.yaml": "workflow"}
	values := map[string]string{"schemas": folder}
	config := templates.Fill(templates.Project, nil)[0]
	if !strings.HasPrefix(string(config.Content), "# yaml-language-server: $schema=.agentc/schema/config.json\n") {
		t.Errorf("%s begins with\n%s", config.Name, config.Content)
	}
	files := map[string][]byte{}
	for _, f := range slices.Concat(templates.Fill(templates.VSCode, values), templates.Fill(templates.JetBrains, values)) {
		files[f.Name] = f.Content
	}
	var code struct {
		Schemas map[string]string `json:"yaml.schemas"`
	}
	if err := json.Unmarshal(files[".vscode/settings.json"], &code); err != nil || len(code.Schemas) != len(formats) {
		t.Fatalf("settings of VS Code: %v, %v", code, err)
	}
	type option struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
		Items []struct {
			Options []struct {
				Value string `xml:"value,attr"`
			} `xml:"option"`
		} `xml:"list>Item"`
	}
	type entry struct {
		Options []option `xml:"value>SchemaInfo>option"`
	}
	var jetBrains struct {
		Entries []entry `xml:"component>state>map>entry"`
	}
	if err := xml.Unmarshal(files[".idea/jsonSchemas.xml"], &jetBrains); err != nil || len(jetBrains.Entries) != len(formats) {
		t.Fatal(jetBrains, err)
	}
	for pattern, format := range formats {
		file := folder + "/" + format + ".json"
		if code.Schemas["./"+file] != pattern {
			t.Errorf("VS Code reads %q with %s", code.Schemas["./"+file], file)
		}
		if !slices.ContainsFunc(jetBrains.Entries, func(e entry) bool {
			text := fmt.Sprint(e.Options)
			return strings.Contains(text, "{relativePathToSchema "+file+" ") && strings.Contains(text, "{"+pattern+"}")
		}) {
			t.Errorf("JetBrains' editors do not read %s with %s: %v", pattern, file, jetBrains)
		}
	}
}
