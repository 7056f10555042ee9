package command

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// withServer is a project in a bare folder with a skill whose tools a command has.
func withServer(command ...string) string {
	var words []string
	for _, word := range command {
		words = append(words, strconv.Quote(word))
	}

	return `
-- agents/clerk/AGENT.md --
---
name: clerk
description: Improves letters.
version: "1"
pattern: react
call: {uses: [desk]}
---

Improve the letter, then finish.
-- skills/desk/SKILL.md --
---
name: desk
description: Improves texts.
tools:
  - mcp: {command: [` + strings.Join(words, ", ") + `], tools: [agent_draft]}
---

Call agent_draft with the text.
`
}

// desk builds an MCP server: the critic, whose agents are tools.
func desk(t *testing.T, binary, description string) {
	t.Helper()
	dir := unpack(t, t.TempDir(), strings.Replace(critic, "description: Writes.", "description: "+description, 1), withMCP)
	agentc(dir, "", "build", "-o", binary).want(t, cli.Done, "", " for ")
}

// What a server offers is pinned, and a project compiles with that; a pin that changes nothing says
// so, one that would change something is told by --check, and nothing but the command itself writes
// the file.
func TestPin(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds an MCP server twice, and the program that asks it")
	}
	server := filepath.Join(t.TempDir(), "desk.exe")
	desk(t, server, "Writes.")
	dir := unpack(t, t.TempDir(), withServer(server, "mcp", "--store", "none"))
	lock := filepath.Join(dir, "agentc.lock")
	agentc(dir, "", "check").want(t, cli.Problem, `server "desk" is not pinned`, "1 error")

	agentc(dir, "", "mcp", "pin", "--check").want(t, cli.Problem, "", "--- /dev/null\n+++ agentc.lock\n", `+          "name": "agent_draft",`)
	if fileExists(lock) {
		t.Error("--check has written the file")
	}
	agentc(dir, "", "mcp", "pin").want(t, cli.Done, "", "Writes.", "agentc.lock: 1 server, ")
	first := read(t, lock)
	for _, args := range [][]string{{"mcp", "pin"}, {"mcp", "pin", "--check"}} {
		again := agentc(dir, "", args...)
		again.want(t, cli.Done, "", "agentc.lock: 1 server, ", ", unchanged\n")
		if strings.Contains(again.stderr, "@@") || read(t, lock) != first {
			t.Errorf("%s changes something:\n%s", args, again.stderr)
		}
	}
	agentc(dir, "", "check", "--strict").want(t, cli.Done, "")

	desk(t, server, "Writes and mails.")
	drifted := agentc(dir, "", "mcp", "pin", "--check", dir)
	drifted.want(t, cli.Problem, "", "-          \"description\": \"Run the react agent draft and wait for its result. Writes.\"",
		"+          \"description\": \"Run the react agent draft and wait for its result. Writes and mails.\"")
	if read(t, lock) != first {
		t.Error("--check has written the file")
	}
	agentc(filepath.Dir(dir), "", "mcp", "pin", dir).want(t, cli.Done, "", "agentc.lock: 1 server, ")
	if second := read(t, lock); second == first || !strings.Contains(second, "Writes and mails.") {
		t.Errorf("the pin is\n%s", second)
	}
}

// A server that cannot be asked leaves what is pinned of it as it is, and is named with what is
// wrong.
func TestPinOfNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program that asks servers")
	}
	dir := unpack(t, t.TempDir(), withServer("no-such-desk"), "-- agentc.lock --\n{\"format\": 1, \"servers\": {}}\n")
	before := tree(t, dir)
	agentc(dir, "", "mcp", "pin").want(t, cli.Problem, "", `MCP server "desk"`, "no-such-desk")
	sameTree(t, before, tree(t, dir))
}

// A project without servers needs no file: none is written, and one that is there goes.
func TestPinWithoutServers(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	before := tree(t, dir)
	agentc(dir, "", "mcp", "pin", "--check").want(t, cli.Done, "", "agentc.lock: 0 servers, 0 tools, unchanged\n")
	agentc(dir, "", "mcp", "pin").want(t, cli.Done, "", "agentc.lock: 0 servers, 0 tools, unchanged\n")
	sameTree(t, before, tree(t, dir))

	unpack(t, dir, "-- agentc.lock --\n"+
		`{"format": 1, "servers": {"gone": {"command": ["gone"], "protocol": "2025-11-25", "tools": []}}}`+"\n")
	agentc(dir, "", "mcp", "pin", "--check").want(t, cli.Problem, "", "--- agentc.lock\n+++ /dev/null\n")
	agentc(dir, "", "mcp", "pin").want(t, cli.Done, "", `-{"format": 1,`)
	sameTree(t, before, tree(t, dir))
}

// What cannot be meant is told as that, before anything is built.
func TestPinMisused(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	agentc(dir, "", "mcp").want(t, cli.Usage, "", "mcp has one command: agentc mcp pin")
	agentc(dir, "", "mcp", "pni").want(t, cli.Usage, "", `mcp has one command: agentc mcp pin (did you mean "pin"?)`)
	if fileExists(filepath.Join(dir, "agentc.lock")) {
		t.Error("a file was written")
	}
	unpack(t, dir, "-- skills/desk/SKILL.md --\n---\nname: desk\ndescription: Improves.\ntools:\n  - mcp: {comand: [desk]}\n---\n\nImprove.\n")
	agentc(dir, "", "mcp", "pin").want(t, cli.Problem, "", `unknown field "comand"`)
}
