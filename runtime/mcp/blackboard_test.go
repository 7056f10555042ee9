package mcp_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/board"
)

func TestBlackboard(t *testing.T) {
	clock := newClock()
	c := connect(t, desk(t, "head", board.Options{Clock: clock.Now}), nil)

	c.want("blackboard_read", args{"key": "a b"}, args{"ok": true, "found": false, "value": nil})
	value := args{"text": `<"&'> `, "list": []any{1.5, nil, true}, "big": 12345678901234567.0}
	written := c.want("blackboard_write", args{"key": "a b", "value": value, "if_version": 0}, args{"ok": true})
	first := written["entry"].(map[string]any)
	if first["key"] != "a b" || first["identity"] != "head" || first["version"].(float64) < 1 {
		t.Errorf("the entry is %v", first)
	}
	c.want("blackboard_read", args{"key": "a b", "agent_id": "head"}, args{"found": true, "value": value})
	c.want("blackboard_exists", args{"key": "a b"}, args{"exists": true})

	c.want("blackboard_write", args{"key": "a b", "value": 2, "if_version": 0}, args{"ok": false, "errorType": "VersionError"})
	c.want("blackboard_write", args{"key": "a b", "value": nil, "if_version": first["version"]}, args{"ok": true})
	c.want("blackboard_read", args{"key": "a b"}, args{"found": true, "value": nil})
	c.want("blackboard_delete", args{"key": "a b", "if_version": first["version"]}, args{"ok": false, "errorType": "VersionError"})
	c.want("blackboard_delete", args{"key": "a b"}, args{"ok": true, "deleted": "a b"})
	c.want("blackboard_delete", args{"key": "a b"}, args{"ok": false, "errorType": "NotFoundError"})
	c.want("blackboard_exists", args{"key": "a b"}, args{"exists": false})

	c.want("blackboard_write", args{"key": "soon", "value": 1, "ttl": 1.5}, args{"ok": true})
	clock.pass(time.Second)
	c.want("blackboard_exists", args{"key": "soon"}, args{"exists": true})
	clock.pass(time.Second)
	c.want("blackboard_exists", args{"key": "soon"}, args{"exists": false})

	c.want("fsm_transition", fire("case/1", "open", "head"), args{"ok": true})
	for _, key := range []string{"fsm:case/1:state", "fsm:case/1:history", "fsm:other"} {
		c.want("blackboard_write", args{"key": key, "value": "archived"}, args{"ok": false, "errorType": "ReadOnlyError"})
		c.want("blackboard_delete", args{"key": key}, args{"ok": false, "errorType": "ReadOnlyError"})
	}
	c.want("blackboard_list", args{"prefix": "fsm:"}, args{"ok": true, "count": 2})
	c.want("blackboard_list", args{}, args{"ok": true, "count": 2})
}

func TestBlackboardRefuses(t *testing.T) {
	c := connect(t, desk(t, "head", board.Options{}), nil)
	for name, in := range map[string]args{
		"no key":          {"value": 1},
		"no value":        {"key": "a"},
		"a negative time": {"key": "a", "value": 1, "ttl": -1},
		"an endless time": {"key": "a", "value": 1, "ttl": 1e300},
		"a control":       {"key": "a\x00", "value": 1},
		"somebody else":   {"key": "a", "value": 1, "agent_id": "clerk"},
		"a misspelling":   {"key": "a", "valeu": 1},
	} {
		t.Run(name, func(t *testing.T) {
			(&visitor{TB: t, session: c.session}).want("blackboard_write", in, args{"ok": false})
		})
	}
	for _, tool := range []string{
		"blackboard_read", "blackboard_delete", "blackboard_exists", "fsm_state", "fsm_history", "fsm_snapshot", "fsm_ack",
	} {
		c.want(tool, args{}, args{"ok": false, "errorType": "ArgumentError"})
		c.want(tool, args{"key": "a", "fsm_id": "case"}, args{"ok": false})
	}
	c.want("blackboard_read", args{"key": "a", "agent_id": "clerk"}, args{"ok": false, "errorType": "IdentityError"})
	for tool, in := range map[string]args{
		"blackboard_write":  {"key": "a", "value": 1, "agent_id": "clerk"},
		"blackboard_delete": {"key": "a", "agent_id": "clerk"},
	} {
		if reply := c.want(tool, in, args{"ok": false, "errorType": "IdentityError"}); reply["head"] == nil {
			t.Errorf("%s by somebody else is not on the record: %v", tool, reply)
		}
	}
	c.want("blackboard_list", args{}, args{"count": 0})
}
