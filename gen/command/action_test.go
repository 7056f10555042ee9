package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// action is action.yml, as far as it matters here.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Name, ID, Shell, Run string
			Env                  map[string]string
		}
	}
}

// runner runs steps of the action as GitHub's runner does.
type runner struct {
	*testing.T
	action    action
	workspace string
	// temp is RUNNER_TEMP; it has what the steps and the fake gh write.
	temp string
	// values are those of expressions.
	values map[string]string
}

// newRunner makes a repository with a project, whose older version is only in its origin.
func newRunner(t *testing.T) *runner {
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil || runtime.GOOS == "windows" {
			t.Skipf("there is no %s", tool)
		}
	}
	r := &runner{T: t, temp: t.TempDir()}
	if err := yaml.Unmarshal([]byte(read(t, root+"/templates/action/action.yml")), &r.action); err != nil {
		t.Fatal(err)
	}
	origin := moduleWithAgentc(t)
	unpack(t, origin, refund)
	commit(t, origin, "older")
	base := gitIn(t, origin, "rev-parse", "HEAD")
	edit(t, filepath.Join(origin, "workflows", "refund.yaml"), "{from: pay, on: success, to: paid}",
		"{from: pay, on: success, to: thank}\n      - {from: thank, on: success, to: paid}",
		"    transitions:", "      thank: [{name: thank, uses: agents.clerk}]\n    transitions:")
	commit(t, origin, "newer")
	gitIn(t, origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	r.workspace = filepath.Join(t.TempDir(), "checkout")
	gitIn(t, origin, "clone", "-q", "--depth=1", "file://"+origin, r.workspace)
	r.values = map[string]string{"github.token": "secret", "github.event.pull_request.number": "7", "github.event.pull_request.base.sha": base}
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(r.temp, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(r.temp, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("bin/gh", `#!/bin/sh
echo "$@" >>"$RUNNER_TEMP/gh"
for word; do case $word in body=@*) cp "${word#body=@}" "$RUNNER_TEMP/comment" ;; esac; done
case "$*" in *--paginate*) cat "$RUNNER_TEMP/comments" ;; esac
`, 0o755)
	write("comments", "", 0o644)
	r.clear()

	return r
}

// clear empties what steps write.
func (r *runner) clear() {
	for _, name := range []string{"gh", "comment", "summary", "output"} {
		if err := os.WriteFile(filepath.Join(r.temp, name), nil, 0o644); err != nil {
			r.Fatal(err)
		}
	}
}

func (r *runner) wrote(name string) string { return read(r.T, filepath.Join(r.temp, name)) }

// value evaluates an expression of action.yml.
func (r *runner) value(text string, inputs map[string]string) string {
	inside, isExpression := strings.CutPrefix(text, "${{ ")
	if !isExpression {
		return text
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(inside, " }}"), " || ") {
		value, known := r.values[name]
		if input, isInput := strings.CutPrefix(name, "inputs."); isInput {
			if value, known = inputs[input]; !known {
				value, known = r.value(r.action.Inputs[input].Default, nil), true
			}
		}
		if !known {
			r.Fatalf("unknown expression %s", name)
		}
		if value != "" {
			return value
		}
	}

	return ""
}

// step runs a step with inputs, and returns what it prints and whether it succeeds.
func (r *runner) step(name string, inputs map[string]string) (string, bool) {
	r.Helper()
	for _, s := range r.action.Runs.Steps {
		if s.Name != name {
			continue
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		folder, err := filepath.Abs(root + "/templates/action")
		if err != nil {
			r.Fatal(err)
		}
		cmd.Dir = r.workspace
		cmd.Env = append(os.Environ(), "GITHUB_WORKSPACE="+r.workspace, "GITHUB_ACTION_PATH="+folder, "RUNNER_TEMP="+r.temp,
			"GITHUB_REPOSITORY=acme/desk", "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"), "GITHUB_OUTPUT="+filepath.Join(r.temp, "output"),
			"PATH="+filepath.Join(r.temp, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off")
		for variable, value := range s.Env {
			cmd.Env = append(cmd.Env, variable+"="+r.value(value, inputs))
		}
		out, err := cmd.CombinedOutput()
		return string(out), err == nil
	}
	r.Fatalf("there is no step %s", name)

	return "", false
}

// The action on a pull request that makes runs stuck: it builds agentc from go.mod, fetches the
// older version, and writes one comment, which the next run replaces. Nothing of what it is given
// is run.
func TestAction(t *testing.T) {
	r := newRunner(t)
	for _, s := range r.action.Runs.Steps {
		if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
			t.Errorf("step %s: an expression in a script: %s", s.Name, s.Run)
		}
	}
	const build, check, report = "build agentc", "check", "cost and diff"
	if out, ok := r.step(build, nil); !ok {
		t.Fatal(out)
	}
	if out, ok := r.step(check, map[string]string{"strict": "true"}); !ok {
		t.Error(out)
	}

	if out, ok := r.step(report, nil); !ok {
		t.Fatal(out)
	}
	for _, want := range []string{"<!-- agentc diff -->\n### agentc diff: ", "+ state refund: thank", "ask approve is stuck", "```mermaid", "| **at most** |"} {
		if !strings.Contains(r.wrote("comment"), want) || !strings.Contains(r.wrote("summary"), want) {
			t.Errorf("the comment has no %q:\n%s\nthe summary:\n%s", want, r.wrote("comment"), r.wrote("summary"))
		}
	}
	if gh := r.wrote("gh"); !strings.Contains(gh, "--method POST repos/acme/desk/issues/7/comments ") || r.wrote("output") != "worse=true\n" {
		t.Errorf("%s\n%s", gh, r.wrote("output"))
	}

	r.clear()
	if err := os.WriteFile(filepath.Join(r.temp, "comments"), []byte("41\n42\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, ok := r.step(report, map[string]string{"fail-on-worse": "true"}); ok || !strings.Contains(out, "::error::something became worse") {
		t.Error(out)
	}
	if gh := r.wrote("gh"); !strings.Contains(gh, "--method PATCH repos/acme/desk/issues/comments/41 ") {
		t.Error(gh)
	}

	// A project that does not keep its max_cost fails the check, and is reported all the same.
	r.clear()
	config := filepath.Join(r.workspace, "agentc.yaml")
	was, _ := os.ReadFile(config) // there may be none
	if err := os.WriteFile(config, append([]byte("max_cost: 0.000001\n"), was...), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, ok := r.step(check, nil); ok || !strings.Contains(out, "title=max-cost::") {
		t.Errorf("the check passes: %s", out)
	}
	if out, ok := r.step(report, nil); !ok || !strings.Contains(r.wrote("comment"), "| **at most** |") {
		t.Errorf("%s\n%s", out, r.wrote("comment"))
	}
	if err := os.WriteFile(config, was, 0o644); err != nil {
		t.Fatal(err)
	}

	hostile := "$(touch pwned)`touch pwned`\"; touch pwned; #"
	for _, input := range []string{"directory", "base", "model", "strict", "fail-on-worse", "token"} {
		for _, step := range []string{check, report} {
			r.clear()
			_, _ = r.step(step, map[string]string{input: hostile}) // how it ends is a matter of the input
		}
	}
	if found, err := filepath.Glob(filepath.Join(r.workspace, "pwned")); err != nil || len(found) > 0 {
		t.Error("a text from outside was run")
	}

	r.clear()
	r.values["github.event.pull_request.number"], r.values["github.event.pull_request.base.sha"] = "", ""
	if out, ok := r.step(report, nil); !ok || r.wrote("gh") != "" || !strings.Contains(r.wrote("summary"), "no older version") || r.wrote("output") != "worse=\n" {
		t.Errorf("without a pull request: %s%s%s", out, r.wrote("gh"), r.wrote("summary"))
	}

	edit(t, filepath.Join(r.workspace, "workflows", "refund.yaml"), "to: decide", "to: decid")
	if out, ok := r.step(check, nil); ok || !strings.Contains(out, "::error file=workflows/refund.yaml,line=") {
		t.Error(out)
	}
}

// The action as part of a checkout, as in uses: ./agentc/templates/action: it builds the agentc of that checkout where the module of the
// project has none, or one at a path that is not there.
func TestActionFromACheckout(t *testing.T) {
	r := newRunner(t)
	for name, gomod := range map[string]string{
		"no module": "", "no agentc": "module example.org/lib\n\ngo 1.25.0\n",
		"a path": "module example.org/lib\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n" +
			"replace github.com/agentc-dev/agentc => /not/on/this/machine\n",
	} {
		remove(t, filepath.Join(r.workspace, "go.mod"))
		if gomod != "" {
			unpack(t, r.workspace, "-- go.mod --\n"+gomod)
		}
		r.builds(name, true)
	}

	unpack(t, r.workspace, userModule(t))
	tools, err := findOrigin().moduleFiles("example.org/user/tools")
	if err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(r.workspace, "go.sum"))
	unpack(t, r.workspace, "-- tools.mod --\n"+string(tools[0].Content), "-- tools.sum --\n"+string(tools[1].Content))
	r.builds("tools.mod", false)
}

// builds expects that the action makes an agentc, its own or that of the project, which then checks the project.
func (r *runner) builds(name string, own bool) {
	r.Helper()
	remove(r.T, filepath.Join(r.temp, "agentc"))
	if out, ok := r.step("build agentc", nil); !ok || strings.Contains(out, "::notice::") != own {
		r.Fatalf("%s: %s", name, out)
	}
	if out, ok := r.step("check", nil); !ok {
		r.Errorf("%s: %s", name, out)
	}
}

// Each hook of pre-commit is one of our commands, and runs for each file that it reads. It ends with 0 in a project that is right.
func TestHooks(t *testing.T) {
	var hooks []struct {
		ID, Entry, Language, Files string
		PassFilenames              bool `yaml:"pass_filenames"`
	}
	if err := yaml.Unmarshal([]byte(read(t, root+"/.pre-commit-hooks.yaml")), &hooks); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 3 {
		t.Errorf("%d hooks", len(hooks))
	}
	dir := unpack(t, t.TempDir(), critic)
	agentc(dir, "", "generate").want(t, 0, "")
	for _, h := range hooks {
		args, isOurs := strings.CutPrefix(h.Entry, "go tool agentc ")
		if !isOurs || h.Language != "system" || h.PassFilenames {
			t.Errorf("hook %s: %+v", h.ID, h)
		}
		if r := agentc(dir, "", strings.Fields(args)...); r.code != 0 {
			t.Errorf("hook %s ends with %d: %s%s", h.ID, r.code, r.stdout, r.stderr)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "agents", "draft", "AGENT.md"), []byte("---\nname: other\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		if r := agentc(dir, "", strings.Fields(strings.TrimPrefix(h.Entry, "go tool agentc "))...); r.code != 1 {
			t.Errorf("hook %s ends with %d in a project with a mistake", h.ID, r.code)
		}
	}
}
