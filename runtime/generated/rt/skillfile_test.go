package rt_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// TestSkillFiles: a model reads the files of a skill that it has read, and nothing else.
func TestSkillFiles(t *testing.T) {
	long := strings.Repeat("a line of the reference\n", 2000)
	spec := &rt.ReactSpec{Agent: "a", MaxIter: 50, Skills: []*rt.SkillSpec{
		{Name: "pdf", Body: "How.", Base64: []string{"font.ttf"}, Files: map[string]string{
			"forms.md": "FORMS", "references/long.md": long, "empty.txt": "", "font.ttf": "AAECAw==",
		}},
		{Name: "xls", Body: "Else.", Files: map[string]string{"secret.md": "SECRET"}},
		{Name: "none", Body: "Nothing."},
	}}
	fx := &asked{Effects: simulate.NewWith(t, `{}`, engine.Options{Partial: true})}
	steps := []struct{ tool, args, want string }{
		{"read_skill_file", `{"name":"pdf","path":"forms.md"}`, `Error: There is no tool "read_skill_file". You can call start, finish, read_skill.`},
		{"read_skill", `{"name":"none"}`, "# none\n\nNothing."},
		{"read_skill", `{"name":"pdf"}`, "# pdf\n\nHow.\n\n## Files\n\nread_skill_file with the name \"pdf\" and one of these paths returns a file:\n\n" +
			"- empty.txt\n- font.ttf\n- forms.md\n- references/long.md"},
		{"read_skill_file", `{"name":"pdf","path":"forms.md"}`, "FORMS"},
		{"read_skill_file", `{"name":"pdf","path":"./references/../forms.md"}`, "FORMS"},
		{"read_skill_file", `{"name":"pdf","path":"empty.txt"}`, "\n\n[The file is empty.]"},
		{"read_skill_file", `{"name":"pdf","path":"font.ttf"}`, "AAECAw==\n\n[The file is not text: these are its bytes in Base64.]"},
		{"read_skill_file", `{"name":"pdf","path":"../xls/secret.md"}`,
			`Error: The skill "pdf" has no file "../xls/secret.md". Its files are "empty.txt", "font.ttf", "forms.md", "references/long.md".`},
		{"read_skill_file", `{"name":"pdf","path":"/etc/passwd"}`,
			`Error: The skill "pdf" has no file "/etc/passwd". Its files are "empty.txt", "font.ttf", "forms.md", "references/long.md".`},
		{"read_skill_file", `{"name":"xls","path":"secret.md"}`, `Error: The skill "xls" has not been read: call read_skill with its name first.`},
		{"read_skill_file", `{"name":"none","path":"a"}`, `Error: The skill "none" has no file "a". It has none.`},
		{"read_skill_file", `{"name":"other","path":"a"}`, `Error: There is no skill "other".`},
		{"read_skill_file", `{"path":"a"}`, `Error: read_skill_file takes {"name": a skill's name, "path": the path of a file}.`},
		{"read_skill_file", `no JSON`, `Error: read_skill_file takes {"name": a skill's name, "path": the path of a file}.`},
		{"read_skill_file", `{"name":"pdf","path":"references/long.md"}`, long[:19992] +
			"\n\n[These are the first 19992 of 48000 bytes. read_result with {\"id\":\"r1\",\"from\":19992} returns what follows.]"},
		{"read_result", `{"id":"r1","from":47976}`, "a line of the reference\n\n\n[These are the bytes from 47976 up to 48000 of 48000, which is the end.]"},
	}
	n := 0
	fx.reply = func(request *model.Request) (model.Reply, error) {
		if n > 0 {
			if got := lastText(request); got != steps[n-1].want {
				t.Errorf("%s(%s): %q, not %q", steps[n-1].tool, steps[n-1].args, got, steps[n-1].want)
			}
		}
		if n == len(steps) {
			return finishWith("read")
		}
		n++

		return callOf(steps[n-1].tool, steps[n-1].args)
	}
	if _, err := spec.Run(fx, nil, "", rt.Place{}); err != nil {
		t.Fatal(err)
	}
}
