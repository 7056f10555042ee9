package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// script is a script that was converted to JSON; "" without one.
type script string

// loadScript converts the script that --script names.
func (l *linking) loadScript() (script, error) {
	if !l.c.On("script") {
		return "", nil
	}
	content, err := l.c.ReadFlag("script")
	if err != nil {
		return "", err
	}

	// The path is absolute, so that the findings are labelled whatever folder the script is in.
	text, findings := scriptdoc.Convert(source.NewFile(l.c.Path(l.c.Flag("script")), content), l.result.Program)
	if len(findings) > 0 {
		l.p.reportDiagnostics(l.c, findings)
		return "", l.c.Exit(cli.Problem)
	}

	return script(text), nil
}

// storeScript puts a script into the cache, from where the binary reads it, and returns its file;
// "" without a script. Where there is no Go of the user's, a method that the script does not name
// gets an empty list: the run fails where it is called.
func (l *linking) storeScript(s script) (file string, err error) {
	if s == "" {
		return "", nil
	}
	if l.isBare {
		s, err = l.withAllMethods(s)
		if err != nil {
			return "", err
		}
	}
	dir, err := cache.Dir("scripts")
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, cache.HashName([]byte(s))+".json")
	if !cache.Touch(file) {
		err = cache.Put(file, []byte(s), 64)
	}

	return file, err
}

// withAllMethods returns a script that names every typed tool, every guard and every function of
// the program.
func (l *linking) withAllMethods(s script) (script, error) {
	var sections map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s), &sections); err != nil {
		return "", err
	}
	for _, iface := range emit.Interfaces(l.result.Program) {
		lists := map[string]json.RawMessage{}
		for _, m := range iface.Methods {
			lists[m.Name.Value] = json.RawMessage("[]")
		}
		maps.Copy(lists, l.scripted[iface.Field])
		section, err := json.Marshal(lists)
		if err != nil {
			return "", err
		}
		sections[iface.Field] = section
	}
	all, err := json.Marshal(sections)

	return script(all), err
}

// answers are the names that a script answers, by the section of the script, which is the Field of
// an [emit.Interface].
type answers map[string]map[string]json.RawMessage

// recordScripted records the tools, guards and functions that a script answers: the script of the
// command line, which replaces every model, else the scripts of the models.
func (l *linking) recordScripted(s script) error {
	texts := []string{string(s)}
	if s == "" {
		texts = ir.Map(l.result.Program.Scripts, func(compiled *ir.Script) string { return compiled.JSON })
	}
	var sections struct {
		Tools  map[string]json.RawMessage `json:"tools"`
		Guards map[string]json.RawMessage `json:"guards"`
		Funcs  map[string]json.RawMessage `json:"funcs"`
	}
	for _, text := range texts { // each text adds to the maps
		if err := json.Unmarshal([]byte(text), &sections); err != nil {
			return err
		}
	}
	l.scripted = answers{"tools": sections.Tools, "guards": sections.Guards, "funcs": sections.Funcs}

	return nil
}

// unimplementedMessage reports that nothing answers a typed tool, a guard or a function.
func unimplementedMessage(what, name string) string {
	return fmt.Sprintf("no Go implements the %s %q, and no script answers for it", what, name)
}

// findUnanswered returns a diagnostic for every typed tool, guard and function that no script
// answers, sorted.
func (l *linking) findUnanswered() []*diag.Diagnostic {
	var list diag.List
	for _, iface := range emit.Interfaces(l.result.Program) {
		for _, m := range iface.Methods {
			if _, ok := l.scripted[iface.Field][m.Name.Value]; !ok {
				list.Add(diag.New(diag.UnimplementedTool, m.Name.Span, "%s", unimplementedMessage(iface.What, m.Name.Value)).
					Note(source.Span{}, "the method: func (%s) %s", iface.Field, m.Signature))
			}
		}
	}

	return list.Sorted()
}

// reportUnanswered prints the unanswered names of a program without the user's Go.
func (l *linking) reportUnanswered(findings []*diag.Diagnostic) {
	l.p.reportDiagnostics(l.c, findings)
	printMessage(l.c, "%s; methods belong in a package main of a module that requires %s: func main() { app.Main(%s) }",
		countDiagnostics(findings), gopkg.Agentc, newCall(l.result.Program))
}
