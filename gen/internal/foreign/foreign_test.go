package foreign

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Each folder has one file of another system, at the place where that reads it or where people put it.
func TestInFolder(t *testing.T) {
	cases := []struct{ file, content, want string }{
		{".claude/agents/review.md", "---\nname: review\ndescription: Reviews.\n---\nReview.\n", "a subagent of Claude Code"},
		{".claude/skills/pdf/SKILL.md", "---\nname: pdf\n---\n", "a skill of Claude Code"},
		{".github/agents/review.agent.md", "---\ndescription: Reviews.\n---\n", "an agent of GitHub Copilot"},
		{".github/workflows/triage.md", "---\non: issues\n---\n", "a workflow of GitHub Agentic Workflows"},
		{".opencode/agent/review.md", "---\ndescription: Reviews.\n---\n", "an agent of opencode"},
		{"agents/review.md", "---\nname: review\ndescription: Reviews.\ntools: Read, Grep\n---\n", "a subagent of Claude Code"},
		{"agent.yaml", "version: \"2\"\nagents:\n  root:\n    model: openai/gpt-4o\n    instruction: Help.\n", "a team of docker-agent"},
		{"config/agents.yaml", "researcher:\n  role: R\n", "a list of CrewAI's agents"},
		{"src/trip/config/tasks.yaml", "plan:\n  description: D\n", "a list of CrewAI's tasks"},
		{"agents.yaml", "researcher:\n  role: R\n  goal: G\n  backstory: B\n", "a list of CrewAI's agents"},
		{"agents/research.md", "---\nrole: R\ngoal: G\nbackstory: B\nllm: gpt-4o\n---\nFind.\n", "an agent of CrewAI"},
		{"workflows/tune.json", `{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}`, "a state machine of AWS Step Functions"},
		{"tune.asl.json", "{}", "a state machine of AWS Step Functions"},
		{"machine.json", `{"id": "m", "initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}}`, "a machine of XState"},
		{"loan.scxml", "<scxml/>", "a machine in SCXML"},
		{"do.yaml", "document: {dsl: \"1.0.0\"}\ndo: []\n", "a workflow of Serverless Workflow"},
		{"langgraph.json", "{}", "the configuration of LangGraph"},
		{"recipe.yaml", "title: T\ninstructions: Do it.\n", "a recipe of Goose"},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			fsys := fstest.MapFS{c.file: {Data: []byte(c.content)}, "README.md": {Data: []byte("Read me.")}}
			file, format := FindInFolder(fsys)
			if format == nil || format.Name != c.want || file != c.file {
				t.Errorf("got %v in %q", format, file)
			}
		})
	}
}

func TestOtherFilesAreNotOfOtherSystems(t *testing.T) {
	for name, content := range map[string]string{
		"package.json":      `{"name": "x", "dependencies": {}}`,
		"compose.yaml":      "services: {a: {image: b}}\n",
		"agents/note.md":    "Just text.\n",
		"broken.yaml":       "a: [\n",
		"agents/own.md":     "---\nname: own\ndescription: D\npattern: react\nmodel: x\n---\n",
		"workflows/own.yml": "steps: []\non: x\njobs: y\n",
		"list.json":         "[1, 2]",
		"large.json":        `{"StartAt": "A", "States": {}, "x": "` + strings.Repeat("x", mostBytes) + `"}`,
	} {
		if file, format := FindInFolder(fstest.MapFS{name: {Data: []byte(content)}}); format != nil {
			t.Errorf("%s is %s", file, format.Name)
		}
	}
}

func TestFormatsSayWhatToDo(t *testing.T) {
	for _, f := range formats {
		if f.Name == "" || f.Advice == "" || len(f.files)+len(f.signs) == 0 {
			t.Errorf("%+v", f)
		}
	}
}
