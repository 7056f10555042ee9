package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var mcpCommand = &cli.Command{
	Name: "mcp", Args: "pin [DIR]", Max: 2,
	Summary: "pin the tools of a project's MCP servers in agentc.lock",
	Example: "agentc mcp pin\nagentc mcp pin --check ./desk   # has a server changed?",
	Flags: []cli.Flag{
		{Name: "check", Help: "write nothing; exit 1 if anything would change"},
		envFileFlag,
	},
	Run: pinServers,
}

// pinServers updates agentc.lock.
func pinServers(c *cli.Call) error {
	if word := c.Arg(0); word != "pin" {
		return c.Usagef("mcp has one command: agentc mcp pin%s", didYouMean(word, []string{"pin"}))
	}
	p, err := openProject(c, c.Arg(1))
	if err != nil {
		return err
	}
	servers, err := p.compileServers(c)
	if err != nil {
		return err
	}
	lock := &lockfile.Lock{Format: lockfile.Format, Servers: map[string]*lockfile.Server{}}
	if len(servers) > 0 {
		if err := askServers(c, p, servers, lock); err != nil {
			return err
		}
	}

	return p.writeLock(c, lock)
}

// compileServers compiles the project far enough to know its servers. Only mistakes in the form of
// a skill are errors: others may be caused by missing pins.
func (p *project) compileServers(c *cli.Call) ([]*ir.Server, error) {
	result, err := p.checkOnly()
	if err != nil {
		return nil, err
	}
	faults := &gen.Result{Program: result.Program}
	for _, d := range result.Diagnostics {
		if d.Severity == diag.Error && path.Base(d.Span.File.Path) == "SKILL.md" && slices.Contains(formal, d.Check) {
			faults.Diagnostics = append(faults.Diagnostics, d)
		}
	}
	if _, err := p.reportCompiled(c, faults, nil); err != nil {
		return nil, err
	}

	return result.Program.Servers, nil
}

// formal are the mistakes that hide which servers a skill declares.
var formal = []*diag.Check{
	diag.Syntax, diag.DuplicateKey, diag.UnknownField, diag.MissingField, diag.WrongType, diag.BadValue,
}

// askServers fills the lock with the answers of servers. If one fails, its error is printed, and
// the others are still asked.
func askServers(c *cli.Call, p *project, servers []*ir.Server, lock *lockfile.Lock) error {
	environ, err := readEnvironment(c, p.dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	binary, err := p.buildHelper(c, askerSource, names.ClientModule)
	if err != nil {
		return err
	}
	answers, err := runAsker(ctx, binary, p.dir, environ, newQuestions(servers), c.Stderr)
	if err != nil {
		return fmt.Errorf("asking the servers: %w", err)
	}
	failed := error(nil)
	for i, s := range servers {
		server, err := answers[i].newPin(s)
		if err != nil {
			c.Sayf("%v", err)
			failed = c.Exit(cli.Problem)
		}
		lock.Servers[s.Name.Value] = server
	}

	return failed
}

// writeLock writes agentc.lock and prints how it changes. A lock without servers removes the file.
func (p *project) writeLock(c *cli.Call, lock *lockfile.Lock) error {
	disk, err := output.Open(p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	change := output.Change{Path: lockfile.Name}
	change.Old, err = disk.ReadFile(lockfile.Name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	tools := 0
	for _, s := range lock.Servers {
		tools += len(s.Tools)
	}
	if len(lock.Servers) > 0 {
		change.New, err = lock.Encode()
		if err != nil {
			return err
		}
	}
	summary := fmt.Sprintf("%s: %s, %s", p.label(c)(lockfile.Name), words.Count(len(lock.Servers), "server"), words.Count(tools, "tool"))
	if change.IsSame() || change.Old == nil && change.New == nil {
		fmt.Fprintf(c.Notes(), "%s, unchanged\n", summary)
		return nil
	}
	if err := output.DiffSink(c.Stderr, p.label(c))(change); err != nil {
		return err
	}
	if c.On("check") {
		return c.Exit(cli.Problem)
	}
	if err := output.WriteSink(disk)(change); err != nil {
		return err
	}
	fmt.Fprintln(c.Notes(), summary)

	return nil
}
