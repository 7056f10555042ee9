package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// script is a script that was converted to JSON.
type script struct {
	// file holds the JSON; "" without a script.
	file string
	json string
}

// loadScript converts the script that --script names and puts it into the cache, from where the binary reads it.
func (l *linking) loadScript() (s script, code int, ok bool) {
	if !l.c.On("script") {
		return script{}, cli.Done, true
	}
	path, content, code, ok := readFlag(l.c, "script")
	if !ok {
		return script{}, code, false
	}

	// The path is absolute, so that the findings are labelled whatever folder the script lies in.
	text, findings := scriptdoc.Convert(source.NewFile(path, content), l.result.Program)
	if len(findings) > 0 {
		l.p.report(l.c, findings)
		return script{}, cli.Problem, false
	}
	file, err := cached("scripts", ".json", []byte(text))
	if err != nil {
		return script{}, l.c.Errorf(cli.Failure, "%v", err), false
	}

	return script{file: file, json: text}, cli.Done, true
}

// cached puts content into the cache under a name made of it and returns the file.
func cached(folder, suffix string, content []byte) (string, error) {
	dir, err := cacheDir(folder)
	if err != nil {
		return "", err
	}
	final := filepath.Join(dir, hashOf(content)+suffix)
	if touch(final) {
		return final, nil
	}
	temporary, err := writeTemporary(dir, inWork+"*", content)
	if err != nil {
		return "", err
	}
	if err := publish(temporary, final); err != nil {
		return "", err
	}
	prune(dir, 64)

	return final, nil
}

// answers are the names of tools, guards and functions for which a script answers.
type answers struct{ tools, guards, funcs map[string]bool }

// answeredBy notes the tools, guards and functions for which a script answers: the one of the command line, which replaces every
// model, else those that the models name.
func (l *linking) answeredBy(s script) error {
	texts := []string{s.json}
	if s.file == "" {
		texts = nil
		for _, compiled := range l.result.Program.Scripts {
			texts = append(texts, compiled.JSON)
		}
	}
	l.answered = answers{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, text := range texts {
		var sections struct {
			Tools  map[string]json.RawMessage `json:"tools"`
			Guards map[string]json.RawMessage `json:"guards"`
			Funcs  map[string]json.RawMessage `json:"funcs"`
		}
		if err := json.Unmarshal([]byte(text), &sections); err != nil {
			return err
		}
		for tool := range sections.Tools {
			l.answered.tools[tool] = true
		}
		for guard := range sections.Guards {
			l.answered.guards[guard] = true
		}
		for function := range sections.Funcs {
			l.answered.funcs[function] = true
		}
	}

	return nil
}

// allAnswered reports every typed tool, every guard and every function that neither Go nor a script answers for; it is called where
// there is no Go of the user.
func (l *linking) allAnswered() bool {
	var list diag.List
	var tools, guards, funcs []ir.Text
	for _, tool := range l.result.Program.Tools {
		tools = append(tools, tool.Name)
	}
	for _, guard := range l.result.Program.Guards {
		guards = append(guards, guard.Name)
	}
	for _, function := range l.result.Program.Funcs {
		funcs = append(funcs, function.Name)
	}
	list.Add(l.unanswered("tool", "Tools", tools, l.answered.tools)...)
	list.Add(l.unanswered("guard", "Guards", guards, l.answered.guards)...)
	list.Add(l.unanswered("function", "Funcs", funcs, l.answered.funcs)...)
	if list.Len() == 0 {
		return true
	}
	findings := list.Sorted()
	l.p.report(l.c, findings)
	fmt.Fprintf(l.c.Stderr, "%s; methods belong into a package main of a module that requires %s: func main() { app.Main(%s) }\n",
		count(findings), gopkg.Agentc, newCall(l.result.Program))

	return false
}

// unanswered finds the names for which there is no answer. The method that each asks for is one of the interface.
func (l *linking) unanswered(what, iface string, all []ir.Text, answered map[string]bool) []*diag.Diagnostic {
	var contents [][]byte
	for _, f := range l.result.Files {
		contents = append(contents, f.Content)
	}
	signatures, err := gopkg.Signatures(iface, contents...)
	if err != nil {
		panic(err) // our own output
	}

	var findings []*diag.Diagnostic
	for _, name := range all {
		if answered[name.Value] {
			continue
		}
		findings = append(findings, diag.New(diag.UnimplementedTool, name.Span,
			"no Go implements the %s %q, and no script answers for it", what, name.Value).
			Note(source.Span{}, "the method: func (%s) %s", strings.ToLower(iface), signatures[names.Method(name.Value)]))
	}

	return findings
}
