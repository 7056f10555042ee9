package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var mcpCommand = &cli.Command{
	Name: "mcp", Args: "pin [DIR]", Max: 2,
	Summary: "pin the tools of a project's MCP servers in agentc.lock",
	Help: `agentc mcp pin starts or calls each MCP server that a skill names, asks it for its tools, and writes their descriptions and schemas
into agentc.lock, which belongs into version control: a project is compiled with what stands there, and a program refuses a server that
offers something else. What has changed is shown as a diff on stderr; read it, for models read it too.

The variables that the entries of the skills name have to be set. Nothing is written if a server cannot be asked.`,
	Example: "agentc mcp pin\nagentc mcp pin --check ./desk   # has a server changed?",
	Flags: []cli.Flag{
		{Name: "check", Help: "write nothing; exit 1 if anything would change"},
		envFileFlag,
	},
	Run: mcp,
}

func mcp(c *cli.Call) int {
	switch word := arg(c, 0); word {
	case "pin":
		return pin(c)
	case "":
		return c.Usagef("what is to be done? agentc mcp pin")
	default:
		return c.Usagef("there is no agentc mcp %s%s: there is agentc mcp pin", word, didYouMean(word, []string{"pin"}))
	}
}

// pin brings agentc.lock up to date.
func pin(c *cli.Call) int {
	p, code, ok := openProject(c, arg(c, 1))
	if !ok {
		return code
	}
	servers, code, ok := p.servers(c)
	if !ok {
		return code
	}
	lock := &lockfile.Lock{Format: lockfile.Format, Servers: map[string]*lockfile.Server{}}
	if len(servers) > 0 {
		if code, ok := askServers(c, p, servers, lock); !ok {
			return code
		}
	}

	return p.writeLock(c, lock)
}

// servers compiles the project as far as it takes to know its servers. Mistakes count if they are in the form of a skill: others may come
// of pins that are missing.
func (p *project) servers(c *cli.Call) ([]*ir.Server, int, bool) {
	result, err := p.check()
	if err != nil {
		return nil, c.Errorf(cli.Failure, "%v", err), false
	}
	faults := &gen.Result{Program: result.Program}
	for _, d := range result.Diagnostics {
		if d.Severity == diag.Error && path.Base(d.Span.File.Path) == "SKILL.md" && slices.Contains(formal, d.Check) {
			faults.Diagnostics = append(faults.Diagnostics, d)
		}
	}
	if _, code, ok := p.compiled(c, faults, nil); !ok {
		return nil, code, false
	}

	return result.Program.Servers, cli.Done, true
}

// formal are the mistakes after which nobody knows which servers are meant.
var formal = []*diag.Check{
	diag.Syntax, diag.DuplicateKey, diag.UnknownField, diag.MissingField, diag.WrongType, diag.BadValue,
}

// askServers fills the lock with what servers say. ok is false if one could not be asked.
func askServers(c *cli.Call, p *project, servers []*ir.Server, lock *lockfile.Lock) (code int, ok bool) {
	environ, code, ok := environment(c)
	if !ok {
		return code, false
	}
	said, err := asked(c, p, servers, environ)
	var build *GoBuildError
	switch {
	case errors.As(err, &build):
		return c.Errorf(cli.Failure, "%v", err), false
	case err != nil:
		return c.Errorf(cli.Failure, "asking the servers: %v", err), false
	}
	code = cli.Done
	for i, s := range servers {
		if said[i].Problem != "" {
			code = c.Errorf(cli.Problem, "%s", said[i].Problem)
			continue
		}
		server, err := said[i].server(s)
		if err != nil {
			code = c.Errorf(cli.Problem, "MCP server %q: %v", s.Name.Value, err)
			continue
		}
		lock.Servers[s.Name.Value] = server
	}

	return code, code == cli.Done
}

// writeLock writes agentc.lock, and shows how it changes. A lock without servers is none.
func (p *project) writeLock(c *cli.Call, lock *lockfile.Lock) int {
	disk, err := output.Open(p.dir)
	if err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	defer disk.Close()
	change := output.Change{Path: lockfile.Name}
	if change.Old, err = disk.ReadFile(lockfile.Name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return c.Errorf(cli.Failure, "%v", err)
	}
	tools := 0
	if len(lock.Servers) > 0 {
		if change.New, err = lock.Text(); err != nil {
			return c.Errorf(cli.Failure, "%v", err)
		}
		for _, s := range lock.Servers {
			tools += len(s.Tools)
		}
	}
	if change.Same() || change.Old == nil && change.New == nil {
		fmt.Fprintf(c.Stderr, "%s: %s, %s, unchanged\n", p.label(c)(lockfile.Name), plural(len(lock.Servers), "server"), plural(tools, "tool"))
		return cli.Done
	}
	if err := output.Diff(c.Stderr, p.label(c))(change); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	if c.On("check") {
		return cli.Problem
	}
	if err := output.Write(disk)(change); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}
	fmt.Fprintf(c.Stderr, "%s: %s, %s\n", p.label(c)(lockfile.Name), plural(len(lock.Servers), "server"), plural(tools, "tool"))

	return cli.Done
}

// asked runs the program that asks servers, and returns what they have said, in their order.
func asked(c *cli.Call, p *project, servers []*ir.Server, environ []string) ([]saidOfItself, error) {
	ctx := context.Background()
	binary, err := (&linking{c: c, p: p}).asker(ctx)
	if err != nil {
		return nil, err
	}
	question, err := json.Marshal(questions(servers))
	if err != nil {
		return nil, err
	}
	var answer bytes.Buffer
	cmd := exec.CommandContext(ctx, binary)
	cmd.Dir, cmd.Env = p.dir, environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(question), &answer, c.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	var said []saidOfItself
	if err := json.Unmarshal(answer.Bytes(), &said); err != nil || len(said) != len(servers) {
		return nil, errors.Join(err, fmt.Errorf("%d answers of %d servers", len(said), len(servers)))
	}

	return said, nil
}
