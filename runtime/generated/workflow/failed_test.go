package workflow_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestFailedRunKeepsItsContext: beside its error the finish has the context as it was then, and
// nothing else.
func TestFailedRunKeepsItsContext(t *testing.T) {
	r := start(t, &door{}, `{"applicant": "Ann"}`)
	if err := r.SetContext(workflow.Int(7), "score"); err != nil {
		t.Fatal(err)
	}
	want := runtime.Finish{Context: `{"applicant":"Ann","score":7}`}
	if fin, err := r.Finish(workflow.Text("a value"), errFault); fin != want || !errors.Is(err, errFault) {
		t.Errorf("got %+v, %v", fin, err)
	}
	if fin, err := r.FinishMachine(workflow.Value{}, errFault); fin != want || !errors.Is(err, errFault) {
		t.Errorf("after a machine: %+v, %v", fin, err)
	}
}
