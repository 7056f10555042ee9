package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// desk is a machine with a pattern in it: research runs itself, look-up for each of its questions, and reduce.
const desk = `flowchart TD
  subgraph n1["desk"]
    n2((" "))
    subgraph n3["research"]
      n4((" "))
      n5["research"]
      subgraph n6["for each item"]
        n7((" "))
        n8["look-up"]
      end
      n9["reduce"]
      n10(((" ")))
    end
    n11(("closed"))
  end
  n4 --> n5
  n5 -->|"parallel"| n6
  n5 -.->|"*"| n10
  n7 --> n8
  n6 --> n9
  n9 --> n10
  n2 --> n3
  n3 -->|"done"| n11
  class n6 groupNode
  class n10 endNode
  class n11 markerNode
  class n2,n4,n7 startNode
`

// workflow has a state with a step in it, and a machine of its own name.
const workflow = `flowchart TD
  subgraph n1["refund"]
    n2((" "))
    subgraph n3["refund"]
      n4((" "))
      subgraph n5["pay"]
        n6["pay (cashier)"]
      end
      n7(("paid"))
    end
    n8(((" ")))
  end
  n4 --> n5
  n5 -->|"success"| n7
  n2 --> n3
  n3 --> n8
  class n2,n4 startNode
  class n5 stateNode
  class n7 markerNode
  class n8 endNode
`

// path is what a run reached in the pictures, and by which edges.
func path(agent, picture string, records ...journal.Record) []string {
	begin := journal.Record{Type: journal.Begin, Name: "r", Fields: []journal.Field{{Name: "agent", Value: agent}}}
	r := &Run{Records: append([]journal.Record{begin}, records...), Agents: []compiled.Agent{{Name: agent, Graph: picture}, {Name: "look-up", Graph: "flowchart TD\n  n1[\"look-up\"]\n"}}}
	d := r.makeData(0)
	var reached []string
	for _, n := range d.Nodes[1:] {
		if n.Shape != "" {
			reached = append(reached, strings.ReplaceAll(strings.Join(append([]string{n.Shape}, n.Lines...), " "), "a0-", ""))
		}
	}
	if len(d.Pictures) != 1 {
		reached = append(reached, "more pictures")
	}

	return reached
}

// record is an event or, with an address, the beginning of an effect; pairs are its fields.
func record(kind journal.Type, address, name string, pairs ...string) journal.Record {
	r := journal.Record{Type: kind, Address: address, Name: name}
	for i := 0; i < len(pairs); i += 2 {
		r.Fields = append(r.Fields, journal.Field{Name: pairs[i], Value: pairs[i+1]})
	}

	return r
}

// TestPathOfPattern: what runs in a pattern that a machine contains is found in its frame, in branches, too.
func TestPathOfPattern(t *testing.T) {
	got := path("desk", desk,
		record(journal.Event, "", "enter", "agent", "desk", "machine", "desk", "state", "research"),
		record(journal.Intent, "1", "model", "what", "research"),
		record(journal.Event, "1", "finish", "agent", "research", "key", "parallel"),
		record(journal.Intent, "2.0.1", "model", "what", "look-up"),
		record(journal.Event, "2.0.1", "finish", "agent", "look-up", "key", "done"),
		record(journal.Intent, "2.1.1", "model", "what", "look-up"),
		record(journal.Intent, "3", "model", "what", "research/reduce"),
		record(journal.Event, "3", "finish", "agent", "research", "key", "done"),
		record(journal.Event, "", "transition", "agent", "desk", "machine", "desk", "from", "research", "key", "done", "to", "closed"))
	want := []string{"n3 e6", "n5 e0", "n8 e1 e3", "n8 e3", "n9 e4", "n10 e5", "n11 e7"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPathOfWorkflow: a step is found within its state, and the machine within the workflow of its name.
func TestPathOfWorkflow(t *testing.T) {
	got := path("refund", workflow,
		record(journal.Event, "", "enter", "agent", "refund", "machine", "refund", "state", "pay"),
		record(journal.Intent, "1", "model", "what", "cashier"),
		record(journal.Event, "1", "step", "agent", "refund", "name", "pay", "value", "paid"),
		record(journal.Event, "1", "transition", "agent", "refund", "machine", "refund", "from", "pay", "key", "success", "to", "paid"),
		record(journal.Event, "1", "step", "agent", "refund", "name", "refund", "value", "paid"),
		record(journal.Event, "1", "finish", "agent", "refund", "key", "paid"))
	want := []string{"n5 e2 e0", "n6", "n7 e1", "n3", "n8 e3"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
