package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// records makes a journal line by line, a second each.
type records struct {
	all []journal.Record
	now time.Time
}

func newRecords(run string) *records {
	r := &records{now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)}
	r.add(journal.Begin, "", run, "program", "desk", "agent", "desk", "input", "My order A-7 came twice.", "shape", "s", "text", "t")

	return r
}

func (r *records) add(kind journal.Type, address, name string, pairs ...string) {
	r.now = r.now.Add(time.Second)
	record := journal.Record{Type: kind, Time: r.now, Address: address, Name: name}
	for i := 0; i < len(pairs); i += 2 {
		record.Fields = append(record.Fields, journal.Field{Name: pairs[i], Value: pairs[i+1]})
	}
	r.all = append(r.all, record)
}

func (r *records) effect(address, kind, what, args string, result ...string) {
	r.add(journal.Intent, address, kind, "what", what, "args", args)
	r.add(journal.Result, address, kind, result...)
}

func (r *records) enter(state, visit string) {
	r.add(journal.Event, "", "enter", "agent", "desk", "machine", "desk", "state", state, "visit", visit)
}

func (r *records) transition(from, key, to, guards string) {
	r.add(journal.Event, "", "transition", "agent", "desk", "machine", "desk", "from", from, "key", key, "to", to, "matched", "exact", "guards", guards)
}

// picture is the machine of the sample runs.
const picture = `flowchart TD
  subgraph n1["desk"]
    n2((" "))
    n3["triage"]
    n4[/"approve"/]
    n5(["refund"])
    n6(("closed"))
  end
  n2 --> n3
  n3 -->|"refund #91;amount #62; 0#93;"| n4
  n3 -->|"refuse"| n6
  n4 -->|"yes"| n5
  n4 -->|"no"| n3
  classDef agentNode fill:#dbeafe
  class n3 agentNode
  classDef personNode fill:#dbeafe
  class n4 personNode
  classDef terminalNode fill:#dbeafe
  class n5 terminalNode
  classDef markerNode fill:#dbeafe
  class n6 markerNode
  classDef startNode fill:#dbeafe
  class n2 startNode
`

// sample is a run with one of everything, as a page shows it.
func sample(run, answer string) *page.Run {
	r := newRecords(run)
	r.enter("triage", "1")
	r.effect("1", "model", "triage", "", "text", "", "calls", `[{"name":"find_order","args":"{\"id\":\"A-7\"}"}]`, "model", "openai:gpt-5-mini", "tokens_in", "412", "tokens_out", "31", "cost", "2140", "stop", "tool_calls")
	r.effect("2", "tool", "find_order", `{"id":"A-7"}`, "text", `{"id":"A-7","cents":1999,"charged":2}`, "json", "true")
	r.add(journal.Intent, "3", "model", "what", "triage")
	r.add(journal.Event, "3", "retry", "seq", "4", "attempt", "1", "error", "429 slow down", "wait", "2s")
	r.add(journal.Result, "3", "model", "text", "The order was charged twice.", "model", "openai:gpt-5-mini", "tokens_in", "498", "tokens_out", "18", "cost", "2530", "stop", "stop",
		"carry", `anthropic:{"anthropic":[{"type":"thinking","thinking":"Two charges for one order: pay one back.","signature":"s"},"The order was charged twice."]}`)
	r.add(journal.Event, "3", "finish", "agent", "triage", "key", "refund", "value", "The order was charged twice.")
	r.transition("triage", "refund", "approve", `[{"guard":"amount > 0","ok":true,"reason":"amount is 1999"}]`)
	r.enter("approve", "1")
	r.add(journal.Intent, "4", "ask", "what", "approve", "args", `{"agent":"approve","prompt":"Pay 1999 cents back for order A-7?","choices":["yes","no"],"channel":"email"}`)
	r.add(journal.End, "", "paused")
	r.now = r.now.Add(50 * time.Hour)
	r.add(journal.Answer, "4", "approve", "value", answer, "by", "ada")
	r.add(journal.Opened, "", "", "shape", "s", "text", "t")
	r.add(journal.Event, "4", "resume", "seq", "9")
	r.add(journal.Result, "4", "ask", "value", answer, "by", "ada")
	r.add(journal.Event, "4", "finish", "agent", "approve", "key", answer, "value", answer)
	if answer != "yes" {
		r.transition("approve", answer, "triage", "[]")
		r.enter("triage", "2")
		r.effect("5", "model", "triage", "", "text", "Refused.", "model", "openai:gpt-5-mini", "tokens_in", "600", "tokens_out", "9")
		r.transition("triage", "refuse", "closed", "[]")
		r.add(journal.End, "", "done", "key", "refuse", "value", "Refused.")
	} else {
		r.transition("approve", "yes", "refund", "[]")
		r.enter("refund", "1")
		r.effect("5", "tool", "mem_set", `{"key":"paid","value":"A-7"}`, "text", "ok", "memory", "true")
		r.add(journal.Event, "5", "step", "agent", "refund", "name", "amount", "value", "1999")
		r.effect("6", "tool", "pay_back", `{"order":"A-7","cents":1999}`, "problem", "the bank is closed", "error_type", "ToolError", "error", "the bank is closed")
		r.effect("7", "tool", "pay_back", `{"order":"A-7","cents":1999}`, "text", "paid")
		r.add(journal.End, "", "done", "key", "paid", "value", "Paid 1999 cents back.")
	}

	return &page.Run{Records: r.all, Agents: []compiled.Agent{{Name: "desk", Graph: picture}}, Turns: turns(run), Text: "run " + run + ": done"}
}

func turns(run string) []page.Turn {
	all := page.Run{ID: run}
	messages := []model.Message{{Role: model.RoleUser, Text: "My order A-7 came twice."}}
	request := &model.Request{
		Agent: "triage", Model: &model.Choice{Name: "openai:gpt-5-mini"}, System: "You work at a help desk.\nBe kind.", Messages: messages,
		Tools: []model.Tool{{Name: "find_order", Description: "Finds an order.", Schema: `{"type":"object"}`}},
	}
	all.AddTurn("1", request)
	again := *request
	again.Messages = append(messages,
		model.Message{Role: model.RoleAssistant, Calls: []model.ToolCall{{ID: "c1", Name: "find_order", Args: `{"id":"A-7"}`}}},
		model.Message{Role: model.RoleTool, Text: `{"id":"A-7","cents":1999,"charged":2}`, CallID: "c1", Name: "find_order"})
	all.AddTurn("3", &again)

	return all.Turns
}

// large is a run of so many effects.
func large(effects int) *page.Run {
	r := newRecords("large")
	for i := range effects {
		if i%500 == 0 {
			r.enter("state "+strconv.Itoa(i/500), "1")
		}
		address := strconv.Itoa(i + 1)
		if i%2 == 0 {
			r.effect(address, "model", "worker", "", "text", fmt.Sprintf("The answer number %d, with words around it.", i), "model", "openai:gpt-5-mini", "tokens_in", "400", "tokens_out", "31", "cost", "210")
		} else {
			r.effect(address, "tool", "look_up", fmt.Sprintf(`{"id":%d,"why":"to see how long lists are drawn"}`, i), "text", strings.Repeat("found ", 8))
		}
	}
	r.add(journal.End, "", "done", "value", "all")

	return &page.Run{Records: r.all, Text: "large"}
}

// write writes a page into a file of its own, and returns its address.
func write(t *testing.T, p *page.Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	return "file://" + path
}
