package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/postgres/postgrestest"
)

// durableProgram measures durable workflows whose steps do nothing, each in a database of its own.
const durableProgram = `// Program durable-run lets durable workflows take turns.
package main

import (
	"context"
	"errors"
	"fmt"

	once "github.com/agentc-dev/agentc/runtime/benchmarks/peers/bench/durable/once/agents"
	repeatable "github.com/agentc-dev/agentc/runtime/benchmarks/peers/bench/durable/repeatable/agents"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/benchmarks/peers"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

func main() { contest.Main(measure) }

// functions are the steps, which return what they are given.
type functions struct{}

func (functions) WorkStep(_ context.Context, in string) (string, error) { return in, nil }

// app is the generated App of either project.
type app interface {
	Run(ctx context.Context, engine compiled.Engine, input string) (runtime.Finish, error)
}

const atOnce = 8

func measure(task contest.Task) (scores []contest.Score, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store, closeStore, err := peers.OpenStore(task.Addresses["agentc"])
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	dbos, err := peers.OpenDBOS(ctx, task.Addresses["DBOS"], task.Steps)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dbos.Close()) }()

	counted := &contest.EventCounter{}
	unobserved := engine.New(engine.Options{Store: store})
	observed := engine.New(engine.Options{Store: store, Observers: []event.Observer{counted}})
	run := func(name string, runs int, once func() (string, error)) contest.Contestant {
		return contest.Contestant{Name: name, Steps: runs * task.Runs * task.Steps, Run: func() error {
			return contest.Together(runs, func(int) error {
				for range task.Runs {
					text, err := once()
					if err == nil && text != contest.EchoInput {
						err = fmt.Errorf("the run ends with %q", text)
					}
					if err != nil {
						return err
					}
				}

				return nil
			})
		}}
	}
	onEngine := func(name string, runs int, a app, eng *engine.Engine) contest.Contestant {
		return run(name, runs, func() (string, error) {
			fin, err := a.Run(ctx, eng, contest.EchoInput)
			return fin.Value, err
		})
	}
	byDBOS := func() (string, error) { return dbos.Run(contest.EchoInput) }
	strict, lenient := once.New(functions{}), repeatable.New(functions{})
	scores, err = contest.Hold(task.Rounds,
		onEngine("agentc", 1, strict, unobserved), onEngine("observed", 1, strict, observed),
		onEngine("repeatable", 1, lenient, unobserved), onEngine("agentc together", atOnce, strict, unobserved),
		run("DBOS", 1, byDBOS), run("DBOS together", atOnce, byDBOS))
	if err == nil && counted.Events < task.Steps {
		err = fmt.Errorf("the observer received %d events", counted.Events)
	}

	return scores, err
}
`

// The goals of durable workflows: how much longer a step of DBOS takes on the same database.
const (
	durableSQLiteGoal   = 1.2
	durablePostgresGoal = 3
)

// measureDurables measures durable workflows beside those of DBOS: on SQLite at both settings of synchronous, and on PostgreSQL
// where it is installed.
func (b *bench) measureDurables() {
	steps := b.size(100, 5)
	b.measureBesidePeers(func() {
		b.generate("durable/once", durableProject(steps, ""))
		b.generate("durable/repeatable", durableProject(steps, ", idempotent: true"))
		b.onDisk(func(b *journalBench) {
			b.measureDurable("SQLite, synchronous=FULL", steps, durableSQLiteGoal, b.sqliteAddresses("FULL"))
			b.measureDurable("SQLite, synchronous=NORMAL", steps, durableSQLiteGoal, b.sqliteAddresses("NORMAL"))
		})
		server, err := postgrestest.Start()
		if errors.Is(err, postgrestest.ErrMissing) {
			b.progress.say("durable: %v", err)
			return
		}
		check(err)
		defer func() { check(server.Stop()) }()
		b.onDisk(func(b *journalBench) {
			b.measureDurable("PostgreSQL", steps, durablePostgresGoal,
				map[string]string{"agentc": must(server.New("agentc")), "DBOS": must(server.New("dbos"))})
		})
	})
}

// sqliteAddresses are the addresses of two SQLite files at a setting of synchronous.
func (b *journalBench) sqliteAddresses(synchronous string) map[string]string {
	file := func(name string) string { return "sqlite:" + filepath.Join(b.disk, name+"-"+synchronous+".db") }

	return map[string]string{
		"agentc": file("agentc") + "?sync=" + strings.ToLower(synchronous),
		"DBOS": file("dbos") + "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=foreign_keys(ON)&_pragma=journal_mode(WAL)" +
			"&_pragma=synchronous(" + synchronous + ")",
	}
}

// measureDurable measures workflows on one kind of database.
func (b *journalBench) measureDurable(name string, steps int, aim float64, addresses map[string]string) {
	b.progress.say("durable steps, %s", name)
	scores := b.measure("durable-run", durableProgram,
		contest.Task{Steps: steps, Runs: 1, Rounds: b.size(21, 1), Addresses: addresses})
	title := "durable step, " + name + ": DBOS / App.Run"
	b.compare(title, scores, "DBOS", "agentc", goal{atLeast, aim})
	b.compare(title+", observed", scores, "DBOS", "observed", goal{atLeast, aim})
	b.compare(title+", 8 runs at once", scores, "DBOS together", "agentc together", goal{})
	b.compare(title+", a step that may be repeated", scores, "DBOS", "repeatable", goal{})
}

// durableProject is a workflow of n steps that call a function with these fields.
func durableProject(n int, fields string) project {
	p := make(project)
	p["agentc.yaml"] = "entrypoint: steps\n"
	var steps strings.Builder
	for i := range n {
		fmt.Fprintf(&steps, "  - {name: step-%d, uses: \"work:step\", ", i)
		fmt.Fprintf(&steps, "input_schema: {type: string}, output_schema: {type: string}%s}\n", fields)
	}
	p.workflow("steps", steps.String())

	return p
}
