package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/templates"
)

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// writeTest writes a run as a script and, in a Go module, as a test that plays it, and says what it
// wrote.
func (d *dev) writeTest(ctx context.Context, run, name string) string {
	name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(cmp.Or(name, "run_"+run)), "_"), "_")
	j, err := d.journal(ctx, run)
	if err != nil {
		return err.Error()
	}
	script, err := scriptOfRun(j.Records)
	if err != nil {
		return err.Error()
	}
	path := d.p.path("testdata/" + name + ".json")
	if err := writeNew(path, script); err != nil {
		return err.Error()
	}
	said := "wrote " + d.c.Rel(path)
	in, err := gopkg.UsesAgentc(ctx, d.p.dir)
	if err != nil || !in || d.built == nil {
		return said + "; agentc run --script plays it"
	}
	generated, err := gopkg.ImportPath(ctx, d.p.dir, d.built.Program.Output)
	if err != nil {
		return said + "; " + err.Error()
	}
	beside, err := packageIn(d.p.dir)
	if err != nil {
		return said + "; " + err.Error()
	}
	test, err := testOfRun(d.built.Program, j.Records, name, generated, cmp.Or(beside, "project")+"_test")
	if err == nil {
		path = d.p.path(name + "_test.go")
		err = writeNew(path, test)
	}
	if err != nil {
		return said + "; " + err.Error()
	}

	return said + " and " + d.c.Rel(path)
}

// writeNew writes a file that does not exist.
func writeNew(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)

	return errors.Join(err, f.Close())
}

// journal reads the journal of a run.
func (d *dev) journal(ctx context.Context, run string) (*journal.Journal, error) {
	_, here, err := openJournals(d.c)
	if err != nil {
		return nil, err
	}
	store, err := app.RunsCall{Call: here}.Store()
	if err == nil && store == nil {
		err = errors.New("runs are not recorded")
	}
	if err != nil {
		return nil, fmt.Errorf("the journal of run %s cannot be read: %w", run, err)
	}

	return journal.Read(ctx, store, run)
}

// testOfRun is a Go test that plays the script of a run and expects its result.
func testOfRun(p *ir.Program, records []journal.Record, name, generated, pkg string) ([]byte, error) {
	begin, end := &records[0], &records[len(records)-1]
	if end.Type != journal.End || end.Name != "done" {
		return nil, errors.New("a test needs a run that is done, and this one is not")
	}
	withContext := ""
	if context := begin.Value("context"); context != "" {
		withContext = fmt.Sprintf("\tprogram, err = program.WithContext(%q, []byte(%q))\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n", begin.Value("agent"), context)
	}
	values := map[string]string{
		"package": pkg, "generated": generated, "test": "Test" + names.Exported(name), "script": name, "context": withContext,
		"new":   generatedNewCall(p),
		"agent": strconv.Quote(begin.Value("agent")), "input": strconv.Quote(begin.Value("input")),
		"key": strconv.Quote(end.Value("key")), "value": strconv.Quote(end.Value("value")),
	}

	return format.Source(templates.Fill(templates.RunTest, values)[0].Content)
}

// scriptOfRun makes a script of what models, tools, functions, guards and people answered in a run.
func scriptOfRun(records []journal.Record) ([]byte, error) {
	s := &scriptdoc.Script{}
	intents := map[string]*journal.Record{}
	results := map[string]*journal.Record{} // what was done again counts as it was done last
	var order []string
	for i := range records {
		switch r := &records[i]; r.Type {
		case journal.Intent:
			intents[r.Address] = r
			delete(results, r.Address)
			order = append(slices.DeleteFunc(order, func(at string) bool { return at == r.Address }), r.Address)
		case journal.Result:
			results[r.Address] = r
		}
	}
	for _, at := range order {
		if results[at] != nil {
			addEffect(s, intents[at], results[at])
		}
	}

	return s.JSON()
}

func addEffect(s *scriptdoc.Script, intent, result *journal.Record) {
	what, problem := intent.Value("what"), cmp.Or(result.Value("problem"), result.Value("error"))
	answer := func(text string, isJSON bool) scriptdoc.Answer {
		switch {
		case problem != "":
			return scriptdoc.Failure{Message: problem}
		case isJSON:
			return scriptdoc.Result{Value: json.RawMessage(text)}
		}
		return scriptdoc.Result{Value: json.RawMessage(words.Quote(text))}
	}
	switch intent.Name {
	case "model":
		name := what + branchOf(intent.Address)
		if problem != "" {
			s.Add(scriptdoc.Agents, name, scriptdoc.Turn{Error: &scriptdoc.ModelError{Class: "other", Message: problem}})
			return
		}
		s.Add(scriptdoc.Agents, name, turnOf(result.Value("text"), result.Value("calls")))
	case "tool":
		if result.Value("memory") == "" { // the memory works without a model
			s.Add(scriptdoc.Tools, what, answer(result.Value("text"), result.Value("json") == "true"))
		}
	case "call":
		s.Add(scriptdoc.Funcs, what, answer(cmp.Or(result.Value("value"), "null"), true))
	case "ask":
		s.Add(scriptdoc.Questions, what, scriptdoc.TextReply(result.Value("value")))
	case "guard":
		if what != "" && result.Value("signal") == "" {
			s.Add(scriptdoc.Guards, what, scriptdoc.Verdict{OK: result.Value("ok") == "true", Reason: result.Value("reason")})
		}
	}
}

// branchOf is the branch of an effect as scripts name it: that of the nearest group.
func branchOf(address string) string {
	parts := strings.Split(address, ".")
	if len(parts) < 3 {
		return ""
	}

	return "@" + parts[len(parts)-2]
}

// turnOf is a reply of a model as a turn of a script.
func turnOf(text, calls string) scriptdoc.Turn {
	turn := scriptdoc.Turn{Say: text}
	var called []struct{ Name, Args string }
	_ = json.Unmarshal([]byte(calls), &called) // without calls there are none
	for _, c := range called {
		var end struct{ Key, Value json.RawMessage }
		if c.Name == "finish" && turn.Finish == nil && json.Unmarshal([]byte(c.Args), &end) == nil {
			turn.Finish = &scriptdoc.Finish{Args: json.RawMessage(c.Args)}
			continue
		}
		args := json.RawMessage(words.Quote(c.Args)) // sent as it is
		if object := map[string]any{}; json.Unmarshal([]byte(c.Args), &object) == nil {
			args = json.RawMessage(c.Args)
		}
		turn.Calls = append(turn.Calls, scriptdoc.Call{Name: c.Name, Args: args})
	}

	return turn
}
