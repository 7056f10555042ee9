package statemachine_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// BenchmarkRead reads workflows of several sizes: a machine with a step that asks an agent in each state, and two rows
// with a guard from it.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d-states", n), func(b *testing.B) {
			project := fstest.MapFS{"workflow.yaml": {Data: []byte(machineOf(n))}}
			b.ReportAllocs()
			for b.Loop() {
				if agents, _, list := read(b, project); list.Len() > 0 || len(agents) != 1 {
					b.Fatal(list.Sorted()[0].Message)
				}
			}
		})
	}
}

func machineOf(n int) string {
	var states, rows strings.Builder
	for i := range n {
		fmt.Fprintf(&states, "      s%d: [{name: a%d, uses: agents.writer, input: \"{{ previous_step }} {{ steps.a%d.text }}\"}]\n", i, i, (i+n-1)%n)
		fmt.Fprintf(&rows, "      - {from: s%d, on: success, to: s%d, when: output.last_output.score > 3}\n", i, (i+1)%n)
		fmt.Fprintf(&rows, "      - {from: s%d, on: failure, to: end, when: steps.a0.text != ''}\n", i)
	}

	return `agents:
  writer:
    model: "a:b"
    system_prompt: Write.
    output_schema: {type: object, properties: {text: {type: string}, score: {type: integer}}, required: [text, score]}
steps:
  - kind: StateMachine
    name: machine
    start_state: s0
    end_states: [end]
    states:
` + states.String() + "    transitions:\n" + rows.String()
}
