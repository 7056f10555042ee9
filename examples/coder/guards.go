package main

import (
	"context"
	"slices"

	"github.com/agentc-dev/agentc/examples/coder/agents"
	"github.com/agentc-dev/agentc/runtime"
)

// retries is how often the agent may fix what it wrote after its first test.
const retries = 3

// passes reports whether the tests have passed, and nothing was changed since then.
func (w *workspace) passes() bool { return w.tested && len(w.problems) == 0 }

// TestsPass says no while a test fails.
func (w *workspace) TestsPass(context.Context, runtime.GuardInput[agents.ProposeDeletionInput]) (runtime.Verdict, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.passes() {
		return runtime.No("the tests fail"), nil
	}

	return runtime.Yes(), nil
}

// WasProposed compares the files of a call with those that were proposed.
func (w *workspace) WasProposed(_ context.Context, in runtime.GuardInput[agents.DeleteFilesInput]) (runtime.Verdict, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, path := range in.Data.Paths {
		if !slices.Contains(w.proposed, path) {
			return runtime.No("nobody has proposed to delete " + path), nil
		}
	}

	return runtime.Yes(), nil
}

// ReportIsTrue compares what the agent would finish with to what is so.
func (w *workspace) ReportIsTrue(_ context.Context, in runtime.GuardInput[agents.CoderOutput]) (runtime.Verdict, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case in.Data.Passed && !w.passes():
		return runtime.No("the tests do not pass"), nil
	case !in.Data.Passed && w.passes():
		return runtime.No("the tests pass"), nil
	case !in.Data.Passed && in.Visit <= retries:
		return runtime.No("there are retries left"), nil
	}

	return runtime.Yes(), nil
}
