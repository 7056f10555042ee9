package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// session writes lines to a server and reads its lines.
type session struct {
	*testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func open(t *testing.T, store string) *session {
	t.Helper()
	cmd := servedAs(t, store, "lead")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &session{t, cmd, in, bufio.NewReader(out)}
	s.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"nc","version":"1"}}}`, `"protocolVersion":"2025-06-18"`)
	s.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	return s
}

func (s *session) say(line string) {
	s.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.Fatal(err)
	}
}

// ask writes a line and reads one, which has to hold what is wanted.
func (s *session) ask(line, want string) {
	s.Helper()
	s.say(line)
	answer, err := s.out.ReadString('\n')
	if err != nil || !strings.Contains(answer, want) {
		s.Fatalf("%s\nis answered %s, %v\nand not %s", line, answer, err, want)
	}
}

// fire asks for a step.
func (s *session) fire(key, want string) {
	s.Helper()
	s.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fsm_transition","arguments":{"fsm_id":"delivery/a \"b\" #1",`+
		`"key":"`+key+`","agent_id":"lead","metadata_json":"{\"why\": \"<&>\"}"}}}`, want)
}

// Lines alone drive the machine. A server that is killed after a reply has lost nothing of it: the next goes on, step by step.
func TestKilledAfterEachStep(t *testing.T) {
	store := t.TempDir()
	for _, step := range []struct{ key, from, to string }{
		{"check", "intake", "checking"}, {"refuse", "checking", "failed"}, {"retry", "failed", "intake"}, {"check", "intake", "checking"},
		{"accept", "checking", "gathering"},
	} {
		s := open(t, store)
		s.fire("shipped", `\"ok\":false`)
		s.fire(step.key, `{\"ok\":true,\"fsmId\":\"delivery/a \\\"b\\\" #1\",\"transition\":{\"from\":\"`+step.from+`\",\"to\":\"`+step.to+
			`\"},\"blackboardWritten\":true`)
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.cmd.Wait()
	}
	s := open(t, store)
	s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"blackboard_read","arguments":{"key":"fsm:delivery/a \"b\" #1:state"}}}`,
		`\"value\":\"gathering\"`)
	s.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fsm_history","arguments":{"fsm_id":"delivery/a \"b\" #1"}}}`,
		`\"metadata\":{\"why\":`)
	s.end()
}

// end closes the input, at which the server ends by itself and in order.
func (s *session) end() {
	s.Helper()
	if err := s.in.Close(); err != nil {
		s.Fatal(err)
	}
	stuck := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer stuck.Stop()
	if err := s.cmd.Wait(); err != nil {
		s.Errorf("at the end of its input the server says %v", err)
	}
}

// The session of the page ends with the step that it asks for.
func TestSessionOfThePage(t *testing.T) {
	session, err := os.Open("session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	cmd := servedAs(t, t.TempDir(), "lead")
	cmd.Stdin = session
	out, err := cmd.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 2 || !strings.Contains(lines[1], `\"transition\":{\"from\":\"intake\",\"to\":\"checking\"}`) {
		t.Errorf("%s, %v", out, err)
	}
}

// The settings of the page are flags that the command has.
func TestClientOfThePage(t *testing.T) {
	text, err := os.ReadFile("client.json")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		MCPServers map[string]struct{ Args []string }
	}
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	args := config.MCPServers["delivery"].Args
	if len(args) != 7 || args[0] != "mcp" || args[1] != "--tokens" || args[3] != "--token-file" || args[5] != "--store" {
		t.Fatalf("the arguments are %q", args)
	}
	dir := t.TempDir()
	args[2], args[4] = filepath.Join(dir, "tokens.yaml"), filepath.Join(dir, "lead.token")
	for at, text := range map[string]string{args[2]: "lead=" + tokenOf("lead"), args[4]: tokenOf("lead")} {
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := served(t, dir, args[1:5]...)
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
}
