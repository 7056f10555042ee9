package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// script is a script that was converted to JSON.
type script struct {
	// file holds the JSON; "" without a script.
	file string
	json string
}

// loadScript converts the script that --script names and puts it into the cache, from where the binary reads it.
func (l *linking) loadScript() (script, error) {
	if !l.c.On("script") {
		return script{}, nil
	}
	path, content, err := readFlag(l.c, "script")
	if err != nil {
		return script{}, err
	}

	// The path is absolute, so that the findings are labelled whatever folder the script is in.
	text, findings := scriptdoc.Convert(source.NewFile(path, content), l.result.Program)
	if len(findings) > 0 {
		l.p.report(l.c, findings)
		return script{}, errReported
	}
	file, err := cached("scripts", ".json", []byte(text))

	return script{file: file, json: text}, err
}

// answers are the names for which a script answers, by the interface that has them as methods otherwise.
type answers map[string]map[string]json.RawMessage

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
	var sections struct {
		Tools  map[string]json.RawMessage `json:"tools"`
		Guards map[string]json.RawMessage `json:"guards"`
		Funcs  map[string]json.RawMessage `json:"funcs"`
	}
	for _, text := range texts { // each adds to the maps
		if err := json.Unmarshal([]byte(text), &sections); err != nil {
			return err
		}
	}
	l.answered = answers{"Tools": sections.Tools, "Guards": sections.Guards, "Funcs": sections.Funcs}

	return nil
}

// userInterface is an interface of the generated package that a user implements.
type userInterface struct {
	// name is that of the interface, what one of its methods is.
	name, what string
	methods    []ir.Text
}

// interfacesOf are the parameters of New of the generated package; it has those with methods.
func interfacesOf(p *ir.Program) []userInterface {
	all := []userInterface{
		{name: "Tools", what: "tool"},
		{name: "Guards", what: "guard"},
		{name: "Funcs", what: "function"},
	}
	for _, tool := range p.Tools {
		all[0].methods = append(all[0].methods, tool.Name)
	}
	for _, guard := range p.Guards {
		all[1].methods = append(all[1].methods, guard.Name)
	}
	for _, function := range p.Funcs {
		all[2].methods = append(all[2].methods, function.Name)
	}

	return all
}

// allAnswered reports every typed tool, every guard and every function that neither Go nor a script answers for; it is called where
// there is no Go of the user.
func (l *linking) allAnswered() bool {
	var list diag.List
	for _, iface := range interfacesOf(l.result.Program) {
		list.Add(l.unanswered(iface)...)
	}
	if list.Len() == 0 {
		return true
	}
	findings := list.Sorted()
	l.p.report(l.c, findings)
	fmt.Fprintf(l.c.Stderr, "%s; methods belong into a package main of a module that requires %s: func main() { app.Main(%s) }\n",
		count(findings), gopkg.Agentc, newCall(l.result.Program))

	return false
}

// unanswered finds the methods of an interface for which there is no answer.
func (l *linking) unanswered(iface userInterface) []*diag.Diagnostic {
	var contents [][]byte
	for _, f := range l.result.Files {
		contents = append(contents, f.Content)
	}
	signatures, err := gopkg.Signatures(iface.name, contents...)
	if err != nil {
		panic(err) // our own output
	}

	var findings []*diag.Diagnostic
	for _, name := range iface.methods {
		if _, ok := l.answered[iface.name][name.Value]; ok {
			continue
		}
		findings = append(findings, diag.New(diag.UnimplementedTool, name.Span,
			"no Go implements the %s %q, and no script answers for it", iface.what, name.Value).
			Note(source.Span{}, "the method: func (%s) %s", strings.ToLower(iface.name), signatures[names.Method(name.Value)]))
	}

	return findings
}
