package playground

import (
	"os"
	"strings"
	"testing"
)

// critic are the sources of examples/smart-critic.
func critic(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, path := range []string{
		"agentc.yaml", "script.yaml", "agents/smart-critic/AGENT.md", "agents/draft/AGENT.md", "agents/critique/AGENT.md", "agents/refine/AGENT.md",
	} {
		text, err := os.ReadFile("../../../examples/smart-critic/" + path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}

	return files
}

func TestReply(t *testing.T) {
	const (
		machine = "agents/smart-critic/AGENT.md"
		refine  = "agents/refine/AGENT.md"
	)
	for name, c := range map[string]struct {
		path, old, new string
		// want are parts of the answer: of the diagnostics, or of the run if there are none.
		want []string
	}{
		"as it is": {"", "", "", []string{
			"draft: tool start\n", "smart-critic: draft --needs-work--> critique\nsmart-critic: critique --> refine\n", "smart-critic: refine --good-enough--> done\n\nSilent compiler",
		}},
		"a wrong name":    {machine, "critique: refine", "critique: refin", []string{`state "refin" is not defined`, `did you mean "refine"?`}},
		"no YAML":         {machine, "states:", "states: [", []string{"error: "}},
		"a catch-all":     {machine, "    - needs-work: critique # another round", `    - "*": ~`, []string{"smart-critic: refine --needs-work--> end\n"}},
		"a last agent":    {machine, "  done: ~", "  done: draft", []string{`error: `}},
		"a short script":  {"script.yaml", "  - finish: {key: good-enough", "  - finish: {key: needs-work", []string{"failed: "}},
		"guards":          {machine, "    - needs-work: critique # another round", "    - needs-work: critique\n      when: visits.refine < 3\n    - needs-work: done", []string{"has guards"}},
		"a schema":        {refine, "pattern: react", "pattern: react\noutput: {type: object}", []string{"refine has skills, a gate or a schema, which is not supported here"}},
		"another model":   {"agentc.yaml", `"script:script.yaml"`, "openai:gpt-5-mini", []string{"failed: "}},
		"no entry point":  {"agentc.yaml", "entrypoint: smart-critic", "", []string{"Silent compiler"}},
		"script as title": {machine, "name: smart-critic", "name: </script><img src=x onerror=alert(1)>", []string{"error: "}},
	} {
		t.Run(name, func(t *testing.T) {
			files := critic(t)
			if files[c.path] != "" {
				if !strings.Contains(files[c.path], c.old) {
					t.Fatalf("%s has no %q", c.path, c.old)
				}
				files[c.path] = strings.Replace(files[c.path], c.old, c.new, 1)
			}
			answer, err := Reply(t.Context(), Request{Files: files, Run: true, Task: "a haiku"})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range c.want {
				if !strings.Contains(answer.Diagnostics+answer.Run, part) {
					t.Errorf("no %q in:\n%s%s", part, answer.Diagnostics, answer.Run)
				}
			}
			if !strings.HasPrefix(answer.Picture, "<svg ") || strings.Contains(answer.Picture, "<img") {
				t.Errorf("the picture is %.200s", answer.Picture)
			}
		})
	}
}

func TestReplyWithoutFiles(t *testing.T) {
	answer, err := Reply(t.Context(), Request{Run: true})
	if err != nil || answer.Picture != "" || !strings.HasPrefix(answer.Run, "there is no entry point") {
		t.Errorf("%+v, %v", answer, err)
	}
}
