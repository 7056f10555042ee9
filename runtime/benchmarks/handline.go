package main

import (
	"fmt"
	"strings"
)

// byHand is the name of the machine of n states that is written by hand.
func (l line) byHand(n int) string { return fmt.Sprintf("hand-%s-%d", l.name, n) }

// handName is the function of that machine.
func (l line) handName(n int) string { return fmt.Sprintf("%s%d", goName(l.name), n) }

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

// handLine is one of these machines: a loop around a switch that runs the steps of a state and finds the one that follows, and a
// function for the steps of each state. Those are not inlined, as Go would do in a small switch and would not in a large one.
const handLine = `// %[1]s is a machine of %[2]d states.
func %[1]s(fx runtime.Effects, text string, _ ...rt.Place) (runtime.Finish, error) {
	r := workflow.Start(fx, "hand")
	if err := r.Begin(nil); err != nil {
		return runtime.Finish{}, err
	}
	value, err := walk%[1]s(&r, workflow.Text(text))
	if err != nil {
		return runtime.Finish{}, err
	}

	return runtime.Finish{Key: "last", Value: value.String()}, nil
}

func walk%[1]s(r *workflow.Run, input workflow.Value) (value workflow.Value, err error) {
	for state, steps := uint16(0), 0; state != %[2]d; steps++ {
		if steps == 10*%[2]d {
			return workflow.Value{}, errTooLong
		}
		switch state {
%[3]s		}
		if err != nil {
			return workflow.Value{}, err
		}
	}

	return value, nil
}

%[4]s`

// handLines is the Go of machines of these sizes, whose states have their names in maps.
func handLines(sizes []int) []byte {
	text := handHead
	for _, n := range sizes {
		text += fmt.Sprintf("var states%d = map[string]uint16{\n", n)
		for i := range n + 1 {
			text += fmt.Sprintf("\t\"state-%d\": %d,\n", i, i)
		}
		text += "}\n\n"
		for _, l := range lines {
			text += l.handMachine(n)
		}
	}

	return []byte(text)
}

// handMachine is the Go of a machine of n states.
func (l line) handMachine(n int) string {
	var cases, steps strings.Builder
	name := l.handName(n)
	for i := range n {
		next := strings.NewReplacer("NEXT", fmt.Sprint(i+1), "SIZE", fmt.Sprint(n)).Replace(l.handNext)
		fmt.Fprintf(&cases, "\t\tcase %d:\n\t\t\tvalue, err = step%dOf%s(r, input)\n\t\t\tstate = %s\n", i, i, name, next)
		body := strings.ReplaceAll(l.hand, "NEXT", fmt.Sprint(i+1))
		fmt.Fprintf(&steps, "//go:noinline\nfunc step%dOf%s(r *workflow.Run, input workflow.Value) (workflow.Value, error) {\n%s}\n\n", i, name, body)
	}

	return fmt.Sprintf(handLine, name, n, cases.String(), steps.String())
}
