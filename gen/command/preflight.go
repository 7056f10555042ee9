package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/fix"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/preflight"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/size"
	"github.com/agentc-dev/agentc/runtime/tools"
	"github.com/agentc-dev/agentc/runtime/tools/files"
	"github.com/agentc-dev/agentc/runtime/tools/shell"
)

var preflightCommand = &cli.Command{
	Name: "preflight", Args: "[DIR]", Max: 1,
	Summary: "list what a run needs, and what is missing",
	Example: "agentc preflight ./examples/support\nagentc preflight --fix",
	Flags: append([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "start at this agent instead of the entry point"},
		{Name: "fix", Help: "add what is missing to agentc.yaml"},
		{Name: "within", Value: "TIME", Help: "how long servers and a database may take to answer; default: 2m"},
		envFileFlag,
	}, formatFlags("text (the default) or json", formatText, formatJSON)...),
	Run: withFormat(showPreflight),
}

// serverTime is how long servers and databases may take to answer, as in runs.
const serverTime = 2 * time.Minute

func showPreflight(c *cli.Call, format string) error {
	p, err := openProject(c, c.Arg(0))
	if err != nil {
		return err
	}
	within := serverTime
	if text := c.Flag("within"); text != "" {
		within, err = size.Duration(text)
		if err != nil || within <= 0 {
			return c.Usagef("--within %q is not a time such as 30s", text)
		}
	}
	if c.On("fix") {
		env, silent := *c.Env, *c // diagnostics are reported below
		env.Stderr, silent.Env = io.Discard, &env
		if needs, _, err := p.findNeeds(&silent, 0); err == nil {
			if err := p.addMissing(c, needs); err != nil {
				return err
			}
		}
	}
	needs, isFaulty, err := p.findNeeds(c, within)
	if err != nil {
		return err
	}
	if err := printAs(c, format, needs, preflight.Text); err != nil {
		return err
	}
	for _, n := range needs {
		if text := (shell.Tools{}).Warning(n.Name); n.Kind == "tool" && text != "" {
			fmt.Fprintf(c.Stderr, "warning: %s\n", text)
		}
	}
	if missing := len(preflight.Missing(needs)); missing > 0 {
		p.explainMissingVariables(c, needs)
		fmt.Fprintf(c.Stderr, "%d of %d missing\n", missing, len(needs))
		return c.Exit(cli.Problem)
	}
	if isFaulty {
		return c.Exit(cli.Problem)
	}

	return nil
}

// explainMissingVariables names the files in env_file that do not exist, if a key or a variable is
// missing.
func (p *project) explainMissingVariables(c *cli.Call, needs []preflight.Need) {
	isVariable := func(n preflight.Need) bool { return n.Kind == "key" || n.Kind == "variable" }
	if !slices.ContainsFunc(preflight.Missing(needs), isVariable) {
		return
	}
	for _, name := range loader.EnvFiles(os.DirFS(p.dir)) {
		if file := p.absolutePath(name); !fileExists(file) {
			fmt.Fprintf(c.Stderr, "env_file of agentc.yaml names %s, which does not exist\n", c.Rel(file))
		}
	}
}

// findNeeds compiles the project and returns what its runs need, as far as its mistakes allow.
// isFaulty is set if there are mistakes, which are printed. Servers and databases are asked, unless
// within is 0 or the project cannot be built.
func (p *project) findNeeds(c *cli.Call, within time.Duration) (needs []preflight.Need, isFaulty bool, err error) {
	runs, err := p.compileRuns(c)
	if err != nil {
		return nil, false, err
	}
	program, entries, machine := runs.program, runs.entries, runs.machine
	store, err := p.findStore(c)
	if err != nil {
		return nil, false, err
	}
	if within > 0 {
		machine.Dial = func(host string) error { return checkDial(host, within) }
	}
	if within > 0 && !runs.isFaulty {
		machine.Ask = func(servers []*ir.Server) []error { return p.checkServers(c, servers, store.environ, within) }
		if store.text != "" {
			machine.Store = func() (string, string, error) { return store.display(c), store.from, store.check(c, p, within) }
		}
	}
	machine.Method, err = p.methodFinder(c, runs.result)
	if err != nil {
		return nil, false, err
	}
	needs = preflight.Of(program, entries, machine)
	names := program.EnvVars()
	for _, s := range program.Servers {
		names = append(names, s.EnvVars()...)
	}
	env := func(name string) (string, bool) {
		value, ok := machine.Vars[name]
		return value, ok
	}
	redact := tools.Redact(names, env, store.environ)
	for i := range needs {
		needs[i].Missing = redact(needs[i].Missing)
	}

	return needs, runs.isFaulty, nil
}

// methodFinder returns a function that returns what implements a typed tool: a script, or "" for
// Go, which go build checks. Without a module there is no Go.
func (p *project) methodFinder(c *cli.Call, result *gen.Result) (func(name string) (string, error), error) {
	l := &linking{c: c, p: p, result: result}
	if err := l.recordScripted(""); err != nil {
		return nil, err
	}
	inModule, err := gopkg.UsesAgentc(context.Background(), p.dir)
	mayHaveGo := inModule || err != nil // go build reports the error

	return func(name string) (string, error) {
		switch _, isAnswered := l.scripted["tools"][name]; {
		case isAnswered:
			return "a script", nil
		case mayHaveGo:
			return "", nil
		}
		return "", errors.New(unimplementedMessage("tool", name))
	}, nil
}

// checkDial reports why a server does not answer.
func checkDial(host string, within time.Duration) error {
	conn, err := net.DialTimeout("tcp", host, within)
	if err != nil {
		return err
	}

	return conn.Close()
}

// projectRuns describes the runs of a project: its program, the agents that they may begin with,
// and their machine.
type projectRuns struct {
	program  *ir.Program
	result   *gen.Result
	entries  []*ir.Agent
	machine  preflight.Machine
	isFaulty bool
}

// compileRuns compiles the project and prints its mistakes; isFaulty is set if there are any.
func (p *project) compileRuns(c *cli.Call) (r projectRuns, err error) {
	result, err := p.checkOnly()
	if err != nil {
		return r, err
	}
	findings := slices.DeleteFunc(slices.Clone(result.Diagnostics), isInReport)
	p.reportDiagnostics(c, findings)
	r.isFaulty = result.HasErrors()
	if r.isFaulty {
		fmt.Fprintln(c.Stderr, countDiagnostics(findings))
	}
	r.program, r.result = result.Program, result
	r.entries, err = p.chosenAgents(c, r.program, r.program.EntryPoints())
	if err != nil {
		return r, err
	}
	r.machine, err = p.describeMachine(c)

	return r, err
}

// isInReport reports whether a diagnostic repeats what the report of missing things contains.
func isInReport(d *diag.Diagnostic) bool { return d.Check == diag.ToolOff }

// describeMachine describes this machine to preflight, with the variables of this process and of
// the files of variables.
func (p *project) describeMachine(c *cli.Call) (preflight.Machine, error) {
	environ, err := readEnvironment(c, p.dir)

	return preflight.Machine{
		Vars:     variableMap(environ),
		Writable: func(folder string) error { return checkWritable(c.Path(folder)) },
		Readable: func(file string) error { return checkReadable(c.Path(file)) },
		Command:  func(argv []string) error { return checkServerCommand(c, argv) },
	}, err
}

// addMissing adds the missing lines to agentc.yaml.
func (p *project) addMissing(c *cli.Call, needs []preflight.Need) error {
	file := p.absolutePath(configName)
	fixable := func(n preflight.Need) bool { return n.Missing != "" && n.Config }
	if slices.ContainsFunc(needs, fixable) && !fileExists(file) && fileExists(p.absolutePath(tamaName)) {
		if err := p.importTama(c); err != nil {
			return err
		}
	}
	config, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, added := preflight.AddMissing(string(config), needs)
	if len(added) == 0 {
		return nil
	}
	if config == nil {
		err = os.WriteFile(file, []byte(text), 0o666)
	} else {
		err = p.rewriteFiles(c, []fix.File{{Path: configName, Old: config, New: []byte(text)}})
	}
	if err != nil {
		return err
	}
	for _, line := range added {
		fmt.Fprintf(c.Notes(), "added to %s: %s\n", c.Rel(file), line)
	}

	return nil
}

// scriptExtensions are the extensions of files that interpreters run.
var scriptExtensions = []string{".cjs", ".js", ".mjs", ".php", ".pl", ".py", ".rb", ".sh", ".ts"}

// checkServerCommand reports why a command cannot be started in the working directory: the command
// or the script in its arguments does not exist or is not executable.
func checkServerCommand(c *cli.Call, argv []string) error {
	name := argv[0]
	if filepath.Base(name) != name {
		if !fileExists(c.Path(name)) {
			return fmt.Errorf("there is no file %s in %s", name, c.Dir)
		}
		name = c.Path(name)
	}
	if _, err := exec.LookPath(name); errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("no folder of PATH has %s", name)
	} else if err != nil {
		return fmt.Errorf("%s is not executable: chmod +x %[1]s", argv[0])
	}
	for _, script := range argv[1:] {
		if slices.Contains(scriptExtensions, filepath.Ext(script)) && !strings.HasPrefix(script, "-") && !fileExists(c.Path(script)) {
			return fmt.Errorf("there is no file %s in %s", script, c.Dir)
		}
	}

	return nil
}

// checkReadable reports why a file cannot be read.
func checkReadable(file string) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("the file does not exist")
	}
	if err != nil {
		return err
	}

	return f.Close()
}

// checkWritable reports why nothing can be written to a folder, as the engine does.
func checkWritable(folder string) error {
	var setting *runtime.BadSettingError
	if err := (files.Tools{Root: folder}).Ready("files_write"); errors.As(err, &setting) {
		return errors.New(setting.Problem)
	}

	return nil
}
