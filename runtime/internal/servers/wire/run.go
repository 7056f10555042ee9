package wire

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// RunOf is a run as its journal has it, with the status that it has besides.
func RunOf(run string, t *trace.Trace, status client.Status) *client.Run {
	of := &client.Run{
		ID: run, Program: t.Program, Shape: t.Shape, Agent: t.Agent, By: t.By, Status: status, Begun: t.Begun, Changed: t.Changed,
		Seq:   t.Seq,
		Input: t.Input, Context: json.RawMessage(t.Context), State: json.RawMessage(t.FinalContext),
		Questions: append([]client.Question{}, t.Questions...), Answers: append([]client.Answer{}, t.Answers...),
		Recoveries: t.Recoveries, ForkedFrom: t.ForkedFrom, ForkedAt: t.ForkedAt,
	}
	last := t.Changed
	switch status {
	case client.Done, client.Failed, client.Cancelled, client.Quarantined:
		of.Ended, last = t.Ended, t.Ended
	}
	of.DurationMS = max(last.Sub(t.Begun).Milliseconds(), 0)
	of.Tokens, of.Cost = spentOf(t.Totals)
	if hasResult(t, status) {
		of.Result = &client.Result{Key: t.Key, Value: t.Value, JSON: t.JSON, Context: json.RawMessage(t.FinalContext)}
	}
	if t.Problem != "" && hasProblem(status) {
		of.Problem = &client.Problem{Type: t.Type, Message: t.Problem}
	}

	return of
}

// ShutdownType is the type of the problem of a run that was ended by the end of its server: the next one resumes it.
const ShutdownType = "ShutdownError"

// MarkStranded sets [client.Run.Stranded] as a program of that name and shape sees the run.
func MarkStranded(of *client.Run, program, shape string) {
	isLeft := of.Status == client.Cancelled && of.Problem != nil && of.Problem.Type == ShutdownType
	isWaiting := of.Status == client.Paused || of.Status == client.Interrupted || isLeft
	of.Stranded = isWaiting && of.Program == program && of.Shape != shape
}

// hasResult reports whether a run has a result: it is done, or has ended in a state of a workflow that
// is a failure, whose name is the key.
func hasResult(t *trace.Trace, s client.Status) bool {
	return s == client.Done || s == client.Failed && t.Key != ""
}

// hasProblem reports whether the error of a run's end is the reason for this status. That of a run
// that is paused is its questions.
func hasProblem(s client.Status) bool {
	return s == client.Failed || s == client.Cancelled || s == client.Quarantined
}

// spentOf is what a run has used, by the sums of its journal. The cost is nil if it is not known.
func spentOf(t trace.Totals) (client.Tokens, *client.Cost) {
	tokens := client.Tokens{Input: t.In, Output: t.Out, Estimated: t.Estimated}
	if t.Cost == 0 {
		return tokens, nil
	}

	return tokens, &client.Cost{USD: float64(t.Cost) / 1e6, Estimated: t.Estimated, ListPrices: t.ListPrices, Unpriced: t.Unpriced}
}

// mostListed is how many characters of a text a list has.
const mostListed = 500

// Listed is a run as it is in a list: without what may be large.
func Listed(of *client.Run) client.Run {
	listed := *of
	listed.Context, listed.State = nil, nil
	cut := func(text string) string {
		first := wording.First(text, mostListed)
		listed.Cut = listed.Cut || first != text
		return first
	}
	listed.Input = cut(of.Input)
	listed.Answers = slices.Clone(of.Answers)
	for i := range listed.Answers {
		listed.Answers[i].Value = cut(listed.Answers[i].Value)
	}
	if of.Result != nil {
		listed.Result = &client.Result{Key: of.Result.Key, Value: cut(of.Result.Value), JSON: of.Result.JSON}
	}

	return listed
}
