package command

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// The command lines that a pause names are typed as they are, until the run is done. Runs are kept
// in the project, which is written to nowhere else; --store and AGENTC_STORE are below the working
// directory.
func TestCommandsOnRuns(t *testing.T) {
	answers := strings.Replace(clerkScript, "ask:\n  pay_back: [yes]\n", "tools:\n  find_order: [{result: order}]\n  pay_back: [{result: ok}]\n", 1)
	t.Setenv("AGENTC_STORE", "")
	dir := t.TempDir()
	unpack(t, filepath.Join(dir, "the clerk"), clerk)
	unpack(t, dir, answers)
	t.Chdir(dir)

	paused := agentc(dir, "", "run", "the clerk", "--script", "answers.yaml", "x")
	paused.want(t, cli.Paused, "", `question "pay_back" waits for an answer`)
	answer := regexp.MustCompile(`to answer it: agentc answer (\S+) pay_back (\S+) --project 'the clerk' --script answers.yaml\n`).FindStringSubmatch(paused.stderr)
	if answer == nil {
		t.Fatal(paused.stderr)
	}
	runs, err := filepath.Glob(filepath.Join("the clerk", ".agentc", "runs", "*.journal"))
	if err != nil || len(runs) != 1 || filepath.Base(runs[0]) != answer[1]+".journal" {
		t.Fatalf("the runs are %q, %v", runs, err)
	}

	onRuns := []string{"--project", "the clerk", "--script", "answers.yaml"}
	agentc(dir, "", append(onRuns, "resume", "last")...).want(t, cli.Paused, "", answer[0])
	agentc(dir, "", append([]string{"answer", answer[1], "pay_back", "perhaps"}, onRuns...)...).want(t, cli.Problem, "", `the answer "perhaps" is not one of`)
	agentc(dir, "", append([]string{"answer", answer[1], "pay_back", answer[2], "--by", "ada"}, onRuns...)...).want(t, cli.Done, "paid\n")
	agentc(dir, "", "runs", "--project", "the clerk").want(t, cli.Done, "done: paid\n")
	agentc(filepath.Join(dir, "the clerk"), "", "runs", "show", "last", "--store", filepath.Join(".agentc", "runs")).
		want(t, cli.Done, "answer by ada: "+answer[2]+"\n")
	agentc(dir, "", "runs", "show", "last", "--html", "page.html", "--project", "the clerk").want(t, cli.Done, "", " to page.html\n")
	page, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if err != nil || !strings.Contains(string(page), `"hasTurns":true`) {
		t.Errorf("the page has no prompts: %v", err)
	}
	agentc(dir, "", "runs", "--project", "nowhere").want(t, cli.Usage, "", "nowhere does not exist")
	entries, err := os.ReadDir("the clerk")
	if err != nil || len(entries) != 4 {
		t.Errorf("the project folder has %v, %v", entries, err)
	}
	t.Setenv("AGENTC_STORE", filepath.Join("the clerk", ".agentc", "runs"))
	agentc(dir, "", "runs", "--project", "the clerk").want(t, cli.Done, "done: paid\n")
	agentc(filepath.Join(dir, "the clerk"), "", "runs").want(t, cli.Done, "", "no runs in "+filepath.Join(dir, "the clerk", "the clerk"))

	// Without the sources of its program the page of a run has what its journal says; of a damaged
	// one only that is reported.
	gone := t.TempDir()
	if err = errors.Join(os.Rename(runs[0], filepath.Join(gone, filepath.Base(runs[0]))), os.RemoveAll("the clerk")); err != nil {
		t.Fatal(err)
	}
	agentc(gone, "", "runs", "show", "last", "--store", ".", "--html", "page.html").want(t, cli.Done, "", "wrote run "+answer[1]+" to page.html\n")
	if page, err = os.ReadFile(filepath.Join(gone, "page.html")); err != nil || !strings.Contains(string(page), "pay_back") {
		t.Errorf("%v %.300s", err, page)
	}
	path := filepath.Join(gone, filepath.Base(runs[0]))
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(content[:len(content)*3/4:len(content)*3/4], content[len(content)*3/4+3:]...), 0o600)
	}
	damaged := agentc(gone, "", "runs", "show", "last", "--store", ".", "--html", "page.html")
	damaged.want(t, cli.Problem, "", "is damaged at byte")
	if err != nil || strings.Contains(damaged.stderr, "prompts are missing") || strings.Count(damaged.stderr, "is damaged") != 1 {
		t.Errorf("%v\n%s", err, damaged.stderr)
	}
}

func TestCalledAs(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	t.Chdir(filepath.Dir(dir))
	for args, want := range map[string]string{
		"run": "agentc -C " + filepath.Base(dir) + " COMMAND", "run --project .": "agentc -C " + filepath.Base(dir) + " COMMAND",
		"run --project a --store s --partial --main m --env-file e --script f.yaml": "agentc -C " + filepath.Base(dir) +
			" COMMAND --project a --main m --env-file e --store s --script f.yaml --partial",
	} {
		p := &cli.Program{Name: "agentc", Commands: []*cli.Command{{
			Name: "run", Flags: append(append([]cli.Flag{}, projectFlags...), runFlags...),
			Run: func(c *cli.Call) error {
				if got := resumeCommandLine(c, c.Flag("project")); got != "AGENTC_CALLED_AS="+want {
					t.Errorf("%s: %s, want %s", args, got, want)
				}
				return nil
			},
		}}}
		if code := p.Run(&cli.Env{Dir: dir, Getenv: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr}, strings.Fields(args)); code != cli.Done {
			t.Error(args, code)
		}
	}
}
