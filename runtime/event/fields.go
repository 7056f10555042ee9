package event

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Field is a field of an event as it is recorded: what the line of `--json` has, with numbers and booleans as text,
// and tokens, guards and choices as JSON.
type Field struct{ Name, Value string }

// Event returns the event of the kind whose [Event.Fields] are read by get, which returns "" for a field that does not
// exist.
func (kind Kind) Event(get func(name string) string) Event {
	e := Event{Kind: kind, Agent: get("agent")}
	isTrue := func(name string) bool { return get(name) == "true" }
	switch kind {
	case Run:
		e.Name, e.Shape, e.Text, e.Value = get("program"), get("shape"), get("text"), get("input")
	case Enter:
		e.Machine, e.State, e.Visit = get("machine"), get("state"), numberOf(get("visit"))
	case Transition:
		e.Machine, e.State, e.Key, e.To = get("machine"), get("from"), get("key"), get("to")
		e.Matched, e.Visit, e.Guards = get("matched"), numberOf(get("visit")), guardsOf(get("guards"))
	case Model:
		e.Role, e.Name, e.Reason, e.Problem = get("role"), get("model"), get("finish_reason"), get("error")
		e.Usage, e.Cost = usageOf(get("tokens")), microOf(get("cost"))
	case Delta:
		e.Text = get("text")
	case Tool:
		e.Name, e.Args, e.Problem, e.Text = get("name"), get("args"), get("error"), get("result")
	case Step:
		e.Name, e.Value, e.JSON = get("name"), get("value"), isTrue("json")
	case Finish:
		e.Key, e.Value, e.JSON, e.Synthetic = get("key"), get("value"), isTrue("json"), isTrue("synthetic")
	default:
		rareEventOf(&e, get)
	}

	return e
}

func rareEventOf(e *Event, get func(name string) string) {
	switch e.Kind {
	case Repair:
		e.Problem = get("problem")
	case Retry:
		e.Count, e.Problem, e.Name = numberOf(get("attempt")), get("error"), get("model")
		e.Wait, _ = time.ParseDuration(get("wait"))
	case Budget:
		e.Name, e.Text = get("limit"), get("spent")
	case Pause:
		e.Name, e.Text, e.Channel = get("question"), get("prompt"), get("channel")
		_ = json.Unmarshal([]byte(get("choices")), &e.Choices) // what cannot be read is not there
		_ = json.Unmarshal([]byte(get("effect")), &e.Effect)
		e.Schema, e.Example = get("schema"), get("example")
	case Answer:
		e.Name, e.Value = get("question"), get("value")
	case Resume:
		e.Text, e.Shape, e.Problem = get("text"), get("shape"), get("problem")
	case Error:
		e.Type, e.Problem = get("type"), get("message")
	case End:
		e.Status, e.Key, e.Value, e.JSON = get("status"), get("key"), get("value"), get("json") == "true"
		e.Context = get("context")
		e.Count, e.Usage = numberOf(get("steps")), usageOf(get("tokens"))
	}
}

func numberOf(text string) int {
	n, _ := strconv.Atoi(text)

	return n
}

func usageOf(text string) (u model.Usage) {
	_ = json.Unmarshal([]byte(text), &u) // what cannot be read is zero

	return u
}

// microOf reads a number of dollars as millionths of one.
func microOf(text string) int64 {
	whole, part, _ := strings.Cut(text, ".")
	micro, err := strconv.ParseInt(whole+(part + "000000")[:6], 10, 64)
	if err != nil {
		return 0
	}

	return micro
}

func guardsOf(text string) []Guard {
	var read []struct {
		Guard  string
		OK     bool
		Reason string
	}
	if json.Unmarshal([]byte(text), &read) != nil {
		return nil
	}
	guards := make([]Guard, len(read))
	for i, g := range read {
		guards[i] = Guard{Name: g.Guard, OK: g.OK, Reason: g.Reason}
	}

	return guards
}
