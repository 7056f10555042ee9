package main

import (
	"fmt"
	"strings"
)

// byHand is the name of the machine of n states that is written by hand.
func byHand(n int) string { return fmt.Sprintf("hand-%d", n) }

// handHead begins the package of machines written by hand. They run the steps that generated code runs, on the same Run, and keep
// to a bound; rows, events and errors of machines they do not know.
const handHead = `// Package hand has linear machines as one writes them by hand.
package hand

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

var errTooLong = errors.New("the machine does not come to its end")

`

// handLine is one of these machines: a loop around a switch that runs the steps of a state and says which one follows, and a
// function for the steps of each state. Those are not inlined, as Go would do in a small switch and would not in a large one.
const handLine = `// Run%[1]d is a machine of %[1]d states.
func Run%[1]d(fx runtime.Effects, text string, _ ...rt.Place) (runtime.Finish, error) {
	r := workflow.Start(fx, "hand")
	if err := r.Begin(nil); err != nil {
		return runtime.Finish{}, err
	}
	value, err := walk%[1]d(&r, workflow.Text(text))
	if err != nil {
		return runtime.Finish{}, err
	}

	return runtime.Finish{Key: "last", Value: value.String()}, nil
}

func walk%[1]d(r *workflow.Run, input workflow.Value) (value workflow.Value, err error) {
	for state, steps := uint16(0), 0; state != %[1]d; steps++ {
		if steps == 10*%[1]d {
			return workflow.Value{}, errTooLong
		}
		switch state {
%[2]s		}
		if err != nil {
			return workflow.Value{}, err
		}
	}

	return value, nil
}

%[3]s`

// handLines is the Go of machines of these sizes, and of one without a hop: what a run takes beside its hops.
func handLines(sizes []int) []byte {
	text := handHead
	for _, n := range append([]int{0}, sizes...) {
		var cases, steps strings.Builder
		for i := range n {
			fmt.Fprintf(&cases, "\t\tcase %d:\n\t\t\tvalue, err = step%dOf%d(r, input)\n\t\t\tstate = %d\n", i, i, n, i+1)
			fmt.Fprintf(&steps, "//go:noinline\nfunc step%dOf%d(r *workflow.Run, input workflow.Value) (workflow.Value, error) {\n"+
				"\tr.RecordOutput(\"pass\", input)\n\n\treturn input, nil\n}\n\n", i, n)
		}
		text += fmt.Sprintf(handLine, n, cases.String(), steps.String())
	}

	return []byte(text)
}
