package replay_test

import (
	"slices"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// record returns a record with fields as names and values, a second after the one before.
func record(number int, kind journal.Type, address, name string, fields ...string) journal.Record {
	return journal.Record{
		Type: kind, Time: start.Add(time.Duration(number) * time.Second), Address: address, Name: name, Fields: field.Optional(fields...),
	}
}

// journalOf returns a journal that begins a run and has more records.
func journalOf(records ...journal.Record) *journal.Journal {
	return &journal.Journal{Records: append([]journal.Record{record(0, journal.Begin, "", "r1", "shape", "s", "text", "t")}, records...)}
}

// TestRepeatedEffectDropsWhatFollowed: the last time that an effect was carried out counts, and what
// was built on the time before does not.
func TestRepeatedEffectDropsWhatFollowed(t *testing.T) {
	h := replay.Read(journalOf(
		record(1, journal.Intent, "1", replay.KindTool, "what", "pay"),
		record(2, journal.Result, "1", replay.KindTool, "text", "paid"),
		record(3, journal.Intent, "2", replay.KindTool, "what", "mail"),
		record(4, journal.Intent, "1", replay.KindTool, "what", "pay", "class", "once"),
	))
	if h.Effects["2"] != nil {
		t.Error("an effect counts that followed one that was repeated")
	}
	first := h.Effects["1"]
	if first.HasResult() || !first.IsInterrupted() || !first.HasBegun() || len(first.Dropped) != 1 {
		t.Errorf("the repeated effect is %+v", first)
	}
	if !first.IsOutcomeUnknown(replay.ClassOnce) || first.IsOutcomeUnknown(replay.ClassRead) {
		t.Error("an effect of class once may have happened, and no other")
	}
}

// TestFailedRunTriesAgain: effects with which a run has failed, and on which nothing was built, are
// tried again.
func TestFailedRunTriesAgain(t *testing.T) {
	j := journalOf(
		record(1, journal.Intent, "1", replay.KindTool, "what", "pay"),
		record(2, journal.Result, "1", replay.KindTool, "error_type", "ToolError", "error", "no money"),
		record(3, journal.Intent, "2", replay.KindModel, "what", "desk"),
		record(4, journal.Result, "2", replay.KindModel, "error_type", "ModelError", "error", "busy", "tokens_in", "7"),
		record(5, journal.End, "", replay.StatusFailed),
	)
	if h := replay.Read(j); !h.Effects["2"].HasResult() || h.Status() != replay.StatusFailed || !h.IsClosed() {
		t.Error("a history that is only read is changed")
	}
	h := replay.ReadResumable(j)
	if !h.Effects["1"].HasResult() {
		t.Error("an effect is tried again on which another one was built")
	}
	last := h.Effects["2"]
	if last.HasBegun() {
		t.Error("the effect with which the run has failed is not tried again")
	}
	if all := last.AllOutlays(); len(all) != 1 || all[0].Calls != 1 || all[0].Tokens != 7 || all[0].Under.To.Sub(all[0].Under.From) != time.Second {
		t.Errorf("what it has spent is %+v", all)
	}
}

// TestStopDecisionIsTakenAgain: the signal that has stopped a run does not stop it again.
func TestStopDecisionIsTakenAgain(t *testing.T) {
	stop := runtime.Verdict{Signal: &signals.Ruling{Signal: signals.Signal{Kind: "stop"}, Answer: signals.GracefulStop, Tier: "machine"}}
	result := record(2, journal.Result, "1", replay.KindGuard)
	result.Fields = replay.VerdictFields(&stop)
	if back, err := replay.ReadVerdict(&result); err != nil || *back.Signal != *stop.Signal {
		t.Errorf("the verdict is read as %+v, %v", back, err)
	}
	h := replay.ReadResumable(journalOf(
		record(1, journal.Intent, "1", replay.KindGuard, "what", "signals:"), result, record(3, journal.End, "", replay.StatusCancelled),
	))
	if h.Effects["1"].HasResult() {
		t.Error("the decision counts")
	}
}

// TestInterruptedTimeCounts: the time of an effect that was under way when its process ended counts
// until the process was surely at work.
func TestInterruptedTimeCounts(t *testing.T) {
	h := replay.Read(journalOf(
		record(1, journal.Intent, "1", replay.KindTool, "what", "pay"),
		record(4, journal.Event, "1", "tool", "seq", "3"),
		record(60, journal.Opened, "", "", "shape", "s2", "text", "t2"),
	))
	all := h.Effects["1"].AllOutlays()
	if len(all) != 1 || all[0].Under.To.Sub(all[0].Under.From) != 3*time.Second {
		t.Errorf("it has spent %+v", all)
	}
	if h.Seq != 3 || h.Shape != "s2" || h.Text != "t2" || h.IsClosed() {
		t.Errorf("the history is %+v", h)
	}
}

// TestAnswers: the first answer to a question counts, unless nobody could check it.
func TestAnswers(t *testing.T) {
	h := replay.Read(journalOf(
		record(1, journal.Intent, "1", replay.KindAsk, "what", "who"),
		record(2, journal.Answer, "1", "who", "value", "Bob", "unchecked", "true"),
		record(3, journal.Answer, "1", "who", "value", "Ada", "by", "ada"),
		record(4, journal.Answer, "1", "who", "value", "Eve"),
	))
	got := h.NewestAnswer("who#1")
	if got == nil || got.Value != "Ada" || got.By != "ada" || h.HasUncheckedAnswer() {
		t.Errorf("the answer is %+v", got)
	}
	if h.IsWaitingFor("who") || h.NewestAnswer("where") != nil {
		t.Error("an answered question waits, or one that was never asked has an answer")
	}
	if answer := h.Effects["1"].AnswerTo("who"); answer.Validate(runtime.Question{ID: "who"}) != nil {
		t.Error("the answer is not valid")
	}
}

// TestTakeEvent: an event that was recorded is not reported again, whatever its place among others.
func TestTakeEvent(t *testing.T) {
	busy := event.Event{Kind: event.Error, Type: "ModelError", Problem: "busy"}
	h := replay.Read(journalOf(
		record(1, journal.Intent, "1", replay.KindNow),
		eventRecord(2, "1", &busy),
	))
	var b replay.Branch
	other := event.Event{Kind: event.Error, Type: "ModelError", Problem: "down"}
	if b.TakeEvent(h.Effects["1"], 2, &other) {
		t.Error("another event is taken")
	}
	if !b.TakeEvent(h.Effects["1"], 2, &busy) || !busy.Time.Equal(start.Add(2*time.Second)) {
		t.Error("the event is not taken with its time")
	}
	if b.TakeEvent(h.Effects["1"], 2, &busy) {
		t.Error("the event is taken twice")
	}
	parent := replay.Branch{}
	b.IsLive = true
	b.ReportTo(&parent)
	if parent.IsLive {
		t.Error("the parent is live before its group has ended")
	}
	if parent.Join(); !parent.IsLive {
		t.Error("the parent of a live branch is replayed")
	}
}

func eventRecord(number int, address string, e *event.Event) journal.Record {
	r := record(number, journal.Event, address, string(e.Kind), "seq", "1")
	for _, f := range e.Fields() {
		r.Fields = append(r.Fields, journal.Field(f))
	}

	return r
}

func TestSpending(t *testing.T) {
	reply := &model.Reply{Usage: model.Usage{Input: 3, Output: 4, Cached: 1, Stored: 2, Estimated: true}, Cost: 9}
	twice := replay.Spending{}.Plus(reply).Plus(reply)
	r := journal.Record{Fields: twice.Fields(replay.PrefixFailed)}
	if got, err := replay.ReadSpending(&r, replay.PrefixFailed); err != nil || got != twice || got.Cost != 18 || got.Usage.Output != 8 {
		t.Errorf("%+v is read as %+v, %v", twice, got, err)
	}
	r = journal.Record{Fields: field.Optional("tokens_in", "many")}
	if _, err := replay.ReadSpending(&r, ""); err == nil {
		t.Error("a text is read as a number")
	}
}

// TestDiscardFrom: an effect is discarded with what followed it.
func TestDiscardFrom(t *testing.T) {
	j := journalOf(
		record(1, journal.Intent, "1", replay.KindNow), record(2, journal.Result, "1", replay.KindNow),
		record(3, journal.Intent, "2", replay.KindParallel), record(4, journal.Intent, "2.0.1", replay.KindNow),
		record(5, journal.Intent, "3", replay.KindNow),
	)
	h := replay.Read(j)
	h.DiscardFrom(j.Records, "2")
	var kept []string
	for i := range j.Records {
		if h.IsKept(&j.Records[i]) {
			kept = append(kept, j.Records[i].Address)
		}
	}
	if !slices.Equal(kept, []string{"1", "1"}) {
		t.Errorf("kept are %q", kept)
	}
}
