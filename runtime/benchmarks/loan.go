package main

import (
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// loanWorkflow decides about loans in nine steps: three call functions, and two a model.
const loanWorkflow = `version: "0.1"
input_schema:
  type: object
  properties: {name: {type: string}, cents: {type: integer}, months: {type: integer}}
  required: [name, cents, months]
agents:
  judge:
    model: "openai:small"
    system_prompt: Decide about a loan.
    output_schema: {type: object, properties: {grant: {type: boolean}, reason: {type: string}}, required: [grant, reason]}
  clerk: {model: "openai:small", system_prompt: Write a letter.}
steps:
  - name: score
    uses: "bureau:score"
    input: {name: "{{ input.name }}", cents: "{{ input.cents }}"}
    input_schema: {type: object, properties: {name: {type: string}, cents: {type: integer}}, required: [name, cents]}
    output_schema: {type: object, properties: {points: {type: integer}}, required: [points]}
    interruptible: true
  - name: rate
    uses: "bank:rate"
    input: {points: "{{ steps.score.points }}", months: "{{ input.months }}"}
    input_schema: {type: object, properties: {points: {type: integer}, months: {type: integer}}, required: [points, months]}
    output_schema: {type: object, properties: {percent: {type: integer}}, required: [percent]}
    interruptible: true
  - {name: question, input: "{{ input.cents }} cents for {{ input.months }} months, score {{ steps.score.points }}"}
  - {name: judge, uses: agents.judge, input: "{{ steps.question }}"}
  - {name: decision, input: "{{ input.name }}: {{ steps.judge.grant }}, {{ steps.rate.percent }} %"}
  - {name: order, input: "Write to {{ input.name }}. {{ steps.judge.reason }}"}
  - {name: letter, uses: agents.clerk, input: "{{ steps.order }}"}
  - name: send
    uses: "office:send"
    input: {to: "{{ input.name }}", text: "{{ steps.letter }}"}
    input_schema: {type: object, properties: {to: {type: string}, text: {type: string}}, required: [to, text]}
    output_schema: {type: string}
    interruptible: true
  - {name: outcome, input: {decision: "{{ steps.decision }}", sent: "{{ steps.send }}"}}
`

// loanProgram measures runs of the workflow, and the same written by hand.
const loanProgram = `// Program loan-run lets a workflow and the same as Go take turns.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/loan/agents"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
)

const (
	application = ` + "`" + `{"name":"Ada","cents":90000,"months":24}` + "`" + `
	outcome     = ` + "`" + `{"decision":"Ada: True, 7 %","sent":"sent to Ada"}` + "`" + `
)

// functions are the functions of the workflow, which the Go calls too.
type functions struct{}

func (functions) BureauScore(_ context.Context, in agents.BureauScoreArgs) (agents.BureauScoreResult, error) {
	return agents.BureauScoreResult{Points: in.Cents / 100}, nil
}

func (functions) BankRate(_ context.Context, in agents.BankRateArgs) (agents.BankRateResult, error) {
	return agents.BankRateResult{Percent: in.Months/12 + 5}, nil
}

func (functions) OfficeSend(_ context.Context, in agents.OfficeSendArgs) (agents.OfficeSendResult, error) {
	return agents.OfficeSendResult("sent to " + in.To), nil
}

// answers answer at once.
type answers struct{}

func (answers) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	if r.Schema != "" {
		return model.Reply{Text: ` + "`" + `{"grant":true,"reason":"It is small."}` + "`" + `}, nil
	}

	return model.Reply{Text: "Dear applicant"}, nil
}

// Interruptible is the promise that Chat returns when its context ends.
func (answers) Interruptible() bool { return true }

// decide is the workflow as Go.
func decide(ctx context.Context, f functions, m model.Provider, input string) (string, error) {
	var in struct {
		Name          string
		Cents, Months int64
	}
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		return "", err
	}
	score, err := f.BureauScore(ctx, agents.BureauScoreArgs{Name: in.Name, Cents: in.Cents})
	if err != nil {
		return "", err
	}
	rate, err := f.BankRate(ctx, agents.BankRateArgs{Points: score.Points, Months: in.Months})
	if err != nil {
		return "", err
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	question := number(in.Cents) + " cents for " + number(in.Months) + " months, score " + number(score.Points)
	ask := func(agent, system, text, schema string) (model.Reply, error) {
		return m.Chat(ctx, model.Request{Agent: agent, Input: text, System: system, Schema: schema, Messages: []model.Message{{Role: model.RoleUser, Text: text}}})
	}
	reply, err := ask("judge", "Decide about a loan.", question, "{}")
	if err != nil {
		return "", err
	}
	var verdict struct {
		Grant  bool
		Reason string
	}
	if err := json.Unmarshal([]byte(reply.Text), &verdict); err != nil {
		return "", err
	}
	granted := "False"
	if verdict.Grant {
		granted = "True"
	}
	decision := in.Name + ": " + granted + ", " + number(rate.Percent) + " %"
	reply, err = ask("clerk", "Write a letter.", "Write to "+in.Name+". "+verdict.Reason, "")
	if err != nil {
		return "", err
	}
	sent, err := f.OfficeSend(ctx, agents.OfficeSendArgs{To: in.Name, Text: reply.Text})
	if err != nil {
		return "", err
	}
	result, err := json.Marshal(struct {
		Decision string ` + "`json:\"decision\"`" + `
		Sent     string ` + "`json:\"sent\"`" + `
	}{decision, string(sent)})

	return string(result), err
}

func main() {
	contest.Main(func(task contest.Task) ([]contest.Score, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		eng, app := engine.New(engine.Options{Model: answers{}}), agents.New(functions{})
		check := func(value string, err error) error {
			if err == nil && value != outcome {
				err = fmt.Errorf("the run ended with %q", value)
			}

			return err
		}

		return contest.Hold(task.Rounds,
			contest.Repeat("workflow", task.Runs, task.Steps, func() error {
				fin, err := app.Run(ctx, eng, application)
				return check(fin.Value, err)
			}),
			contest.Repeat("hand", task.Runs, task.Steps, func() error { return check(decide(ctx, functions{}, answers{}, application)) }))
	})
}
`

// The goals of a workflow of steps that do something: the time of a step beside the same as Go, and what it allocates.
const (
	loanGoal       = 12
	loanAllocsGoal = 10
)

// measureLoan measures a workflow of nine steps with functions and a model that answers at once.
func (b *bench) measureLoan() {
	const steps = 9
	b.progress.say("a workflow about loans")
	b.generate("loan", project{"agentc.yaml": "entrypoint: loan\n", "workflows/loan.yaml": loanWorkflow})
	scores := b.measure("loan-run", loanProgram, contest.Task{Steps: steps, Runs: b.size(500, 2), Rounds: b.size(41, 2)})
	const title = "workflow, loan of 9 steps"
	b.compare(title+": App.Run / hand-written", scores, "workflow", "hand", goal{atMost, loanGoal})
	b.add(title+": allocations a step", allocsStep(scores, "workflow"), "", goal{atMost, loanAllocsGoal})
}
