package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/verify"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
)

var devCommand = &cli.Command{
	Name: "dev", Args: "[DIR] [TASK]", Max: 2,
	Summary: "check, draw and run a project again whenever a file is saved",
	Example: "agentc dev ./examples/support \"The app charged me twice.\"\nagentc dev --script script.yaml",
	Flags: slices.Concat([]cli.Flag{
		{Name: "agent", Value: "NAME", Help: "run this agent instead of the entry point"},
		{Name: "addr", Value: "ADDRESS", Help: "the address of the page; default: " + devAddress + ", or another port if it is in use"},
		{Name: "editor", Value: "LINK", Help: "the form of links to files; default: " + devEditor},
		mainFlag, envFileFlag,
	}, slices.DeleteFunc(slices.Clone(runFlags), func(f cli.Flag) bool { return f.Name == "json" || f.Name == "context" })),
	Run: devProject,
}

const (
	devAddress = "127.0.0.1:8181"
	devEditor  = "vscode://file{file}:{line}:{column}"
)

// dev is the state of the command. All fields belong to the goroutine of runLoop; other goroutines
// send it functions through work.
type dev struct {
	c    *cli.Call
	p    *project
	page *devPage
	work chan func(ctx context.Context)
	// checked is the newest program without errors. built is the program that was built last.
	// served is the hash of the Go that serves.
	checked, built *gen.Result
	served         string
	// isBusy is set while a program is built or started. goFiles is set when the user's Go has
	// changed since the last build.
	busy, goFiles bool
	server        *devServer
	// serving is the build that was started last. restarts counts how often it was restarted after
	// it had ended by itself.
	serving  *devBuild
	restarts int
	// task is the task to start with, nil if there is none or it was started.
	task *string
	// stopFollowing stops printing the events of a run.
	stopFollowing context.CancelFunc
	// usage lists the commands that can be typed.
	usage string
}

func devProject(c *cli.Call) error {
	dir, task := parseDirAndTask(c)
	p, err := openProject(c, dir)
	if err != nil {
		return err
	}
	d := &dev{c: c, p: p, task: task, work: make(chan func(context.Context), 16), stopFollowing: func() {}, usage: devLines}
	d.page, err = openDevPage(d)
	if err != nil {
		return err
	}
	defer d.page.server.Close()
	ctx, quit := signal.NotifyContext(context.Background(), forwardedSignals...)
	defer quit()
	d.printLine("agentc dev: %s, shown at http://%s/", c.Rel(p.dir), d.page.address())
	d.watchFiles(ctx)
	defer d.readInput(quit)()
	d.runLoop(ctx)
	if d.server != nil {
		stopContext, stopNow := signal.NotifyContext(context.Background(), forwardedSignals...)
		defer stopNow()
		d.server.stop(stopContext)
	}

	return nil
}

// runLoop runs the functions that it is sent until it is interrupted.
func (d *dev) runLoop(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case do := <-d.work:
			do(ctx)
		case <-ctx.Done():
		}
	}
}

// startGuarded runs a function in a goroutine. If that panics, the loop panics too, which restores
// the terminal.
func (d *dev) startGuarded(do func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				text := fmt.Sprintf("%v\n%s", v, debug.Stack())
				d.work <- func(context.Context) { panic(text) }
			}
		}()
		do()
	}()
}

// watchFiles checks the project now and whenever a file changes.
func (d *dev) watchFiles(ctx context.Context) {
	files := &watcher{folders: []string{d.p.dir}}
	if m, err := gopkg.ModuleAround(ctx, d.p.dir); err == nil && m != nil {
		files.modules = []string{m.Dir}
	}
	files.seen = files.scanFiles()
	d.checkProject(ctx, nil)
	d.startGuarded(func() {
		for changed := files.waitForChanges(ctx); changed != nil; changed = files.waitForChanges(ctx) {
			d.work <- func(ctx context.Context) { d.checkProject(ctx, changed) }
		}
	})
}

// printLine prints a line on the terminal.
func (d *dev) printLine(format string, args ...any) {
	fmt.Fprintln(d.c.Stderr, d.c.Wrap(d.c.Stderr, replaceUnprintable(fmt.Sprintf(format, args...))))
}

// showError shows why something failed.
func (d *dev) showError(err error) {
	d.printLine("%v", err)
	d.page.updateState(func(s *devState) { s.Problem = err.Error() })
}

// checkProject checks the project and shows its diagnostics and its picture. Without errors it
// starts a build.
func (d *dev) checkProject(ctx context.Context, changed []string) {
	begun := time.Now()
	result, err := d.p.checkOnly()
	if err != nil {
		d.showError(err)
		return
	}
	took := time.Since(begun)
	d.p.reportDiagnostics(d.c, result.Diagnostics)
	saved := ""
	for _, file := range changed[:min(len(changed), 1)] {
		saved = d.c.Rel(file) + ": "
	}
	d.printLine("%s%s (checked in %d ms)", saved, countDiagnostics(result.Diagnostics), took.Milliseconds())
	agents := graph.FindRoots(result.Program)
	if chosen := result.Program.AgentByName(d.p.chosenAgent(d.c)); chosen != nil {
		agents = []*ir.Agent{chosen}
	}
	d.page.updateState(func(s *devState) {
		s.Diagnostics, s.Checked, s.Problem = d.diagnosticLinks(result.Diagnostics), countDiagnostics(result.Diagnostics), ""
		s.Picture = page.SVG(graph.DrawMermaid(errorSpans(result), agents...))
	})
	d.goFiles = d.goFiles || slices.ContainsFunc(changed, isGo)
	if !result.HasErrors() {
		d.checked = result
		d.startBuild(ctx)
	}
}

// startBuild builds the newest program, unless it was built, and replaces the server by it.
func (d *dev) startBuild(ctx context.Context) {
	if d.busy || d.checked == d.built && !d.goFiles {
		return
	}
	b := &devBuild{c: d.c, p: d.p, printLine: d.printLine, result: d.checked, goFiles: d.goFiles}
	d.busy, d.built, d.goFiles = true, d.checked, false
	d.page.updateState(func(s *devState) { s.Busy = "building" })
	d.startGuarded(func() {
		begun := time.Now()
		err := b.linkProgram()
		d.work <- func(ctx context.Context) {
			_, _ = d.c.Stderr.Write(b.output.Bytes())
			failed := ""
			if err != nil {
				failed = strings.TrimSpace(b.output.String())
			}
			d.page.updateState(func(s *devState) { s.Build, s.BuildErrors = failed, d.buildErrorLinks(failed) })
			isSame := b.hash == d.served && !b.goFiles && d.server != nil
			switch {
			case err != nil:
				d.finishBuild(ctx, err)
				if d.server != nil {
					d.printLine("the last good program stays")
				} else if !d.busy {
					d.restartServer()
				}
			case d.checked != b.result || d.goFiles || isSame: // it was edited meanwhile, or its Go has not changed
				d.finishBuild(ctx, nil)
			default:
				d.printLine("built in %.1f s", time.Since(begun).Seconds())
				d.replaceServer(b)
			}
		}
	})
}

// finishBuild is called when a program was built or started; err is why that failed.
func (d *dev) finishBuild(ctx context.Context, err error) {
	d.busy = false
	d.page.updateState(func(s *devState) { s.Busy = "" })
	if err != nil && err.Error() != "" { // without a text the error is in the output of the build
		d.showError(err)
	}
	d.startBuild(ctx)
}

// replaceServer starts a new program after it has stopped the previous one and its runs.
func (d *dev) replaceServer(b *devBuild) {
	previous := d.server
	isEdited := previous == nil || b.hash != d.served
	d.server = nil
	d.page.setServer(nil)
	d.page.updateState(func(s *devState) { s.Busy = "starting" })
	d.startGuarded(func() {
		if previous != nil {
			previous.stop(context.Background())
		}
		server, err := b.startProgram()
		d.work <- func(ctx context.Context) {
			if err == nil {
				d.server, d.served = server, b.hash
				if d.serving != b {
					d.serving, d.restarts = b, 0
				}
				d.page.setServer(server)
				d.restartWhenEnded(server)
			}
			d.finishBuild(ctx, err)
			switch {
			case err != nil:
			case previous == nil:
				d.showFirstRun(ctx)
			case isEdited:
				d.continueNewestRun(ctx)
			default:
				d.printLine("your Go has changed: r runs the task again")
			}
		}
	})
}

// mostRestarts is how often a program that ends by itself is restarted without a new build.
const mostRestarts = 3

// restartWhenEnded restarts the program if it ends by itself.
func (d *dev) restartWhenEnded(server *devServer) {
	d.startGuarded(func() {
		<-server.ended
		d.work <- func(context.Context) {
			if d.server != server { // it was stopped
				return
			}
			d.server = nil
			d.page.setServer(nil)
			if d.restarts == mostRestarts {
				d.showError(fmt.Errorf("the program has ended (%v), after %d restarts: %w", server.cmd.ProcessState, mostRestarts, errEnded))
				return
			}
			d.showError(fmt.Errorf("the program has ended (%v), and is started again; r runs the task again", server.cmd.ProcessState))
			if !d.busy { // otherwise a build is about to replace it
				d.restartServer()
			}
		}
	})
}

// restartServer restarts the program that served last, at most mostRestarts times.
func (d *dev) restartServer() {
	if d.serving == nil || d.restarts == mostRestarts {
		return
	}
	d.restarts++
	d.busy = true
	d.replaceServer(d.serving)
}

// devBuild is a build of the program. It runs in a goroutine of its own, so it has no access to the
// dev.
type devBuild struct {
	c         *cli.Call
	p         *project
	printLine func(format string, args ...any)
	result    *gen.Result
	// goFiles is set if the user's Go has changed.
	goFiles bool
	// binary is the result, script the script that it reads, and hash the hash of its generated Go.
	binary, script, hash string
	environ              []string
	output               bytes.Buffer
}

// linkProgram builds the binary. The error has no text if the output explains it.
func (b *devBuild) linkProgram() error {
	env, call := *b.c.Env, *b.c
	env.Stderr, call.Env = &b.output, &env
	var err error
	b.environ, err = b.p.binaryEnvironment(b.c, b.p.dir)
	if err != nil {
		return err
	}
	l := &linking{c: &call, p: b.p, result: b.result, environ: b.environ, reportSlow: func(text string) { b.printLine("%s", text) }}
	b.result.Files, err = generateGo(b.result.Program)
	if err != nil {
		return err
	}
	l.replacement, err = generateGo(addPart(b.result.Program, "serve"))
	if err != nil {
		return err
	}
	hash := sha256.New()
	for _, f := range l.replacement {
		for line := range bytes.Lines(f.Content) {
			if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) { // comments contain hashes of the sources
				_, _ = hash.Write(line)
			}
		}
	}
	b.hash = string(hash.Sum(nil))
	answers, err := l.loadScript()
	if err == nil {
		err = l.recordScripted(answers)
	}
	if err == nil {
		b.binary, err = l.link(target{})
	}
	if err == nil {
		b.script, err = l.storeScript(answers)
	}

	return err
}

// generateGo returns the verified Go of a program.
func generateGo(p *ir.Program) ([]emit.File, error) {
	files, err := emit.Files(p, emit.Options{Graph: graph.DrawPicture})
	if err != nil {
		return nil, err
	}

	return files, verify.Files(p, files)
}

// addPart returns the program with a part, whether or not its project includes it.
func addPart(p *ir.Program, word string) *ir.Program {
	if slices.Contains(ir.Values(p.Include), word) {
		return p
	}
	extended := *p
	extended.Include = append(slices.Clone(p.Include), ir.Text{Value: word})

	return &extended
}

// startProgram starts the program.
func (b *devBuild) startProgram() (*devServer, error) {
	return startServer(b.binary, b.c.Dir, passedFlags(b.c, runFlags, b.script)[1:], b.environ, b.c.Stderr)
}
