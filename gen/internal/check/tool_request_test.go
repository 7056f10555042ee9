package check

import (
	"strings"
	"testing"
)

func TestFirstCall(t *testing.T) {
	tools := map[string]bool{
		"finish": true, "start": true, "read_skill": true, "http_get": true, "tama_http_get": true, "bash": true, "find": true,
	}
	// The name that is found is between marks; a line without marks asks for nothing.
	for _, marked := range []string{
		"Call |finish| with the complete draft.",
		"When done, call |finish|",
		"call\n|finish| at the end",
		"End by calling the |finish| tool.",
		"Use the |finish| tool.",
		"Call `|finish|` with your summary.",
		"Call **|finish|** with your summary.",
		"`|finish|(key=\"done\", value=\"\")`",
		"answer with |finish|('done', '...')",
		"|finish|(<key>, <value>), then finish(key)",
		"then |finish|()",
		"Do not stop. Call |finish|.",
		"If it is not good, call |finish|(key=\"retry\", value=\"why\").",
		"Never guess; always call |finish|.",
		"Call `|start|()` to receive your task.",
		"First |start|(), then finish().",
		"call |read_skill| for each skill",
		"|read_skill|(\"library\")",
		"Use |http_get| on the address.",
		"write it using the `|tama_http_get|` tool",
		"run |bash|(\"ls\")",
		"Call `|find|` with the title.",
		"use the |find| tool",

		"Finish the draft. Then call it a day.",
		"finish(ed) work, finish (and then rest), finish( ed)",
		"Start() is how Go programs do not begin, start(now) neither",
		"Call for a finish that satisfies; use finish coats of paint.",
		"server.finish() and t.start() and x.http_get(url)",
		"restart(), on_finish(), prefind(x), re-find(x), my_http_get(url)",
		"Don't call finish. Don’t use the http_get tool.",
		"Never ever try to use the `finish` tool, answer without calling finish(), and do not call start().",
		"Use bash scripts and find good examples.",
		"Call finish_line(x) when the race is over.",
		"Compare http_get and http_post.",
		"",
	} {
		prompt := strings.ReplaceAll(marked, "|", "")
		got := (&unit{toolCalls: map[string][]toolRequest{}}).firstToolRequest(prompt, func(tool string) bool { return tools[tool] })
		want := ""
		if parts := strings.Split(marked, "|"); len(parts) == 3 {
			want = parts[1]
			if got.start != len(parts[0]) {
				t.Errorf("%s: found at %d", marked, got.start)
			}
		}
		if got.tool != want || prompt[got.start:got.end] != want {
			t.Errorf("%s: found %q, want %q", marked, got.tool, want)
		}
	}
}
