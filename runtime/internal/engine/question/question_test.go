package question_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// listOf returns a list with two questions of one id, and one more.
func listOf() *question.List {
	var l question.List
	l.Add("10", runtime.Question{ID: "who"})
	l.Add("2", runtime.Question{ID: "color", Choices: []string{"Red", "Blue"}})
	l.Add("3", runtime.Question{ID: "who"})

	return &l
}

// kept keeps the records of answers.
type kept []journal.Record

func (k *kept) append(r journal.Record) error {
	*k = append(*k, r)

	return nil
}

func TestAllAreSorted(t *testing.T) {
	var at []string
	for _, q := range listOf().All() {
		at = append(at, q.Address)
	}
	if !slices.Equal(at, []string{"2", "3", "10"}) {
		t.Errorf("the addresses are %q", at)
	}
}

// TestTake: an answer is recorded as the question spells it, once.
func TestTake(t *testing.T) {
	l := listOf()
	var records kept
	answer := question.Given{Run: "r1", Question: "color", Value: "red", By: "ada", StayPaused: true}
	taken, _, err := l.Take(answer, nil, records.append)
	if !taken || err != nil || len(records) != 1 {
		t.Fatalf("%v %v %+v", taken, err, records)
	}
	r := records[0]
	if r.Address != "2" || r.Value("value") != "Red" || r.Value(question.FieldStayPaused) != "true" {
		t.Errorf("the record is %+v", r)
	}
	if _, _, err := l.Take(answer, nil, records.append); runtime.ErrorType(err) != "AnsweredError" {
		t.Errorf("the second answer: %v", err)
	}
	if left := l.All(); len(left) != 2 || len(records) != 1 {
		t.Errorf("left are %v, and %d answers are recorded", left, len(records))
	}
}

func TestTakeRefuses(t *testing.T) {
	denied := errors.New("not for you")
	for _, c := range []struct {
		answer question.Given
		code   string
	}{
		{question.Given{Question: "color", Value: "green"}, "AnswerError"},
		{question.Given{Question: "who", Value: "Ada"}, "UnknownQuestionError"},
		{question.Given{Question: "where", Value: "here"}, "UnknownQuestionError"},
		{question.Given{Question: "who#3", Value: "Ada", Permit: func(string) error { return denied }}, ""},
		{question.Given{Question: "who#3", Value: "Ada"}, ""},
	} {
		var records kept
		taken, _, err := listOf().Take(c.answer, nil, records.append)
		wantErr := c.code != "" || c.answer.Permit != nil
		if !taken || (err != nil) != wantErr || len(records) == 1 == wantErr {
			t.Errorf("%s=%s: %v, %v, %d records", c.answer.Question, c.answer.Value, taken, err, len(records))
		}
		if c.code != "" && runtime.ErrorType(err) != c.code {
			t.Errorf("%s=%s: %v", c.answer.Question, c.answer.Value, err)
		}
	}
}

// TestTakeWaits: a question that an earlier process has asked may be reached again, so its answer
// waits for the next question.
func TestTakeWaits(t *testing.T) {
	h := replay.Read(&journal.Journal{Records: []journal.Record{
		{Type: journal.Begin, Name: "r1"},
		{Type: journal.Intent, Address: "5", Name: replay.KindAsk, Fields: []journal.Field{{Name: "what", Value: "later"}}},
	}})
	l := listOf()
	var records kept
	answer := question.Given{Question: "later", Value: "yes"}
	taken, next, err := l.Take(answer, h, records.append)
	if taken || err != nil || next == nil {
		t.Fatalf("%v %v %v", taken, next, err)
	}
	l.Add("5", runtime.Question{ID: "later"})
	<-next
	if taken, _, err := l.Take(answer, h, records.append); !taken || err != nil || len(records) != 1 {
		t.Errorf("%v %v %v", taken, err, records)
	}
	if l.Close() || !l.Close() {
		t.Error("a list is closed once")
	}
	if taken, _, _ := l.Take(answer, h, records.append); taken {
		t.Error("a closed list takes an answer")
	}
}
