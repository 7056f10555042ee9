package local

import (
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// What can be done about an effect of which nobody knows whether it has happened, as people answer.
const (
	unknownAgain = "again"
	unknownSkip  = "skip"
	unknownFail  = "fail"
)

// What a tool says of an outcome that nobody knows.
const (
	onUnknownRetry = "retry"
	onUnknownFail  = "fail"
)

// decide says what becomes of an effect that an earlier process had begun: again, or skip. An error ends the run.
func (f *Effects) decide(in *intent, was *past, address string) (choice string, err error) {
	if in.class != classOnce {
		return unknownAgain, nil
	}
	choice = in.onUnknown
	if given := was.answers[runtime.UnknownQuestion(in.what)]; given != nil {
		choice = given.value
	}
	switch choice {
	case unknownAgain, onUnknownRetry:
		return unknownAgain, nil
	case unknownSkip:
		return unknownSkip, nil
	case unknownFail:
		return "", &runtime.UnknownOutcomeError{Run: f.run.id, Address: address, Kind: in.kind, Name: in.what}
	}

	return f.askUnknown(in, address)
}

// askUnknown asks a person what becomes of an effect, at its own address. The answer is recorded before anything is done about it.
func (f *Effects) askUnknown(in *intent, address string) (choice string, err error) {
	q := unknownQuestion(in)
	answer, err := f.timedAsk(q)
	if cause := f.run.stopped(); cause != nil {
		return "", cause
	}
	f.noteAnswer(q, answer, err)
	if err != nil {
		return "", err
	}
	f.run.append(answerRecord(address, q.ID, answer.Value, answer.By))
	if answer.Value == unknownFail {
		return "", &runtime.UnknownOutcomeError{Run: f.run.id, Address: address, Kind: in.kind, Name: in.what}
	}

	return answer.Value, nil
}

func unknownQuestion(in *intent) runtime.Question {
	return runtime.Question{
		ID: runtime.UnknownQuestion(in.what), Choices: []string{unknownAgain, unknownSkip, unknownFail},
		Prompt: fmt.Sprintf("The run was interrupted while %s was under way, and whether it has happened is not known. "+
			"Shall it be done again, skipped, or shall the run fail?", describe(in.kind, in.what)),
	}
}

func answerRecord(address, question, value, by string) journal.Record {
	return journal.Record{
		Type: journal.Answer, Address: address, Name: question, Fields: given("value", value, "by", by),
	}
}

// errSkipped is what an effect that is skipped came to, for whoever has asked for it.
var errSkipped = errors.New("it had begun when the run was interrupted, whether it has happened is not known, and it was not repeated")

func skippedTool(*intent) (runtime.ToolResult, error) {
	return runtime.ToolResult{Problem: "This call had begun when the work was interrupted. Whether it has happened is not known, and it " +
		"was not repeated."}, nil
}

func skippedCall(in *intent) (runtime.FuncResult, error) {
	return runtime.FuncResult{}, fmt.Errorf("function %q: %w", in.what, errSkipped)
}
