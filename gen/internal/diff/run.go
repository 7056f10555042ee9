package diff

import (
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Run is a run that has not ended, and that an engine can resume.
type Run struct {
	Name string `json:"run"`
	// Status is how the last process left it; interrupted if it did not.
	Status string `json:"status"`
	// Path is where it is: the agent, and the last question or effect.
	Path    string   `json:"path"`
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
}

// AddRun adds a run of the older program by the records of its journal. It returns false for a run
// that is none of it, or that has ended.
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

// judgeRun says whether a run can be resumed.
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

// judgeLastProgram judges a run that was last run by a program with two hashes, its shape and its text.
func (c *comparison) judgeLastProgram(agent string, of hashes, calls map[string]int) (Verdict, []string) {
	switch {
	case of == hashes{c.shape.before, c.text.before}:
		return c.judgeRuns(agent, calls)
	case of.before != c.shape.after:
		return Stuck, []string{"it was run by another version than the older one, of another shape than the newer one"}
	}

	return Depends, []string{"it was run by another version than the older one, of the same shape as the newer one"}
}
