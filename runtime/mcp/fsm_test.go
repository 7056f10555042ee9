package mcp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/board"
)

func TestSteps(t *testing.T) {
	c := connect(t, desk(t, "head", board.Options{}), nil)

	c.want("fsm_state", args{"fsm_id": "case"}, args{
		"ok": true, "state": "new", "seq": 1, "valid": []string{"open", "archive"}, "begun": false,
	})
	opened := fire("case", "open", "head")
	opened["metadata_json"] = `{"a": "\"&<>"}`
	step := c.want("fsm_transition", opened, args{
		"ok": true, "fsmId": "case", "transition": args{"from": "new", "to": "opened"}, "blackboardWritten": true,
		"key": "open", "seq": 2, "enter": []string{"light-on"}, "exit": nil,
	})
	if head, _ := step["head"].(map[string]any); len(head["hash"].(string)) != 64 || head["seq"].(float64) < 1 {
		t.Errorf("the head is %v", step["head"])
	}
	c.want("fsm_transition", args{"fsm_id": "case", "new_state": "new", "agent_id": "head", "expected_seq": 2}, args{
		"ok": true, "transition": args{"from": "opened", "to": "new"}, "key": "close", "seq": 3, "exit": []string{"light-off"},
	})
	c.want("fsm_transition", fire("case", "open", "head"), args{"ok": true})
	c.want("fsm_transition", fire("case", "burn", "head"), args{
		"ok": true, "transition": args{"from": "opened", "to": nil}, "seq": 5,
	})
	c.want("fsm_state", args{"fsm_id": "case"}, args{"ok": true, "state": nil, "seq": 5, "valid": []string{}})
	c.want("fsm_snapshot", args{"fsm_id": "case"}, args{"ok": true, "fsmId": "case"})

	history := c.call("fsm_history", args{"fsm_id": "case"})["history"].([]any)
	if len(history) != 4 {
		t.Fatalf("%d steps: %v", len(history), history)
	}
	first := history[0].(map[string]any)
	if !holds(first, map[string]any{
		"from": "new", "to": "opened", "key": "open", "agent": "head", "identity": "head", "metadata": map[string]any{"a": `"&<>`},
	}) {
		t.Errorf("the first step is %v", first)
	}
	c.want("blackboard_read", args{"key": "fsm:case:state"}, args{"ok": true, "found": true, "value": nil})
}

// What is refused changes nothing, says why, and is told from what is made by isError.
func TestRefused(t *testing.T) {
	c := connect(t, desk(t, "clerk", board.Options{}), nil)
	large := `"` + strings.Repeat("x", 10<<20) + `"`
	tests := []struct {
		name   string
		in     args
		error  string
		fields args
	}{
		{"no machine", args{"new_state": "opened", "agent_id": "clerk"}, "fsm_id is required", args{"errorType": "ArgumentError"}},
		{"no state", args{"fsm_id": "case", "agent_id": "clerk"}, "new_state is required, or key", nil},
		{"no agent", args{"fsm_id": "case", "key": "open"}, "agent_id is required", nil},
		{"nothing", nil, "fsm_id is required", nil},
		{"both", args{"fsm_id": "case", "key": "open", "new_state": "opened", "agent_id": "clerk"}, "key and new_state are given", nil},
		{"an argument too many", args{"fsm_id": "case", "nw_state": "x"}, `there is no argument "nw_state"`, nil},
		{"a number", args{"fsm_id": 7}, "fsm_id must be a string, not number", nil},
		{"metadata that is not text", args{"fsm_id": "case", "metadata_json": args{}}, "metadata_json must be a string, not object",
			nil},
		{"metadata that is not JSON", args{"fsm_id": "case", "key": "open", "agent_id": "clerk", "metadata_json": "{"},
			"metadata_json must be valid JSON", nil},
		{"large metadata", args{"fsm_id": "case", "key": "open", "agent_id": "clerk", "metadata_json": large},
			"metadata is too large: it has 10485762 bytes", args{"errorType": "TooLargeError"}},
		{"an unknown machine", fire("cas", "open", "clerk"), `there is no machine "cas": there are case`,
			args{"errorType": "UnknownMachineError"}},
		{"an unknown key", fire("case", "opn", "clerk"), "opn",
			args{"errorType": "InvalidTransitionError", "state": "new", "valid": []string{"open", "archive"}}},
		{"an unknown state", args{"fsm_id": "case", "new_state": "DOES_NOT_EXIST", "agent_id": "clerk"}, "DOES_NOT_EXIST", nil},
		{"a state too far", args{"fsm_id": "case", "new_state": "archived2", "agent_id": "clerk"}, "archived2", nil},
		{"a stale number", args{"fsm_id": "case", "key": "open", "agent_id": "clerk", "expected_seq": 9}, "not 9",
			args{"errorType": "StaleError", "seq": 1}},
		{"a negative number", args{"fsm_id": "case", "key": "open", "agent_id": "clerk", "expected_seq": -1},
			"expected_seq must be a whole number that is not negative, not ", nil},
		{"not allowed", fire("case", "archive", "clerk"), `"clerk" may not fire key "archive"`,
			args{"errorType": "AccessError", "state": "new"}},
		{"somebody else", fire("case", "archive", "head"),
			`agent "head" is not whom the credential names: that is "clerk"`,
			args{"errorType": "IdentityError"}},
		{"a path", fire("../case", "open", "clerk"), `there is no machine "../case"`, nil},
		{"a line break", fire("case/a\nb", "open", "clerk"), "control character", nil},
		{"a long instance", args{"fsm_id": "case/" + strings.Repeat("x", 201), "key": "open", "agent_id": "clerk"}, "too large", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &visitor{TB: t, session: c.session}
			reply := c.want("fsm_transition", test.in, test.fields)
			if text, _ := reply["error"].(string); reply["ok"] != false || !strings.Contains(text, test.error) {
				t.Errorf("the error is %q, want %q", text, test.error)
			}
		})
	}
	c.want("fsm_state", args{"fsm_id": "case"}, args{"state": "new", "seq": 1, "begun": false})
}

// Without a credential only rules for everybody admit anybody, whatever they say they are; the record has what they said.
func TestNobody(t *testing.T) {
	c := connect(t, desk(t, "", board.Options{}), nil)
	c.want("fsm_transition", fire("case", "archive", "head"), args{"ok": false, "errorType": "AccessError"})
	c.want("fsm_transition", fire("case", "open", "head"), args{"ok": true})
	step := c.call("fsm_history", args{"fsm_id": "case"})["history"].([]any)[0].(map[string]any)
	if step["agent"] != "head" || step["identity"] != nil {
		t.Errorf("the step is %v", step)
	}
}

// Instances are what they are called, byte for byte.
func TestInstances(t *testing.T) {
	c := connect(t, desk(t, "", board.Options{Dir: t.TempDir()}), nil)
	for _, instance := range []string{"a b", "#1", "../../etc", `"'`, "🐝", "R&D;x", "a:b", "%2F", "a/b"} {
		id := "case/" + instance
		c.want("fsm_transition", fire(id, "open", "x"), args{"ok": true, "fsmId": id})
		c.want("fsm_transition", fire(id, "close", "x"), args{"ok": true, "seq": 3})
		c.want("blackboard_read", args{"key": "fsm:" + id + ":state"}, args{"ok": true, "value": "new"})
	}
	c.want("fsm_state", args{"fsm_id": "case"}, args{"state": "new", "seq": 1})
}

func TestTimers(t *testing.T) {
	clock := newClock()
	c := connect(t, desk(t, "", board.Options{Clock: clock.Now}), nil)
	c.want("fsm_transition", fire("case", "open", "x"), args{"ok": true})
	c.want("fsm_state", args{"fsm_id": "case"}, args{"state": "opened", "deadline": "2030-01-02T04:04:05Z"})
	clock.pass(time.Hour + time.Second)
	c.want("fsm_transition", fire("case", "close", "x"), args{
		"ok": false, "errorType": "InvalidTransitionError", "state": "archived",
	})
	c.want("fsm_state", args{"fsm_id": "case"}, args{"state": "archived", "seq": 3})
}
