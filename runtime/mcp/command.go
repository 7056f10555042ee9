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

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/servers/bearer"
	"github.com/agentc-dev/agentc/runtime/internal/servers/listen"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// tokensVariable holds credentials where no file does.
const tokensVariable = "AGENTC_MCP_TOKENS"

// defaultBoard is the folder of the record, below the working directory.
const defaultBoard = ".agentc/board"

// noStore is the store of a server that keeps nothing.
const noStore = "none"

func newCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "mcp", Max: 0,
		Summary: "serve machines and agents over the Model Context Protocol",
		Help: `Serves one client on stdin and stdout, or with --http any number of clients over streamable HTTP. Clients drive the live
machines (fsm_transition, fsm_state, fsm_pending and others), share a blackboard, and run agents and workflows (agent_...). Runs are
recorded as those of the command run are. A run continues when its client disconnects: run_status shows it, run_answer answers its
questions. Runs that a crash or the end of a server interrupted are resumed. The first interrupt stops each run at its next safe point,
and the next server resumes it; the second interrupt stops at once.

The tokens file --tokens defines who may do what; token add writes it, and a change takes effect at once. ` + tokensVariable + ` can hold its text
instead. Over HTTP a bearer token defines who calls; tokens are required for an address that other machines can reach. On stdin the token is
in the file --token-file or in ` + bearer.TokenVariable + `.

Without tokens, --as names the caller, and nothing proves it: a caller that can start this program and write its store can do so under any name.
So --as is refused where access rules of a machine name callers.`,
		Example: p.Name + " mcp --as reviewer\n" + p.Name + " mcp --token-file my.token\n" + p.Name + " mcp --http 127.0.0.1:8080 --tokens tokens.yaml",
		Flags: append([]cli.Flag{
			{Name: "http", Value: "ADDRESS", Help: "serve HTTP at this address, such as 127.0.0.1:8080"},
			{Name: "as", Value: "NAME", Help: "the name of the caller where there are no tokens; default: none, so that only access rules for * apply"},
			bearer.Flag,
			bearer.TokenFlag,
			{Name: "operators", Value: "NAMES", Help: "give read and answer to these tokens, such as ada,bob; other lines NAME=TOKEN lose read and admin"},
			{Name: "max-runs", Value: "N", Help: "the most runs at a time; default: " + strconv.Itoa(inputs.MaxRuns)},
			{Name: "max-sessions", Value: "N", Help: "the most HTTP sessions at a time; default: " + strconv.Itoa(defaultMaxSessions)},
			{Name: "no-resume", Help: "do not resume interrupted runs"},
			{Name: "agent", Value: "NAME", Help: "offer only this agent; default: every agent that can be started"},
		}, runFlags()...),
		Run: func(c *cli.Call) error { return serveCommand(c, p) },
	}
}

// runFlags are the flags of commands that run agents; the folder of journals is also the folder of
// the audit log.
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
	log := slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	lookup, who, err := readCaller(c, p, log)
	if err != nil {
		return err
	}
	if c.On("agent") {
		if _, err := inputs.Agent(c, p); err != nil {
			return err
		}
	}
	o := Options{Program: p, Agent: c.Flag("agent"), Caller: who}
	store, err := app.RunsCall{Call: c, Program: p}.Store()
	if err != nil {
		return err
	}
	runs := serve.Options{Program: p, Store: store, Log: log}
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

	return done(serveOn(c, o, runs, lookup))
}

// serveOn serves until the client leaves or the program is interrupted.
func serveOn(c *cli.Call, o Options, runs serve.Options, lookup access.Lookup) error {
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
	l, err := openHTTP(c, lookup)
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
		ended <- s.serveHTTP(ctx, l, lookup)
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

// openHTTP listens where --http says; nil without it.
func openHTTP(c *cli.Call, lookup access.Lookup) (net.Listener, error) {
	if !c.On("http") {
		return nil, nil
	}
	l, err := listen.Open(c.Flag("http"), lookup != nil, tokensVariable)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.Stderr, "%s: serving MCP at http://%s\n", c.Program.Name, l.Addr())
	if lookup == nil {
		fmt.Fprintf(c.Stderr, "%s: warning: %s\n", c.Program.Name, bearer.NoTokens)
	}

	return l, nil
}

// readCaller returns the holders of tokens, nil where none are needed, and the caller of a connection without a bearer token.
func readCaller(c *cli.Call, p *compiled.Program, log *slog.Logger) (lookup access.Lookup, who access.Caller, err error) {
	report := func(err error) {
		log.Error("the tokens file cannot be used; the tokens that it had stay in force", "error", err.Error())
	}
	tokens, where, err := bearer.Read(c, tokensVariable, report)
	switch {
	case err != nil:
		return nil, who, err
	case tokens == nil && c.On("operators"):
		return nil, who, c.Usagef("--operators names holders of tokens, and there are no tokens")
	case tokens == nil:
		return nil, access.Named(c.Flag("as")), checkClaim(c, p)
	case c.On("as"):
		return nil, who, c.Usagef("--as names the caller where there are no tokens, and with %s no caller can", where)
	case c.On("operators"):
		if err := tokens.AddOperators(strings.Split(c.Flag("operators"), ",")...); err != nil {
			return nil, who, c.Errorf(cli.Problem, "--operators: %w", err)
		}
	}
	bearer.WarnOfNames(log.Warn, p, tokens)
	if !c.On("http") {
		who, err = bearer.ReadCaller(c, tokens.Lookup, where)
	}

	return tokens.Lookup, who, err
}

// namingCallers is a live machine that knows whether its access rules name callers.
type namingCallers interface{ NamesCallers() bool }

// checkClaim refuses --as where it would decide who may do what: it is a word that the caller has chosen.
func checkClaim(c *cli.Call, p *compiled.Program) error {
	if !c.On("as") {
		return nil
	}
	for _, m := range p.Machines {
		if naming, ok := m.New(nil).(namingCallers); ok && naming.NamesCallers() {
			const text = "--as %[1]s proves nothing, and the access rules of machine %[2]s name callers: give each caller a token " +
				"(%[3]s), and start this command with --token-file FILE, or with the token in %[4]s; or leave --as out, and only rules for * apply"
			return c.Errorf(cli.Problem, text, c.Flag("as"), m.Name, c.Program.Called("token", "add", c.Flag("as"), "--rights", "fire"), bearer.TokenVariable)
		}
	}

	return nil
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
func (Part) Commands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{newCommand(p), board.RecordCommand(p.Name)}
}
