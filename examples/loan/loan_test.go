package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/loan/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/testing/resumetest"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// path records the states that a run enters.
type path []string

// Observe records a state.
func (p *path) Observe(e event.Event) {
	if e.Kind == event.Enter {
		*p = append(*p, e.State)
	}
}

// application returns the JSON of an application for a loan.
func application(t *testing.T, name string, cents, income int64) string {
	t.Helper()
	text, err := json.Marshal(agents.LoanInput{
		Applicant: agents.LoanInputApplicant{Name: name, Email: strings.ToLower(name) + "@example.org"},
		Cents:     cents, Months: 24, Income: income,
	})
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// The scripts answer for the models, the person, the bureau and the office.
func TestScripts(t *testing.T) {
	for _, test := range []struct {
		script, name, end string
		states            path
	}{
		{"granted", "Ada", "granted", path{"check", "judge", "answer"}},
		{"rejected", "Bob", "refused", path{"check", "reject", "answer"}},
		{"approved", "Cem", "granted", path{"check", "judge", "decide", "answer"}},
		{"late", "Dora", "refused", path{"check", "decide", "answer"}},
	} {
		t.Run(test.script, func(t *testing.T) {
			script, err := os.ReadFile("scripts/" + test.script + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var states path
			fx := simulate.New(t, string(script), &states)
			fin, err := agents.New(nil).RunLoan(fx, application(t, test.name, 500000, 300000))
			if err != nil || fin.Key != test.end {
				t.Errorf("the run ends with %q, %v", fin.Key, err)
			}
			if !slices.Equal(states, test.states) {
				t.Errorf("the run enters %q", states)
			}
		})
	}
}

// newBank returns a bank with a file of its own.
func newBank(t *testing.T) *bank {
	t.Helper()

	return &bank{path: filepath.Join(t.TempDir(), "letters.jsonl")}
}

// Parts of scripts: a model that grants every loan, one that writes what it is told, and a person who refuses.
const (
	judge  = `"loan/judge": [{"say": "{\"decision\": \"grant\", \"reason\": \"It is safe.\"}"}]`
	clerk  = `"loan/clerk": [{"say": "{{input}}"}]`
	person = `"ask": {"approve": [{"decision": "refuse", "reason": "It is too much."}]}`
)

func scriptOf(parts ...string) string { return "{" + strings.Join(parts, ", ") + "}" }

// With the functions of the bank, the score and the amount choose who decides. Each applicant gets one letter.
func TestBank(t *testing.T) {
	for _, test := range []struct {
		name          string
		cents, income int64
		script        string
		decision      agents.LoanOutputDecision
		reason        string
	}{
		{"Ada", 500000, 300000, scriptOf(judge, clerk), agents.LoanOutputDecisionGrant, "It is safe."},
		{"Ada", 2500000, 300000, scriptOf(judge, clerk, person), agents.LoanOutputDecisionRefuse, "It is too much."},
		{"Ada", 500000, 40000, scriptOf(clerk), agents.LoanOutputDecisionRefuse, "By our rules we cannot lend you this amount."},
		{"Bob", 500000, 300000, scriptOf(clerk), agents.LoanOutputDecisionRefuse, "By our rules we cannot lend you this amount."},
		{"Dora", 500000, 300000, scriptOf(clerk, person), agents.LoanOutputDecisionRefuse, "It is too much."},
	} {
		t.Run(fmt.Sprint(test.name, " ", test.cents, " ", test.income), func(t *testing.T) {
			b := newBank(t)
			fin, err := agents.New(b).Loan(t.Context(), engine.New(engine.Options{Script: test.script}), agents.LoanInput{
				Applicant: agents.LoanInputApplicant{Name: test.name, Email: "a@example.org"},
				Cents:     test.cents, Months: 24, Income: test.income,
			}, agents.LoanContext{})
			if err != nil {
				t.Fatal(err)
			}
			if *fin.Output.Decision != test.decision || *fin.Output.Reason != test.reason {
				t.Errorf("decision %q: %s", *fin.Output.Decision, *fin.Output.Reason)
			}
			letters, err := b.letters()
			if err != nil || len(letters) != 1 || !strings.HasSuffix(letters[0].Text, test.reason) {
				t.Errorf("letters %q, %v", letters, err)
			}
		})
	}
}

// An application that does not fit its schema is refused before anything happens.
func TestUnfitApplication(t *testing.T) {
	b := newBank(t)
	_, err := agents.New(b).RunLoan(simulate.New(t, `{}`), `{"applicant": {"name": "Ada"}, "cents": 0, "income": 1}`)

	if runtime.ErrorType(err) != "InputError" || !strings.Contains(err.Error(), "applicant.email is required") {
		t.Errorf("the run ends with %v", err)
	}
}

// A run that is interrupted after any record of its journal sends its letter once.
func TestResumedAnywhere(t *testing.T) {
	b := newBank(t)
	counts, err := resumetest.Case{
		Program: agents.New(b).Program(), Input: application(t, "Ada", 500000, 300000),
		Options: func() engine.Options { return engine.Options{Script: scriptOf(judge, clerk)} },
	}.Check(t.Context())
	if err != nil || counts.Asked > 0 {
		t.Errorf("%v, %v", counts, err)
	}
	if letters, err := b.letters(); err != nil || len(letters) != 1 {
		t.Errorf("letters %q, %v", letters, err)
	}
}
