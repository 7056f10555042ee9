package diff

import (
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Run is an unfinished run that an engine can resume.
type Run struct {
	Name string `json:"run"`
	// Status is the status in which the last process left it, "interrupted" if it did not set one.
	Status string `json:"status"`
	// Path is the agent, and the last question or effect.
	Path    string   `json:"path"`
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
}

// AddRun adds a run by the records of its journal. It returns false for a run of another program
// and for a finished run.
func (r *Report) AddRun(name string, records []journal.Record) bool {
	run, ok := r.comparison.judgeRun(records)
	if !ok {
		return false
	}
	run.Name = name
	r.Runs = append(r.Runs, run)
	if run.Verdict == Stuck || run.Verdict == Depends {
		r.addWorse("run %s: %s", name, run.Verdict)
	}

	return true
}

// judgeRun decides whether a run can be resumed; ok is false if it is not an unfinished run of the
// older program.
func (c *comparison) judgeRun(records []journal.Record) (Run, bool) {
	run := Run{Status: "interrupted"}
	agent, shape, text, at := "", "", "", ""
	calls := map[string]int{}
	for i := range records {
		record := &records[i]
		get := record.Value
		switch record.Type {
		case journal.Begin:
			if get("program") != emit.ProgramName(c.before) {
				return run, false
			}
			agent, shape, text = get("agent"), get("shape"), get("text")
		case journal.Opened:
			shape, text, run.Status = get("shape"), get("text"), "interrupted"
		case journal.Intent:
			at = record.Name + " " + get("what")
			if record.Name == "model" {
				calls[get("what")]++
			}
		case journal.End:
			run.Status = record.Name
		}
	}
	if agent == "" || run.Status == "done" || run.Status == "failed" || run.Status == "cancelled" {
		return run, false
	}
	run.Path = agent
	if at != "" {
		run.Path += " > " + at
	}
	run.Verdict, run.Reasons = c.judgeLastProgram(agent, hashes{shape, text}, calls)

	return run, true
}

// judgeLastProgram judges a run whose last program had these hashes: before is its shape, after its
// text.
func (c *comparison) judgeLastProgram(agent string, last hashes, calls map[string]int) (Verdict, []string) {
	switch {
	case last == hashes{c.shape.before, c.text.before}:
		return c.judgeRuns(agent, calls)
	case last.before != c.shape.after:
		return Stuck, []string{"it was last run by a third version, whose shape differs from the newer one"}
	}

	return Depends, []string{"it was last run by a third version, whose shape equals the newer one"}
}
