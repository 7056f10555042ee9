package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestArgumentsAreTakenAsTheyAre: what encoding/json would take for something else, or change, is refused, so that no two ids become
// one and nobody who reads along sees another argument.
func TestArgumentsAreTakenAsTheyAre(t *testing.T) {
	w := newWire(t)
	w.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"x","version":"1"}}}`)
	w.hear(`{"id":0}`)
	for arguments, want := range map[string]string{
		`{"fsm_id":"case/a","fsm_id":"case/b"}`:         `fsm_id is there twice`,
		`{"FSM_ID":"case/a"}`:                           `there is no argument "FSM_ID"`,
		`{"fsm_id":"case/a","Fsm_id":"case/b"}`:         `there is no argument "Fsm_id"`,
		`{"fsm_id":"case/\ud800"}`:                      `fsm_id is not text`,
		`{"fsm_id":"case/\uDC00\ud800"}`:                `fsm_id is not text`,
		`{"fsm_id":"case/\ud83d\u0041"}`:                `fsm_id is not text`,
		`{"fsm_id":"case/\ud83d\\ude00"}`:               `fsm_id is not text`,
		"{\"fsm_id\":\"case/\xff\"}":                    `fsm_id is not text`,
		`{"fsm_id":"case/\ud83d\uDE00 \\ud800 \ufffd"}`: "",
		`{"fsm_id":"case/\\\\"}`:                        "",
	} {
		w.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fsm_state","arguments":` + arguments + `}}`)
		line, err := w.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var reply struct {
			Result struct {
				Structured struct {
					OK    bool   `json:"ok"`
					Error string `json:"error"`
				} `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil {
			t.Fatal(err)
		}
		if got := reply.Result.Structured; got.OK != (want == "") || !strings.HasPrefix(got.Error, want) {
			t.Errorf("%s: heard %s, want %s", arguments, line, want)
		}
	}
}
