package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// clerk is a program that drafts a text, does something once, and asks a person.
type clerk struct {
	shape string
	// sent counts how often the function was called; during is what happens in it.
	sent   int
	during func()
}

func (k *clerk) Program() *compiled.Program {
	model := &model.Choice{Role: "default"}
	draft := &rt.OneshotSpec{Agent: "draft", Model: model, Prompt: "Write."}
	send := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		k.sent++
		if k.during != nil {
			k.during()
		}

		return json.RawMessage(`"sent"`), nil
	}

	return &compiled.Program{
		Name: "clerk", Entry: "clerk", Shape: k.shape, Text: "t1", HasModels: true, Funcs: []string{"mail.send"},
		Models: []compiled.Role{{Role: "default", Name: "script:none"}},
		Agents: []compiled.Agent{
			{Name: "clerk", Pattern: "fsm", Contains: []string{"draft"}, Graph: clerkGraph, Questions: []string{"approve"}, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				m := rt.Flow("clerk").Machine(fx, 9, input)
				if m.Enter("draft") {
					m.RecordOutput(draft.Run(fx, m.Value()))
				}
				if m.Failed() {
					return m.End()
				}
				m.RecordTransition("done", rt.MatchExact, "send")
				if m.Enter("send") {
					_, err := fx.Call(runtime.FuncCall{Name: "mail.send", Args: json.RawMessage(`{"to":"ada"}`), Run: send})
					m.RecordOutput(runtime.Finish{Key: "done", Value: m.Value()}, err)
				}
				if m.Failed() {
					return m.End()
				}
				m.RecordTransition("done", rt.MatchUnconditional, "approve")
				if m.Enter("approve") {
					answer, err := fx.Ask(runtime.Question{ID: "approve", Agent: "approve", Prompt: "Was that right?", Choices: []string{"yes", "no"}})
					m.RecordOutput(runtime.Finish{Key: answer.Value, Value: m.Value() + ": " + answer.Value}, err)
				}
				if !m.Failed() {
					m.RecordTransition(m.Key(), rt.MatchExact, "")
				}

				return m.End()
			}},
			{Name: "draft", Pattern: "oneshot", Model: model, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return draft.Run(fx, input)
			}},
		},
	}
}

const clerkGraph = `flowchart TD
  subgraph n1["clerk"]
    n2((" "))
    n3["draft"]
    n4["send"]
    n5["approve"]
    n6(((" ")))
  end
  n2 --> n3
  n3 -->|"done"| n4
  n3 -->|"retry"| n3
  n4 --> n5
  n5 -->|"yes"| n6
  n5 -->|"no"| n6
`

// at runs APP in the folder that it is in.
func (k *clerk) at(args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = Options{}.Run(k, args, strings.NewReader(""), &out, &errs)

	return code, out.String(), errs.String()
}

// scripts are files that a test needs beside it.
func scripts(t *testing.T, texts map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	runID     = regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{10}`)
	aDate     = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
	aDuration = regexp.MustCompile(`(, took \d+(\.\d)? m?s| \(\d+(\.\d)? m?s\)|, \d+(\.\d)? m?s)`)
)

// unhurried is a trace without the names and times that are others in each run.
func unhurried(text string) string {
	text = runID.ReplaceAllString(text, "RUN")
	text = aDate.ReplaceAllString(text, "DATE")

	return aDuration.ReplaceAllString(text, "")
}

const (
	noAnswer = `{"draft": [{"say": "a letter"}]}`
	agrees   = `{"draft": [{"say": "a letter"}], "ask": {"approve": ["yes"]}}`
	refused  = `{"draft": [{"error": {"status": 401}}, {"say": "a letter"}], "ask": {"approve": ["yes"]}}`
)

func TestAPauseSaysHowToGoOn(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "pause.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	scripts(t, map[string]string{"s.json": noAnswer, "yes.json": agrees})
	k := &clerk{shape: "s1"}
	code, stdout, stderr := k.at("run", "--script", "s.json", "write to ada")
	if code != cli.Paused || stdout != "" || !strings.HasSuffix(unhurried(stderr), want) {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	ignore, err := os.ReadFile(filepath.Join(".agentc", "runs", ".gitignore"))
	if err != nil || strings.TrimSpace(string(ignore)) != "*" {
		t.Errorf("git does not ignore the runs: %q, %v", ignore, err)
	}

	if code, _, stderr := k.at("resume", "last", "--script", "s.json"); code != cli.Paused || !strings.Contains(unhurried(stderr), want) {
		t.Errorf("without an answer: exit code %d, stderr:\n%s", code, stderr)
	}
	code, stdout, stderr = k.at("resume", "last", "--script", "yes.json")
	if code != cli.Done || stdout != "a letter: yes\n" || k.sent != 1 || strings.Contains(stderr, "clerk resume") {
		t.Errorf("exit code %d, stdout %q, sent %d times, stderr:\n%s", code, stdout, k.sent, stderr)
	}
	code, stdout, stderr = k.at("resume", "last")
	if code != cli.Done || stdout != "a letter: yes\n" || k.sent != 1 || stderr != "" {
		t.Errorf("a run that is done: exit code %d, stdout %q, sent %d times, stderr:\n%s", code, stdout, k.sent, stderr)
	}
}

func TestAFailureSaysHowToGoOn(t *testing.T) {
	t.Setenv("USER", "eve")
	golden := goldenFile(t, "clerk-failed")
	scripts(t, map[string]string{"s.json": refused})
	k := &clerk{shape: "s1"}
	code, _, stderr := k.at("run", "--script", "s.json", "--partial", "--store", "my runs", "write to ada")
	if want := "to resume: clerk resume RUN --store 'my runs' --script s.json --partial\n"; code != cli.Problem || !strings.HasSuffix(unhurried(stderr), want) {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	t.Setenv("AGENTC_STORE", "my runs")
	code, stdout, stderr := k.at("resume", "last", "--script", "s.json")
	if code != cli.Done || stdout != "a letter: yes\n" {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	_, stdout, _ = k.at("runs", "show", "last")
	golden(unhurried(stdout))
}

func TestOtherShapes(t *testing.T) {
	scripts(t, map[string]string{"s.json": noAnswer, "yes.json": agrees})
	(&clerk{shape: "s1"}).at("run", "--script", "s.json", "write to ada")
	k := &clerk{shape: "s2"}
	if code, _, stderr := k.at("resume", "last", "--script", "yes.json"); code != cli.Problem || !strings.Contains(stderr, "--force-shape") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if _, _, stderr := k.at("resume", "last", "--script", "yes.json"); !strings.HasSuffix(unhurried(stderr), "this program: clerk resume RUN --force-shape --script yes.json\n") {
		t.Errorf("stderr:\n%s", stderr)
	}
	if code, stdout, stderr := k.at("resume", "last", "--script", "yes.json", "--force-shape"); code != cli.Done || stdout != "a letter: yes\n" {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	_, stdout, _ := k.at("runs", "show", "last")
	words := strings.Join(strings.Fields(stdout), " ") // where the line ends depends on how long the run took
	if !strings.Contains(words, "with a program of another shape, by force") {
		t.Errorf("stdout:\n%s", stdout)
	}
}

func TestAStoreThatCannotBeUsed(t *testing.T) {
	scripts(t, map[string]string{"s.json": agrees, "file": ""})
	k := &clerk{shape: "s1"}
	code, _, stderr := k.at("run", "--script", "s.json", "--store", filepath.Join("file", "runs"), "write to ada")
	if code != cli.Failure || !strings.Contains(stderr, "--store") || k.sent != 0 {
		t.Errorf("exit code %d, sent %d times, stderr:\n%s", code, k.sent, stderr)
	}
	code, stdout, stderr := k.at("run", "--script", "s.json", "--store", "none", "write to ada")
	if code != cli.Done || stdout != "a letter: yes\n" {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if _, err := os.Stat(".agentc"); !os.IsNotExist(err) {
		t.Errorf("with --store none there is a store: %v", err)
	}
	for _, args := range []string{"resume r --store none", "runs --store none", "resume", "resume r s", "resume r"} {
		if code, _, stderr := k.at(strings.Fields(args)...); code != cli.Usage {
			t.Errorf("%s: exit code %d, stderr:\n%s", args, code, stderr)
		}
	}
}

// What a crash tore off is told: here that the letter was sent, which nobody knows now.
func TestResumeOfATornJournal(t *testing.T) {
	scripts(t, map[string]string{"s.json": noAnswer, "yes.json": agrees})
	k := &clerk{shape: "s1"}
	k.at("run", "--script", "s.json", "write to ada")
	names, err := filepath.Glob(filepath.Join(journal.DefaultDir, "*.journal"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	content, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for torn := content[:len(content)-1]; ; torn = torn[:len(torn)-1] {
		if err := os.WriteFile(names[0], torn, 0o600); err != nil {
			t.Fatal(err)
		}
		if !knowsThatItIsSent(t, runID.FindString(names[0])) {
			break
		}
	}
	code, _, stderr := k.at("resume", "last", "--script", "yes.json")
	if code != cli.Paused || k.sent != 1 || !strings.Contains(stderr, "were not written whole") ||
		!strings.Contains(unhurried(stderr), "clerk answer RUN unknown:mail.send again --script yes.json") {
		t.Errorf("exit code %d, sent %d times, stderr:\n%s", code, k.sent, stderr)
	}

	content[len(content)/3] ^= 1
	if err := os.WriteFile(names[0], content, 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = k.at("resume", "last", "--script", "yes.json")
	if code != cli.Problem || !strings.Contains(stderr, "is damaged at byte") ||
		!strings.HasSuffix(unhurried(stderr), "runs show RUN; to resume from an effect there: clerk fork RUN --at ADDRESS\n") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
}

// knowsThatItIsSent reports whether a journal has what came of the function.
func knowsThatItIsSent(t *testing.T, run string) bool {
	t.Helper()
	j, err := journal.Read(t.Context(), journal.Files(journal.DefaultDir), run)
	if err != nil {
		t.Fatal(err)
	}

	return slices.ContainsFunc(j.Records, func(r journal.Record) bool { return r.Type == journal.Result && r.Name == "call" })
}

// changing is a program whose only effect is a call with arguments of its own. The call fails.
type changing struct{ args, text string }

func (p changing) Program() *compiled.Program {
	return &compiled.Program{Name: "clerk", Entry: "clerk", Shape: "s1", Text: p.text, Agents: []compiled.Agent{{
		Name: "clerk", Pattern: "workflow", Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			_, err := fx.Call(runtime.FuncCall{Name: "mail.send", Args: json.RawMessage(p.args), Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(`1`), nil
			}})
			if err == nil {
				err = errors.New("the mailbox is full")
			}

			return runtime.Finish{}, err
		},
	}}}
}

// A resume that is refused leaves the run as it was, and says what continues a copy of it.
func TestARefusedResumeChangesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	at := func(p changing, args ...string) (code int, stdout, stderr string) {
		var out, errs strings.Builder
		code = Options{}.Run(p, args, strings.NewReader(""), &out, &errs)

		return code, out.String(), errs.String()
	}
	before := changing{`{"to":"ada"}`, "t1"}
	if code, _, stderr := at(before, "run", "x"); code != cli.Problem || !strings.Contains(stderr, "the mailbox is full") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	_, shown, _ := at(before, "runs", "show", "last", "--records")
	for _, flags := range [][]string{nil, {"--force-shape"}} {
		code, _, stderr := at(changing{`{"to":"bob"}`, "t2"}, append([]string{"resume", "last"}, flags...)...)
		want := `function "mail.send" with the arguments {"to":"bob"}, not {"to":"ada"}`
		hint := strings.TrimSuffix("to continue a copy from that effect: clerk fork RUN --at 1 "+strings.Join(flags, " "), " ") + "\n"
		if code != cli.Problem || !strings.Contains(stderr, want) || !strings.HasSuffix(unhurried(stderr), hint) {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	}
	if _, after, _ := at(before, "runs", "show", "last", "--records"); after != shown {
		t.Errorf("the run was\n%s\nand is\n%s", shown, after)
	}
	if code, _, stderr := at(changing{`{"to":"bob"}`, "t2"}, "fork", "last", "--at", "1"); code != cli.Problem || !strings.Contains(stderr, "the mailbox is full") {
		t.Errorf("the command that is named: exit code %d, %s", code, stderr)
	}
}

// Under agentc the hints name agentc.
func TestHintsUnderAgentc(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(calledAs, "agentc COMMAND --project desk")
	for _, c := range []struct{ args, want string }{
		{"fork last", "the number after # in agentc runs show last"},
		{"resume", "agentc runs lists them"},
		{"run --nothing", "agentc run --help shows"},
	} {
		var errs strings.Builder
		if code := (Options{}).Run(changing{}, strings.Fields(c.args), strings.NewReader(""), &errs, &errs); code != cli.Usage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: %s", c.args, errs.String())
		}
	}
}
