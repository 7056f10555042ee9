package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/servers/bearer"
	"github.com/agentc-dev/agentc/runtime/internal/servers/listen"
)

// tokensVariable holds credentials where no file does.
const tokensVariable = "AGENTC_SERVE_TOKENS"

// defaultAddress is this machine's own.
const defaultAddress = "127.0.0.1:8080"

func newCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "serve", Max: 0,
		Summary: "serve runs over HTTP",
		Help: `Starts and lists runs, streams their events, and accepts answers to their questions. GET /openapi.json describes the
requests. Runs that a crash or the end of a server interrupted are resumed, at the start and later. A run that was resumed 5 times
(--max-recoveries) without progress is quarantined: then only resume or POST /runs/RUN/resume resumes it. The first interrupt stops
each run at its next safe point, and the next server resumes it; the second interrupt stops at once.

With --store none, runs are kept in memory and end with the server. The tokens file --tokens defines who may do what; token add writes it, and
a change takes effect at once. ` + tokensVariable + ` can hold its text instead. Tokens are required for an address that other machines
can reach.`,
		Example: p.Name + " serve\n" + p.Name + " serve --addr 0.0.0.0:8080 --tokens tokens.yaml --store /var/lib/" + p.Name,
		Flags: append([]cli.Flag{
			{Name: "addr", Value: "ADDRESS", Help: "where to listen; default: " + defaultAddress},
			bearer.Flag,
			{Name: "max-runs", Value: "N", Help: "the most runs at a time; default: " + strconv.Itoa(inputs.MaxRuns)},
			{Name: "no-ui", Help: "do not serve the page for browsers at /"},
			{Name: "no-resume", Help: "do not resume interrupted runs"},
			{Name: "until-eof", Help: "stop when stdin ends, so that the server does not outlive the program that started it"},
			{
				Name: "max-recoveries", Value: "N",
				Help: "how often a run is resumed after a crash without progress; default: " + strconv.Itoa(maxRecoveries),
			},
			{Name: "log", Value: "text|json|none", Choices: []string{"text", "json", "none"}, Help: "the form of log lines on stderr; default: text"},
		}, app.RunFlags()...),
		Run: func(c *cli.Call) error { return runServe(c, p) },
	}
}

func runServe(c *cli.Call, p *compiled.Program) error {
	crashBySignal()
	o, done, err := optionsFor(c, p)
	if err != nil {
		return err
	}

	return done(serveRuns(c, o))
}

// serveRuns serves until it is interrupted.
func serveRuns(c *cli.Call, o Options) error {
	s := New(o)
	if s.reportMissing(c, o) {
		s.CloseNow()
		return c.Exit(cli.Problem)
	}
	for _, text := range s.idle.Warnings(o.Program) {
		printWarning(c, o, text)
	}
	l, err := listen.Open(cmp.Or(c.Flag("addr"), defaultAddress), o.Caller != nil, tokensVariable)
	if err != nil {
		s.CloseNow()
		if system := (*os.SyscallError)(nil); errors.As(err, &system) && system.Syscall == "bind" { // most often the port is in use
			return c.Errorf(cli.Problem, "%w; --addr names another address, and one with port 0 takes a free port", err)
		}
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)

	if c.On("until-eof") {
		go interruptAtEOF(c.Stdin, interrupts)
	}
	printNotice(c, o, "serving runs at http://"+l.Addr().String())
	if o.Caller == nil {
		printWarning(c, o, bearer.NoTokens)
	}
	var watching sync.WaitGroup
	if c.On("no-resume") {
		watching.Go(func() { s.reportStranded(ctx) })
	} else {
		watching.Go(func() { s.Watch(ctx) })
	}
	err = s.serveUntilInterrupted(l, interrupts, func(text string) { printNotice(c, o, text) })
	stop()
	s.CloseNow() // nothing is at work
	watching.Wait()

	return err
}

// stoppingTime is how long runs have to reach a safe point when stdin has ended, because a second
// interrupt cannot come.
const stoppingTime = 10 * time.Second

// interruptAtEOF interrupts when the input ends, and again after a while.
func interruptAtEOF(in io.Reader, interrupts chan<- os.Signal) {
	_, _ = io.Copy(io.Discard, in) // an input that cannot be read has ended
	interrupts <- os.Interrupt
	time.Sleep(stoppingTime)
	interrupts <- os.Interrupt
}

// reportMissing reports everything that runs need and lack, and whether there is anything.
func (s *Server) reportMissing(c *cli.Call, o Options) bool {
	missing := s.Missing()
	for _, p := range missing {
		if c.Flag("log") == "json" {
			o.Log.Error("not ready", "type", p.Type, "error", p.Message)
			continue
		}
		c.Sayf("%s", p.Message)
	}

	return len(missing) > 0
}

// printNotice writes a text about the server, not about a run. It is a line of the log where the
// log is JSON.
func printNotice(c *cli.Call, o Options, text string) {
	if c.Flag("log") == "json" {
		o.Log.Info(text)
		return
	}
	fmt.Fprintf(c.Stderr, "%s: %s\n", c.Program.Name, text)
}

// printWarning writes a warning about the server, in the form of printNotice.
func printWarning(c *cli.Call, o Options, text string) {
	if c.Flag("log") == "json" {
		o.Log.Warn(text)
		return
	}
	printNotice(c, o, "warning: "+text)
}

// unsetLogger is the default logger of a program that has set none.
var unsetLogger = slog.Default()

// shareLog has the program's own lines, which tools write with package slog, or log, appear in the form of the server's, unless the
// program has set a default logger.
func shareLog(c *cli.Call, log *slog.Logger) {
	if c.Flag("log") != "none" && slog.Default() == unsetLogger {
		slog.SetDefault(log)
	}
}

// newLogger returns the logger that --log selects.
func newLogger(c *cli.Call) *slog.Logger {
	switch c.Flag("log") {
	case "json":
		return slog.New(slog.NewJSONHandler(c.Stderr, nil))
	case "none":
		return slog.New(slog.DiscardHandler)
	}

	return slog.New(slog.NewTextHandler(c.Stderr, nil))
}

// optionsFor reads the flags.
func optionsFor(c *cli.Call, p *compiled.Program) (o Options, done func(error) error, err error) {
	o = Options{Program: p, Log: newLogger(c), NoPage: c.On("no-ui")}
	shareLog(c, o.Log)
	err = inputs.Counts(c, map[string]*int{"max-runs": &o.MaxRuns, "max-recoveries": &o.MaxRecoveries})
	if err != nil {
		return o, nil, err
	}
	report := func(err error) {
		o.Log.Error("the tokens file cannot be used; the tokens that it had stay in force", "error", err.Error())
	}
	known, _, err := bearer.Read(c, tokensVariable, report)
	if err != nil {
		return o, nil, err
	}
	if known != nil {
		o.Caller = known.Lookup
		bearer.WarnOfNames(o.Log.Warn, p, known)
	}
	config, done, err := inputs.Config(c, p)
	if err != nil {
		return o, nil, err
	}
	o.Store, err = (app.RunsCall{Call: c, Program: p}).Store()
	if err != nil {
		return o, nil, err
	}
	o.Program = core.Configured(p, config)

	return o, done, nil
}

// closingTime is how long replies that are under way have when all runs have stopped.
const closingTime = 5 * time.Second

// serveUntilInterrupted serves until it is interrupted, and then lets runs and replies reach their
// ends.
func (s *Server) serveUntilInterrupted(l net.Listener, interrupts <-chan os.Signal, say func(text string)) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		s.CloseNow()
		return err
	case <-interrupts:
	}

	say("interrupted: runs stop at their next safe points (interrupt again to stop at once)")
	if !inputs.Stops(s.Close, interrupts) {
		say("interrupted: stopped at once")
		s.CloseNow()
	}
	closing, cancel := context.WithTimeout(context.Background(), closingTime)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}

	return server.Close()
}
