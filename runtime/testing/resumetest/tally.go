package resumetest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// noted is what the observer received at an address, without its number.
type noted struct{ address, text string }

// tally is what a journal says was done.
type tally struct {
	// intents and results are how many each address has.
	intents, results map[string]int
	// events are those that were noted, without what differs between processes.
	events map[noted]int
	// ended reports whether a process has left the run with an error, after which effects that
	// failed are tried again.
	ended bool
}

func tallyOf(records []journal.Record) *tally {
	t := &tally{intents: map[string]int{}, results: map[string]int{}, events: map[noted]int{}}
	for i := range records {
		r := &records[i]
		switch r.Type {
		case journal.Intent:
			t.intents[r.Address]++
		case journal.Result:
			t.results[r.Address]++
		case journal.Event:
			if text := eventText(r); text != "" {
				t.events[noted{r.Address, text}]++
			}
		case journal.End:
			t.ended = t.ended || r.Name != "done"
		}
	}

	return t
}

// eventText is an event without its number; "" for what each process reports itself.
func eventText(r *journal.Record) string {
	if kind := eventkind.Of(r.Name); kind != nil && kind.Recording == eventkind.PerProcess {
		return ""
	}
	text := r.Name
	for _, field := range r.Fields {
		if field.Name != "seq" {
			text += fmt.Sprintf(" %s=%q", field.Name, field.Value)
		}
	}

	return text
}

// findRepeated returns what was done twice. before is what had been done when the run was
// interrupted, want what the run does without an interruption.
func (t *tally) findRepeated(before, want *tally) string {
	for _, address := range slices.Sorted(maps.Keys(t.results)) {
		if t.results[address] > 1 {
			return fmt.Sprintf("effect %s has %d results", address, t.results[address])
		}
		if before.results[address] > 0 && t.intents[address] > before.intents[address] {
			return fmt.Sprintf("effect %s had a result, and was begun again", address)
		}
	}
	for e, n := range t.events {
		// The events of an effect whose outcome is not known are sent again with it.
		if before.results[e.address] > 0 && n > want.events[e] {
			return fmt.Sprintf("%d times it was observed at %s: %s", n, e.address, e.text)
		}
	}

	return ""
}

// findDifference returns which effects have results here and not there, or the other way round.
func (t *tally) findDifference(want *tally) string {
	if address, ok := findMissing(t.results, want.results); ok {
		return fmt.Sprintf("effect %s was never done", address)
	}
	if address, ok := findMissing(want.results, t.results); ok {
		return fmt.Sprintf("effect %s was done, which the uninterrupted run does not do", address)
	}
	if e, ok := findMissing(t.events, want.events); ok {
		return fmt.Sprintf("it was never observed at %s: %s", e.address, e.text)
	}
	if e, ok := findMissing(want.events, t.events); ok {
		return fmt.Sprintf("it was observed at %s, and not by the uninterrupted run: %s", e.address, e.text)
	}

	return ""
}

// findMissing finds something that one tally has not counted, and the other has.
func findMissing[K comparable](counted, others map[K]int) (missing K, ok bool) {
	for k := range others {
		if counted[k] == 0 {
			return k, true
		}
	}

	return missing, false
}

// checkResume resumes a run that was interrupted behind those records, and returns what is wrong
// with the result.
func (c Case) checkResume(ctx context.Context, counts *Counts, records []journal.Record, whole outcome, want *tally) string {
	store, err := c.newStore()
	if err == nil {
		err = writeJournal(ctx, store, records)
	}
	if err != nil {
		return err.Error()
	}
	before := tallyOf(records)
	got := c.resumeRun(ctx, store, counts)
	counts.Resumed++
	if before.ended { // what has failed was tried again, with what a script has left
		return c.checkResumeAgain(ctx, store, counts, got)
	}
	if got.comparableText() != whole.comparableText() {
		return fmt.Sprintf("it ends with\n%s\nand not with\n%s", got.comparableText(), whole.comparableText())
	}
	j, err := journal.Read(ctx, store, runID)
	if err != nil {
		return err.Error()
	}
	after := tallyOf(j.Records)
	counts.Kept += len(before.results)
	counts.Done += len(after.results) - len(before.results)
	if problem := after.findRepeated(before, want); problem != "" {
		return problem
	}
	if problem := after.findDifference(want); problem != "" {
		return problem
	}
	if whole.err != nil {
		return ""
	}

	if problem := c.checkResumeAgain(ctx, store, counts, whole); problem != "" {
		return problem
	}
	last, err := journal.Read(ctx, store, runID)
	if err != nil {
		return err.Error()
	}
	if len(tallyOf(last.Records[len(j.Records):]).intents) > 0 {
		return "resumed once more, it does something"
	}

	return ""
}

// checkResumeAgain resumes a run that was left once more, which must reach the same.
func (c Case) checkResumeAgain(ctx context.Context, store journal.Store, counts *Counts, left outcome) string {
	if again := c.resumeRun(ctx, store, counts); again.comparableText() != left.comparableText() {
		return fmt.Sprintf("resumed once more it ends with\n%s\nand not with\n%s", again.comparableText(), left.comparableText())
	}

	return ""
}

// writeJournal makes a journal of the records.
func writeJournal(ctx context.Context, store journal.Store, records []journal.Record) error {
	w, err := journal.Create(ctx, store, runID, records[0])
	if err != nil {
		return err
	}
	for _, r := range records[1:] {
		w.Append(r)
	}

	return w.Close()
}
