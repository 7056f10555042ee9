package mcp

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/board"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/bearer"
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/inputs"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// tokensVariable holds credentials where no file does.
const tokensVariable = "AGENTC_MCP_TOKENS"

// defaultBoard is the folder of the record, below the working directory.
const defaultBoard = ".agentc/board"

// noStore is the store of a server that keeps nothing.
const noStore = "none"

func command(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "mcp", Max: 0,
		Summary: "serve machines and agents over the Model Context Protocol",
		Help: `Serves one client on stdin and stdout, or with --http any number of clients over streamable HTTP. Clients drive the live
machines (fsm_transition, fsm_state, fsm_pending and others), share a blackboard, and run agents and workflows (agent_...). Runs are
recorded as those of the command run are. A run continues when its client disconnects: run_status shows it, run_answer answers its
questions. Runs that a crash or the end of a server interrupted are resumed. The first interrupt stops each run at its next safe point,
and the next server resumes it; the second interrupt stops at once.

The caller is identified by a credential: on stdin by --as, over HTTP by the bearer token. Credentials are lines NAME=TOKEN in the file
--tokens or in ` + tokensVariable + `. They are required for an address that other machines can reach.`,
		Example: p.Name + " mcp --as reviewer\n" + p.Name + " mcp --http 127.0.0.1:8080 --tokens tokens.txt",
		Flags: append([]cli.Flag{
			{Name: "http", Value: "ADDRESS", Help: "serve HTTP at this address, such as 127.0.0.1:8080"},
			{Name: "as", Value: "NAME", Help: "the name of a caller without a credential; default: none, so that only access rules for * apply"},
			bearer.Flag,
			{Name: "operators", Value: "NAMES", Help: "token holders who see and answer the runs of every caller, such as ada,bob"},
			{Name: "max-runs", Value: "N", Help: "the most runs at a time; default: " + strconv.Itoa(inputs.MaxRuns)},
			{Name: "max-sessions", Value: "N", Help: "the most HTTP sessions at a time; default: " + strconv.Itoa(defaultMaxSessions)},
			{Name: "no-resume", Help: "do not resume interrupted runs"},
			{Name: "agent", Value: "NAME", Help: "offer only this agent; default: every agent that can be started"},
		}, runFlags()...),
		Run: func(c *cli.Call) error { return serveCommand(c, p) },
	}
}

// runFlags are those of commands that run agents; the folder of journals is that of the audit log, too.
func runFlags() []cli.Flag {
	flags := app.RunFlags()
	for i, f := range flags {
		if f.Name == "store" {
			flags[i].Value = "DIR|none"
			flags[i].Help = "the folder of journals and audit log, or none for memory; default: that of run, and " + defaultBoard
		}
	}

	return flags
}

func serveCommand(c *cli.Call, p *compiled.Program) error {
	known, err := readTokens(c)
	if err != nil {
		return err
	}
	if c.On("agent") {
		if _, err := inputs.Agent(c, p); err != nil {
			return err
		}
	}
	o := Options{Program: p, Agent: c.Flag("agent"), As: c.Flag("as")}
	if c.On("operators") {
		o.Operators = strings.Split(c.Flag("operators"), ",")
	}
	store, err := app.RunsCall{Call: c, Program: p}.Store()
	if err != nil {
		return err
	}
	runs := serve.Options{Program: p, Store: store, Log: slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	if err := inputs.Counts(c, map[string]*int{"max-runs": &runs.MaxRuns, "max-sessions": &o.MaxSessions}); err != nil {
		return err
	}
	config, done, err := inputs.Config(c, p) // as the command run does it, but without a person to ask
	if err != nil {
		return err
	}
	runs.Program = core.Configured(p, config)
	for _, text := range core.New(config).Warnings(p) {
		fmt.Fprintf(c.Stderr, "%s: warning: %s\n", c.Program.Name, text)
	}

	return done(serveOn(c, o, runs, known))
}

// serveOn serves until the client leaves or the program is interrupted.
func serveOn(c *cli.Call, o Options, runs serve.Options, known bearer.Credentials) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(interrupts)
	signal.Ignore(syscall.SIGPIPE) // a client that has left is no reason to die in the middle of a run

	b, err := openBoard(ctx, c, o.Program)
	if err != nil {
		return err
	}
	defer b.Close()
	l, err := listen(c, known)
	if err != nil {
		return err
	}
	o.Board, o.Runs = b, serve.New(runs)
	if !c.On("no-resume") {
		go o.Runs.Watch(ctx)
	}
	s := NewServer(o)
	ended := make(chan error, 1)
	go func() {
		if l == nil {
			ended <- s.Serve(ctx, c.Stdin, c.Stdout)
			return
		}
		ended <- s.serveHTTP(ctx, l, known)
	}()

	left := false
	select {
	case err = <-ended:
		left = true
	case <-interrupts:
		fmt.Fprintf(c.Stderr, "%s: interrupted: runs stop at their next safe points (interrupt again to stop at once)\n", c.Program.Name)
	}
	if !inputs.Stops(o.Runs.Close, interrupts) { // the next server resumes what has not ended
		o.Runs.CloseNow()
	}
	if !left { // only now: calls that wait for runs are answered first
		stop()
		err = <-ended
	}

	return err
}

// listen listens where --http says; nil without it.
func listen(c *cli.Call, known bearer.Credentials) (net.Listener, error) {
	if !c.On("http") {
		return nil, nil
	}
	l, err := bearer.Listen(c.Flag("http"), len(known) > 0, tokensVariable)
	if err == nil {
		fmt.Fprintf(c.Stderr, "%s: serving MCP at http://%s\n", c.Program.Name, l.Addr())
	}

	return l, err
}

// readTokens returns the credentials; none where nothing names any.
func readTokens(c *cli.Call) (known bearer.Credentials, err error) {
	known, where, err := bearer.Read(c, tokensVariable)
	if err == nil && len(known) > 0 && c.On("as") {
		return nil, c.Usagef("--as says who calls without a credential, and with %s no caller can", where)
	}

	return known, err
}

// openBoard opens the record, or makes one.
func openBoard(ctx context.Context, c *cli.Call, p *compiled.Program) (*board.Board, error) {
	dir := cmp.Or(c.Flag("store"), defaultBoard)
	o := board.Options{Program: p}
	if dir != noStore {
		o.Dir = c.Path(filepath.FromSlash(dir))
	}
	b, err := board.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", dir, err)
	}

	return b, nil
}

// Part is the command mcp as a part of a program: generated code names it for include: [mcp].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "mcp" }

// Commands returns the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command { return []*cli.Command{command(p)} }
