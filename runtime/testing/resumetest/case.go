package resumetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Case is a run to interrupt and resume.
type Case struct {
	Program *compiled.Program
	// Agent is run with Input; "" is the entry point.
	Agent, Input string
	// Options returns the options of the engine of one process; it is called for each. Store and run id are set by
	// the test.
	Options func() engine.Options
	// Store returns a store without the run, once for each time that the run begins or is resumed; nil: one in memory.
	Store func() (journal.Store, error)
	// Sample reports whether the run is interrupted after that many of all records of its journal; nil: after each.
	Sample func(records, all int) bool
}

// Counts count what was done in a case, or in several.
type Counts struct {
	// Runs is the number of runs without interruption, and Resumed of those that were interrupted.
	Runs, Resumed int
	// Kept is the number of effects whose results a run had when it was interrupted, and Done of those that were
	// executed afterwards.
	Kept, Done int
	// Asked is the number of effects that must not happen twice and of which it was not known whether they had
	// happened.
	Asked int
}

// Add adds other counts.
func (c *Counts) Add(o Counts) {
	c.Runs += o.Runs
	c.Resumed += o.Resumed
	c.Kept += o.Kept
	c.Done += o.Done
	c.Asked += o.Asked
}

// String returns the counts as one line.
func (c Counts) String() string {
	const text = "%d runs, interrupted and resumed %d times: %d effects kept, %d carried out, %d asked about"

	return fmt.Sprintf(text, c.Runs, c.Resumed, c.Kept, c.Done, c.Asked)
}

// runID is the name of every run: each is in a store of its own.
const runID = "run"

// Check runs the case and interrupts it. The error lists what is wrong, each problem with the number of records after
// which the run was interrupted.
func (c Case) Check(ctx context.Context) (counts Counts, err error) {
	plain := c.beginRun(ctx, nil)
	store, err := c.newStore()
	if err != nil {
		return counts, err
	}
	whole := c.beginRun(ctx, store)
	counts.Runs = 2
	if whole.comparableText() != plain.comparableText() {
		return counts, fmt.Errorf("with a journal it ends with\n%s\nand without one with\n%s", whole.comparableText(), plain.comparableText())
	}
	j, err := journal.Read(ctx, store, runID)
	if err != nil {
		if plain.err != nil && errors.Is(err, journal.ErrUnknownRun) { // it was refused before it began
			return counts, nil
		}

		return counts, err
	}
	want := tallyOf(j.Records)
	if problem := want.findRepeated(tallyOf(nil), want); problem != "" {
		return counts, errors.New(problem)
	}

	var problems []error
	for k := 1; k <= len(j.Records); k++ {
		if c.Sample != nil && !c.Sample(k, len(j.Records)) {
			continue
		}
		problem := c.checkResume(ctx, &counts, j.Records[:k], whole, want)
		if problem != "" {
			problems = append(problems, fmt.Errorf("resumed after %d of %d records: %s", k, len(j.Records), problem))
		}
	}

	return counts, errors.Join(problems...)
}

func (c Case) newStore() (journal.Store, error) {
	if c.Store == nil {
		return journal.Memory(), nil
	}

	return c.Store()
}

// outcome is how a process left a run.
type outcome struct {
	fin runtime.Finish
	err error
}

// comparableText compares outcomes: the number of a run's own errors is not what they are about.
func (o outcome) comparableText() string {
	if o.err != nil {
		return runtime.ErrorType(o.err) + ": " + o.err.Error()
	}

	return fmt.Sprintf("%s %v %v: %s", o.fin.Key, o.fin.JSON, o.fin.Synthetic, o.fin.Value)
}

// newEngine is the engine of one process. asked counts the effects that it asks about.
func (c Case) newEngine(store journal.Store, asked *int) *core.Engine {
	var config core.Config
	core.Configure(c.Options(), &config)
	config.RunID = func() string { return runID }
	config.Store = store
	config.Asker = &person{asker: config.Asker, asked: asked}

	return core.New(config)
}

// person has an effect repeated if it is unknown whether it has happened, and leaves other
// questions to the asker of the configuration, if there is one.
type person struct {
	asker core.Asker
	mu    sync.Mutex
	asked *int
}

// Ask implements core.Asker.
func (p *person) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	switch {
	case strings.HasPrefix(q.ID, unknown.Question("")):
		p.mu.Lock()
		defer p.mu.Unlock()
		*p.asked++

		return runtime.Answer{Value: "again"}, nil
	case p.asker != nil:
		return p.asker.Ask(ctx, q)
	}

	return runtime.Answer{}, &runtime.PausedError{Question: q}
}

func (c Case) beginRun(ctx context.Context, store journal.Store) outcome {
	fin, err := c.newEngine(store, new(int)).Run(ctx, c.Program, cmp.Or(c.Agent, c.Program.Entry), c.Input)

	return outcome{fin, err}
}

func (c Case) resumeRun(ctx context.Context, store journal.Store, counts *Counts) outcome {
	fin, err := c.newEngine(store, &counts.Asked).Resume(ctx, c.Program, runID, core.ResumeOptions{})

	return outcome{fin, err}
}

// Some returns a sample of about so many of the points at which a journal can be cut, including the first and the
// last. It depends on the seed only.
func Some(seed string, places int) func(records, all int) bool {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(seed))
	random := rand.New(rand.NewPCG(hash.Sum64(), 1))

	return func(records, all int) bool {
		return records == 1 || records == all || random.IntN(max(all, 1)) < places-2
	}
}
