package command

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// models is the critic with a model.
func models(name string) string {
	return "-- agentc.yaml --\nentrypoint: critic\nmodels: {default: \"" + name + "\"}\n"
}

// carried is what a binary has: its modules besides agentc's own, and the packages whose functions
// are linked.
type carried struct {
	modules []string
	content []byte
}

func carriedBy(t *testing.T, binary string) carried {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	c := carried{content: content}
	for _, d := range info.Deps {
		if d.Path != "github.com/agentc-dev/agentc" {
			c.modules = append(c.modules, d.Path)
		}
	}

	return c
}

// has reports whether a function of a package is linked. Names of functions stand in every binary,
// for stack traces.
func (c carried) has(function string) bool { return bytes.Contains(c.content, []byte(function)) }

const (
	chatCompletions = "github.com/agentc-dev/agentc/runtime/providers/openai.Open"
	messages        = "github.com/agentc-dev/agentc/runtime/anthropic.Open"
	network         = "net/http.(*Transport)"
	own             = "github.com/agentc-dev/agentc/runtime/internal/engine/core.New"
	http2           = "net/http.(*http2Transport).RoundTripOpt"
	writesPages     = "github.com/agentc-dev/agentc/runtime/inspect/page.(*Page).Write"
	panel           = "github.com/agentc-dev/agentc/runtime/inspect/panel.newScreen"
)

// A binary carries what opens the models of the providers that its project names, and nothing else.
// What it weighs shows that too: names of models are no reason for a program to grow.
func TestProvidersOfABinary(t *testing.T) {
	for name, test := range map[string]struct {
		config string
		linked map[string]bool
		limit  int
	}{
		"none":                     {"", map[string]bool{}, 5_000_000},
		"ollama":                   {models("ollama:qwen2.5:14b"), map[string]bool{chatCompletions: true, network: true}, 8_500_000},
		"page":                     {"-- agentc.yaml --\ninclude: [page]\n", map[string]bool{writesPages: true}, 5_200_000},
		"panel":                    {"-- agentc.yaml --\ninclude: [panel]\n", map[string]bool{panel: true}, 5_100_000},
		"a provider without roles": {"-- agentc.yaml --\nproviders: {openai: {}}\n", map[string]bool{chatCompletions: true, network: true}, 8_500_000},
	} {
		dir := unpack(t, t.TempDir(), critic, test.config)
		agentc(dir, "", "build", "--target", "linux/amd64", "-o", "app").want(t, cli.Done, "", "app for linux/amd64")
		c := carriedBy(t, filepath.Join(dir, "app"))
		if len(c.modules) > 0 || !c.has(own) {
			t.Errorf("%s: the binary has %v of the modules %q", name, c.has(own), c.modules)
		}
		for _, function := range []string{chatCompletions, messages, network, panel, http2, writesPages} {
			if c.has(function) != test.linked[function] {
				t.Errorf("%s: the binary has %s: %v", name, function, c.has(function))
			}
		}
		if len(c.content) > test.limit {
			t.Errorf("%s: the binary has %d bytes, more than %d", name, len(c.content), test.limit)
		}
	}
}

// Whoever speaks to Anthropic gets its module, with the sums of what that needs, and not what
// speaks chat completions. The binary is not built: the library that it would have takes minutes.
func TestAnthropicInABareFolder(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, models("anthropic:claude-opus-4-6"))
	result, err := gen.Compile(t.Context(), (&project{dir: dir}).compileOptions())
	if err != nil {
		t.Fatal(err)
	}
	b, err := (&linking{c: &cli.Call{}, result: result}).bareProjectBuild()
	if err != nil {
		t.Fatal(err)
	}
	providers := string(b.overlay[filepath.Join(repository(t), bareFolder, "agents", "providers_gen.go")])
	if !strings.Contains(b.gomod, "require github.com/agentc-dev/agentc/runtime/anthropic v0.0.0") || !strings.Contains(b.gosum, "anthropic-sdk-go") ||
		!strings.Contains(providers, "anthropic.Open") || strings.Contains(providers, "openai") {
		t.Errorf("the module is\n%s\n%s", b.gomod, providers)
	}
}

const answersOfCritic = "-- answers.yaml --\ndraft: [{finish: {key: good, value: Done.}}]\n"

// A run whose answers come from a script needs no module of a provider: not in a folder of its own,
// and not in a module that lacks it.
func TestScriptedRunsNeedNoProvider(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir()) // so that nothing is at hand
	t.Setenv("GOFLAGS", "-modcacherw")
	for name, module := range map[string]string{"bare": "", "module": userModule(t), "module with main": userModule(t) +
		"-- main.go --\npackage main\n\nimport (\n\t\"example.org/user/agents\"\n\n\t\"github.com/agentc-dev/agentc/runtime/cli/app\"\n)\n\n" +
		"func main() { app.Main(agents.New()) }\n"} {
		dir := unpack(t, t.TempDir(), critic, models("anthropic:claude-opus-4-6"), answersOfCritic, module)
		ran := agentc(dir, "", "run", "--store", "none", "--script", "answers.yaml", ".", "a text")
		ran.want(t, cli.Done, "Done.", "")
		generated := filepath.Join(dir, "agents", "providers_gen.go")
		content, err := os.ReadFile(generated)
		if on := module != ""; on && !bytes.Contains(content, []byte("anthropic.Open")) || on != (err == nil) {
			t.Errorf("%s: the file of the providers is %v %s", name, err, content)
		}
	}
}

// In a module that lacks the module of a provider the command that adds it is printed.
func TestProviderInAModule(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, models("anthropic:claude-opus-4-6"), userModule(t))
	part := filepath.Join(repository(t), "runtime", "anthropic")
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Problem, "",
		"a model of anthropic needs the module github.com/agentc-dev/agentc/runtime/anthropic, which your go.mod does not require yet. Run in this folder:\n  go mod edit -replace "+
			"github.com/agentc-dev/agentc/runtime/anthropic="+cli.Quote(part)+" && go get github.com/agentc-dev/agentc/runtime/anthropic@v0.0.0\n")
}

// generate says which modules the generated code needs that the module lacks, until they are there,
// also where nothing is to be written.
func TestGenerateNamesLackingModules(t *testing.T) {
	dir := unpack(t, t.TempDir(), strings.Replace(critic, "entrypoint: critic\n",
		"entrypoint: critic\ninclude: [otel]\nmodels: {default: \"anthropic:claude-opus-4-6\"}\n", 1), userModule(t))
	want := ""
	for _, part := range []string{"anthropic", "otel"} {
		module := "github.com/agentc-dev/agentc/runtime/" + part
		why := map[string]string{"anthropic": "a model of anthropic", "otel": "include: [otel]"}[part]
		want += why + " needs the module " + module + ", which your go.mod does not require yet. Run in this folder:\n  go mod edit -replace " + module + "=" +
			cli.Quote(filepath.Join(repository(t), "runtime", part)) + " && go get " + module + "@v0.0.0\n"
	}
	for range 2 {
		agentc(dir, "", "generate").want(t, cli.Done, "", want)
	}

	gomod := filepath.Join(dir, "go.mod")
	content, err := os.ReadFile(gomod)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"anthropic", "otel"} {
		content = fmt.Appendf(content, "require github.com/agentc-dev/agentc/runtime/%s v0.0.0\n\nreplace github.com/agentc-dev/agentc/runtime/%[1]s => %q\n",
			part, filepath.Join(repository(t), "runtime", part))
	}
	if err := os.WriteFile(gomod, content, 0o666); err != nil {
		t.Fatal(err)
	}
	if ran := agentc(dir, "", "generate"); ran.code != cli.Done || strings.Contains(ran.stderr, "does not require") {
		t.Errorf("generate says %s", ran.stderr)
	}
}

// acme is a module that opens models of a provider of its own.
const acme = `
-- acme/go.mod --
module example.com/acme

go 1.25.0

require github.com/agentc-dev/agentc v0.0.0
-- acme/acme.go --
package acme

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Open opens a model of acme.
func Open(m model.Model, env func(name string) (value string, ok bool)) (model.Provider, error) {
	if key, _ := env("ACME_KEY"); key == "broken" {
		panic("the key is broken")
	}
	return model.ProviderFunc(reply), nil
}

func reply(_ context.Context, request model.Request) (model.Reply, error) {
	return model.Reply{Text: request.Model.Name + " answers"}, nil
}
-- agentc.yaml --
models: {default: "acme:large"}
providers: {acme: {import: example.com/acme}}
-- agents/draft/AGENT.md --
---
name: draft
description: d
version: "1"
pattern: oneshot
---
Write a line.
`

// A provider that the config gives a package is opened by it: the module lies outside of the
// repository.
func TestProviderOfAnotherModule(t *testing.T) {
	lacking := unpack(t, t.TempDir(), acme, userModule(t))
	ran := agentc(lacking, "", "build", "-o", "app.exe")
	if want := "the provider acme is opened by example.com/acme, which no module of . provides; run there, in a Go module that requires " +
		"github.com/agentc-dev/agentc:\n  go get example.com/acme\n"; ran.code != cli.Problem || !strings.Contains(ran.stderr, want) {
		t.Errorf("without the module build says %s", ran.stderr)
	}

	required := userModule(t) + "\nrequire example.com/acme v0.0.0\n\nreplace example.com/acme => ./acme\n"
	dir := unpack(t, t.TempDir(), acme, required)
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Done, "", "")
	run := func(key string) (string, error) {
		cmd := exec.Command(filepath.Join(dir, "app.exe"), "run", "--store", "none", "a task")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "ACME_KEY="+key)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("good"); err != nil || !strings.Contains(out, "acme:large answers") {
		t.Errorf("the program ends with %v: %s", err, out)
	}
	if out, err := run("broken"); err == nil || !strings.Contains(out, "the provider acme panicked: the key is broken") {
		t.Errorf("where the provider panics, the program ends with %v: %s", err, out)
	}

	for name, test := range map[string]struct{ was, is, want string }{
		"does not build": {"ProviderFunc(reply), nil", "ProviderFunc(answer), nil", "which does not build:\n# example.com/acme\nacme/acme.go:"},
		"has no Open":    {"func Open(", "func New(", "which lacks the function\n  func Open(m model.Model, env func(name string)"},
		"has another":    {"func Open(m model.Model, env", "func Open(env", "which lacks the function\n  func Open(m model.Model, env func(name string)"},
	} {
		other := unpack(t, t.TempDir(), strings.Replace(acme, test.was, test.is, 1), required)
		ran := agentc(other, "", "build", "-o", "app.exe")
		if want := "the provider acme is opened by example.com/acme, " + test.want; ran.code != cli.Problem || !strings.Contains(ran.stderr, want) {
			t.Errorf("a package that %s: build ends with %d: %s", name, ran.code, ran.stderr)
		}
	}
}
