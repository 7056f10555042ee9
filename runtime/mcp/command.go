package mcp

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/board"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/bearer"
	"github.com/agentc-dev/agentc/runtime/local"
	"github.com/agentc-dev/agentc/runtime/simulate"
)

// tokensVariable holds credentials where no file does.
const tokensVariable = "AGENTC_MCP_TOKENS"

// defaultStore is where the record lies, below the working directory.
const defaultStore = ".agentc/board"

func command(p *runtime.Program) *cli.Command {
	return &cli.Command{
		Name: "mcp", Max: 0,
		Summary: "serve machines and agents over the Model Context Protocol",
		Help: `Serves one client on stdin and stdout, or with --http any number over streamable HTTP. Clients drive the live machines
(fsm_transition, fsm_state, fsm_history, fsm_snapshot), share a blackboard, and run agents and workflows (agent_...).

Who calls is who the credential says: on stdin --as, over HTTP the holder of the bearer token. Credentials are lines NAME=TOKEN of
--tokens or of ` + tokensVariable + `. An address that other machines reach needs them.`,
		Example: p.Name + " mcp --as reviewer\n" + p.Name + " mcp --http 127.0.0.1:8080 --tokens tokens.txt",
		Flags: append([]cli.Flag{
			{Name: "http", Value: "ADDRESS", Help: "serve HTTP there, such as 127.0.0.1:8080"},
			{Name: "as", Value: "NAME", Help: "who calls without a credential; default: somebody whom access rules know as * only"},
			bearer.Flag,
			{Name: "store", Value: "DIR", Help: "where the record lies; none: in memory; default: " + defaultStore},
			{Name: "agent", Value: "NAME", Help: "offer this agent only; default: all that can be started"},
			{Name: "script", Value: "FILE", Help: "answers instead of a model, as JSON; each call plays it from its start"},
			{Name: "partial", Help: "turns of a script that are left over at the end of a call are no error"},
		}, app.RecordingFlags()...),
		Run: func(c *cli.Call) int { return serve(c, p) },
	}
}

func serve(c *cli.Call, p *runtime.Program) int {
	known, code, ok := readTokens(c)
	if !ok {
		return code
	}
	if code, ok := checkAgent(c, p); !ok {
		return code
	}
	engine, recordings, code, ok := engineFor(c, p)
	if !ok {
		return code
	}

	return recordings.Close(c, serveOn(c, p, engine, known))
}

// serveOn serves until the client leaves or the program is interrupted.
func serveOn(c *cli.Call, p *runtime.Program, engine func(runtime.Observer) runtime.Engine, known Credentials) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b, code, ok := openBoard(ctx, c, p)
	if !ok {
		return code
	}
	defer b.Close()
	s := NewServer(Options{Program: p, Board: b, Engine: engine, Agent: c.Flag("agent"), As: c.Flag("as")})
	if err := s.serve(ctx, c, known); err != nil {
		return c.Errorf(cli.Failure, "%v", err)
	}

	return cli.Done
}

func (s *Server) serve(ctx context.Context, c *cli.Call, known Credentials) error {
	if !c.On("http") {
		return s.Serve(ctx, c.Stdin, c.Stdout)
	}
	l, err := bearer.Listen(c.Flag("http"), known, tokensVariable)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Stderr, "%s: serving MCP at http://%s\n", c.Program.Name, l.Addr())

	return s.serveHTTP(ctx, l, known)
}

// readTokens returns the credentials; none where nothing names any.
func readTokens(c *cli.Call) (known Credentials, code int, ok bool) {
	known, where, code, ok := bearer.Read(c, tokensVariable)
	if ok && len(known) > 0 && c.On("as") {
		return nil, c.Usagef("--as says who calls without a credential, and with %s nobody can", where), false
	}

	return known, code, ok
}

// engineFor returns how agents are run: as the command run does it, but without a person to ask. Whoever gets recordings closes them.
func engineFor(c *cli.Call, p *runtime.Program) (engine func(runtime.Observer) runtime.Engine, r app.Recordings, code int, ok bool) {
	script, code, ok := app.ReadScript(c, p)
	if !ok {
		return nil, r, code, false
	}
	if r, code, ok = app.ReadRecordings(c); !ok {
		return nil, r, code, false
	}

	return func(o runtime.Observer) runtime.Engine {
		config := local.Config{Observer: o, Partial: c.On("partial")}
		r.Configure(&config)
		if script != "" {
			return simulate.Engine(script, config)
		}
		return local.New(config)
	}, r, cli.Done, true
}

// checkAgent finds out whether the agent that --agent names can be started.
func checkAgent(c *cli.Call, p *runtime.Program) (code int, ok bool) {
	var names []string
	for _, a := range p.Agents {
		if a.Run == nil {
			continue
		}
		if a.Name == c.Flag("agent") {
			return cli.Done, true
		}
		names = append(names, a.Name)
	}
	if !c.On("agent") {
		return cli.Done, true
	}
	if near, ok := cli.Nearest(c.Flag("agent"), names); ok {
		return c.Usagef("there is no agent %q to run (did you mean %q?)", c.Flag("agent"), near), false
	}

	return c.Usagef("there is no agent %q to run", c.Flag("agent")), false
}

// openBoard opens the record, or makes one.
func openBoard(ctx context.Context, c *cli.Call, p *runtime.Program) (b *board.Board, code int, ok bool) {
	dir := defaultStore
	if c.On("store") {
		dir = c.Flag("store")
	}
	o := board.Options{Program: p}
	if dir != "none" {
		o.Dir = c.Path(filepath.FromSlash(dir))
	}
	b, err := board.Open(ctx, o)
	if err != nil {
		return nil, c.Errorf(cli.Failure, "--store %s: %v", dir, err), false
	}

	return b, cli.Done, true
}
