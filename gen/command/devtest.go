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

// writeTest writes a run as a script and, in a Go module, as a test that replays it. It returns a
// message that names the files.
func (d *dev) writeTest(ctx context.Context, run, name string) string {
	name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(cmp.Or(name, "run_"+run)), "_"), "_")
	j, err := d.readJournal(ctx, run)
	if err != nil {
		return err.Error()
	}
	script, err := newRunScript(j.Records)
	if err != nil {
		return err.Error()
	}
	path := d.p.absolutePath("testdata/" + name + ".json")
	if err := writeNewFile(path, script); err != nil {
		return err.Error()
	}
	message := "wrote " + d.c.Rel(path)
	in, err := gopkg.UsesAgentc(ctx, d.p.dir)
	if err != nil || !in || d.built == nil {
		return message + "; agentc run --script plays it"
	}
	generated, err := gopkg.ImportPath(ctx, d.p.dir, d.built.Program.Output)
	if err != nil {
		return message + "; " + err.Error()
	}
	pkg, err := packageName(d.p.dir)
	if err != nil {
		return message + "; " + err.Error()
	}
	test, err := newRunTest(d.built.Program, j.Records, name, generated, cmp.Or(pkg, "project")+"_test")
	if err == nil {
		path = d.p.absolutePath(name + "_test.go")
		err = writeNewFile(path, test)
	}
	if err != nil {
		return message + "; " + err.Error()
	}

	return message + " and " + d.c.Rel(path)
}

// writeNewFile writes a file that must not exist.
func writeNewFile(path string, content []byte) error {
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

// readJournal reads the journal of a run.
func (d *dev) readJournal(ctx context.Context, run string) (*journal.Journal, error) {
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

// newRunTest returns a Go test that replays the script of a run and expects its result.
func newRunTest(p *ir.Program, records []journal.Record, name, generated, pkg string) ([]byte, error) {
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

// newRunScript returns a script with the recorded answers of models, tools, functions, guards and
// people.
func newRunScript(records []journal.Record) ([]byte, error) {
	s := &scriptdoc.Script{}
	intents := map[string]*journal.Record{}
	results := map[string]*journal.Record{} // a repeated effect counts with its last result
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
			addEffectAnswer(s, intents[at], results[at])
		}
	}

	return s.JSON()
}

func addEffectAnswer(s *scriptdoc.Script, intent, result *journal.Record) {
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
		name := what + branchSuffix(intent.Address)
		if problem != "" {
			s.Add(scriptdoc.Agents, name, scriptdoc.Turn{Error: &scriptdoc.ModelError{Class: "other", Message: problem}})
			return
		}
		s.Add(scriptdoc.Agents, name, newScriptTurn(result.Value("text"), result.Value("calls")))
	case "tool":
		if result.Value("memory") == "" { // memory tools work without a script
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

// branchSuffix returns the branch of an effect as scripts name it: the branch of the innermost
// group.
func branchSuffix(address string) string {
	parts := strings.Split(address, ".")
	if len(parts) < 3 {
		return ""
	}

	return "@" + parts[len(parts)-2]
}

// newScriptTurn returns a reply of a model as a turn of a script.
func newScriptTurn(text, calls string) scriptdoc.Turn {
	turn := scriptdoc.Turn{Say: text}
	var called []struct{ Name, Args string }
	_ = json.Unmarshal([]byte(calls), &called) // empty or invalid calls mean no calls
	for _, c := range called {
		var end struct{ Key, Value json.RawMessage }
		if c.Name == "finish" && turn.Finish == nil && json.Unmarshal([]byte(c.Args), &end) == nil {
			turn.Finish = &scriptdoc.Finish{Args: json.RawMessage(c.Args)}
			continue
		}
		args := json.RawMessage(words.Quote(c.Args)) // arguments that are not an object are written as text
		if object := map[string]any{}; json.Unmarshal([]byte(c.Args), &object) == nil {
			args = json.RawMessage(c.Args)
		}
		turn.Calls = append(turn.Calls, scriptdoc.Call{Name: c.Name, Args: args})
	}

	return turn
}
