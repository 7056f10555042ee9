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

// dev is the command at work. Its fields belong to the goroutine of loop, which does the work that
// it is sent.
type dev struct {
	c    *cli.Call
	p    *project
	page *devPage
	work chan func(ctx context.Context)
	// checked is the newest program without errors, built the one that was built last, from the Go
	// that served is a hash of.
	checked, built *gen.Result
	served         string
	// busy says that a program is being built or started, goFiles that Go of the user has changed
	// since the last one was.
	busy, goFiles bool
	server        *devServer
	// serving is the build that was started last, and restarts counts how often it was started
	// again after it had ended by itself.
	serving  *devBuild
	restarts int
	// task is the task to start with; nil if there is none, or it was started.
	task *string
	// unfollow ends what shows the events of a run.
	unfollow context.CancelFunc
	// usage says what can be typed.
	usage string
}

func devProject(c *cli.Call) error {
	dir, task := dirAndTask(c)
	p, err := openProject(c, dir)
	if err != nil {
		return err
	}
	d := &dev{c: c, p: p, task: task, work: make(chan func(context.Context), 16), unfollow: func() {}, usage: devLines}
	if d.page, err = openDevPage(d); err != nil {
		return err
	}
	defer d.page.server.Close()
	ctx, quit := signal.NotifyContext(context.Background(), passedOn...)
	defer quit()
	d.say("agentc dev: %s, shown at http://%s/", c.Rel(p.dir), d.page.address())
	d.watch(ctx)
	defer d.readTyped(quit)()
	d.loop(ctx)
	if d.server != nil {
		ending, now := signal.NotifyContext(context.Background(), passedOn...)
		defer now()
		d.server.stop(ending)
	}

	return nil
}

// loop does the work that it is sent until it is interrupted.
func (d *dev) loop(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case do := <-d.work:
			do(ctx)
		case <-ctx.Done():
		}
	}
}

// beside does something beside the loop, which panics if that does: only then is the terminal
// restored.
func (d *dev) beside(do func()) {
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

// watch checks the project now and whenever a file changes.
func (d *dev) watch(ctx context.Context) {
	files := &watcher{folders: []string{d.p.dir}}
	if m, err := gopkg.ModuleAround(ctx, d.p.dir); err == nil && m != nil {
		files.modules = []string{m.Dir}
	}
	files.seen = files.scan()
	d.check(ctx, nil)
	d.beside(func() {
		for changed := files.changed(ctx); changed != nil; changed = files.changed(ctx) {
			d.work <- func(ctx context.Context) { d.check(ctx, changed) }
		}
	})
}

// say prints a line on the terminal.
func (d *dev) say(format string, args ...any) {
	fmt.Fprintln(d.c.Stderr, d.c.Wrap(d.c.Stderr, printable(fmt.Sprintf(format, args...))))
}

// fail shows why something did not work.
func (d *dev) fail(err error) {
	d.say("%v", err)
	d.page.change(func(s *devState) { s.Problem = err.Error() })
}

// check checks the project, shows what it found and what the project looks like, and has the
// program built if there are no errors.
func (d *dev) check(ctx context.Context, changed []string) {
	begun := time.Now()
	result, err := d.p.check()
	if err != nil {
		d.fail(err)
		return
	}
	took := time.Since(begun)
	d.p.report(d.c, result.Diagnostics)
	saved := ""
	for _, file := range changed[:min(len(changed), 1)] {
		saved = d.c.Rel(file) + ": "
	}
	d.say("%s%s (checked in %d ms)", saved, count(result.Diagnostics), took.Milliseconds())
	agents := graph.Roots(result.Program)
	if chosen := result.Program.AgentByName(d.p.chosen(d.c)); chosen != nil {
		agents = []*ir.Agent{chosen}
	}
	d.page.change(func(s *devState) {
		s.Diagnostics, s.Checked, s.Problem = d.links(result.Diagnostics), count(result.Diagnostics), ""
		s.Picture = page.SVG(graph.Mermaid(errorsIn(result), agents...))
	})
	d.goFiles = d.goFiles || slices.ContainsFunc(changed, isGo)
	if !result.HasErrors() {
		d.checked = result
		d.build(ctx)
	}
}

// build builds the newest program, unless that was done, and has it take over.
func (d *dev) build(ctx context.Context) {
	if d.busy || d.checked == d.built && !d.goFiles {
		return
	}
	b := &devBuild{dev: d, result: d.checked, goFiles: d.goFiles}
	d.busy, d.built, d.goFiles = true, d.checked, false
	d.page.change(func(s *devState) { s.Busy = "building" })
	d.beside(func() {
		begun := time.Now()
		err := b.link()
		d.work <- func(ctx context.Context) {
			_, _ = d.c.Stderr.Write(b.output.Bytes())
			failed := ""
			if err != nil {
				failed = strings.TrimSpace(b.output.String())
			}
			d.page.change(func(s *devState) { s.Build, s.Faults = failed, d.faults(failed) })
			isSame := b.hash == d.served && !b.goFiles && d.server != nil
			switch {
			case err != nil:
				d.idle(ctx, err)
				if d.server != nil {
					d.say("the last good program stays")
				} else if !d.busy {
					d.restart()
				}
			case d.checked != b.result || d.goFiles || isSame: // it was edited meanwhile, or nothing of it was
				d.idle(ctx, nil)
			default:
				d.say("built in %.1f s", time.Since(begun).Seconds())
				d.replace(b)
			}
		}
	})
}

// idle ends the work on a program; err is why it failed.
func (d *dev) idle(ctx context.Context, err error) {
	d.busy = false
	d.page.change(func(s *devState) { s.Busy = "" })
	if err != nil && err.Error() != "" { // else the output says it
		d.fail(err)
	}
	d.build(ctx)
}

// replace has a new program serve instead of the one before, whose runs stop.
func (d *dev) replace(b *devBuild) {
	before := d.server
	isEdited := before == nil || b.hash != d.served
	d.server = nil
	d.page.proxy(nil)
	d.page.change(func(s *devState) { s.Busy = "starting" })
	d.beside(func() {
		if before != nil {
			before.stop(context.Background())
		}
		server, err := b.start()
		d.work <- func(ctx context.Context) {
			if err == nil {
				d.server, d.served = server, b.hash
				if d.serving != b {
					d.serving, d.restarts = b, 0
				}
				d.page.proxy(server)
				d.watchEnd(server)
			}
			d.idle(ctx, err)
			switch {
			case err != nil:
			case before == nil:
				d.begin(ctx)
			case isEdited:
				d.goOn(ctx)
			default:
				d.say("your Go has changed: r runs the task again")
			}
		}
	})
}

// mostRestarts is how often a program that ends by itself is started again before it is built
// again.
const mostRestarts = 3

// watchEnd has the program started again if it ends by itself.
func (d *dev) watchEnd(server *devServer) {
	d.beside(func() {
		<-server.ended
		d.work <- func(context.Context) {
			if d.server != server { // it was stopped
				return
			}
			d.server = nil
			d.page.proxy(nil)
			if d.restarts == mostRestarts {
				d.fail(fmt.Errorf("the program has ended (%v), after %d restarts: %w", server.cmd.ProcessState, mostRestarts, errEnded))
				return
			}
			d.fail(fmt.Errorf("the program has ended (%v), and is started again; r runs the task again", server.cmd.ProcessState))
			if !d.busy { // else a build is about to take over
				d.restart()
			}
		}
	})
}

// restart starts the program again that served last, if there is one and it was not restarted too
// often.
func (d *dev) restart() {
	if d.serving == nil || d.restarts == mostRestarts {
		return
	}
	d.restarts++
	d.busy = true
	d.replace(d.serving)
}

// devBuild is a program that is built.
type devBuild struct {
	*dev
	result *gen.Result
	// goFiles says that Go of the user has changed.
	goFiles bool
	// binary is the result, script the script that it reads, and hash that of its generated Go.
	binary, script, hash string
	environ              []string
	output               bytes.Buffer
}

// link makes the binary. The error has no text if the output says what is wrong.
func (b *devBuild) link() error {
	env, call := *b.c.Env, *b.c
	env.Stderr, call.Env = &b.output, &env
	var err error
	if b.environ, err = b.p.environment(b.c, b.p.dir); err != nil {
		return err
	}
	l := &linking{c: &call, p: b.p, result: b.result, environ: b.environ, saySlow: func(text string) { b.say("%s", text) }}
	if b.result.Files, err = generated(b.result.Program); err != nil {
		return err
	}
	serving := *b.result.Program
	if !slices.ContainsFunc(serving.Include, func(t ir.Text) bool { return t.Value == "serve" }) {
		serving.Include = append(slices.Clone(serving.Include), ir.Text{Value: "serve"})
	}
	if l.other, err = generated(&serving); err != nil {
		return err
	}
	hash := sha256.New()
	for _, f := range l.other {
		for line := range bytes.Lines(f.Content) {
			if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) { // comments have hashes of the sources
				_, _ = hash.Write(line)
			}
		}
	}
	b.hash = string(hash.Sum(nil))
	answers, err := l.loadScript()
	if err == nil {
		err = l.answeredBy(answers)
	}
	if err == nil {
		b.script = answers.file
		b.binary, err = l.link(target{})
	}

	return err
}

// generated is the Go of a program.
func generated(p *ir.Program) ([]emit.File, error) {
	files, err := emit.Files(p, emit.Options{Graph: graph.Picture})
	if err != nil {
		return nil, err
	}

	return files, verify.Files(p, files)
}

// start starts the program.
func (b *devBuild) start() (*devServer, error) {
	return startServer(b.binary, b.c.Dir, passedFlags(b.c, runFlags, b.script)[1:], b.environ, b.c.Stderr)
}
