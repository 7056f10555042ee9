package resumetest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// asProcess, in the environment, makes the test binary a process that runs or resumes an example: its name, the folder, at which of its
// steps with the store the process is killed, and what is answered about a write that has happened: skip or done.
const asProcess = "AGENTC_RESUME_TEST"

func TestMain(m *testing.M) {
	if args := os.Getenv(asProcess); args != "" {
		if err := live(strings.Split(args, "|")); err != nil {
			fmt.Println("error:", err)
		}

		return
	}
	os.Exit(m.Run())
}

// mortal is a store that kills the process at one of its steps.
type mortal struct {
	journal.Store
	at    int64
	steps atomic.Int64
}

// step is one place where the process may die.
func (s *mortal) step(last func()) {
	if s.steps.Add(1) != s.at {
		return
	}
	last()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	_ = self.Kill()
	select {}
}

func (s *mortal) Create(ctx context.Context, run string) (journal.File, error) {
	file, err := s.Store.Create(ctx, run)
	s.step(func() {})

	return &mortalFile{file, s}, err
}

func (s *mortal) Open(ctx context.Context, run string) (journal.File, error) {
	file, err := s.Store.Open(ctx, run)

	return &mortalFile{file, s}, err
}

type mortalFile struct {
	journal.File
	s *mortal
}

// Append dies before, in the midst of, and after a block.
func (f *mortalFile) Append(p []byte) error {
	f.s.step(func() {})
	f.s.step(func() { _ = f.File.Append(p[:len(p)/2]) })
	err := f.File.Append(p)
	f.s.step(func() {})

	return err
}

func (f *mortalFile) Sync() error {
	err := f.File.Sync()
	f.s.step(func() {})

	return err
}

const killedRun = "r"

// slow lets what happens take its time, so that it does not all get into one block.
type slow struct{}

func (slow) Observe(event.Event) { time.Sleep(time.Millisecond) }

// live is what a process does; it prints how the run ends.
func live(args []string) error {
	ex := examples[slices.IndexFunc(examples, func(e example) bool { return e.name == args[0] })]
	dir, store := args[1], journal.Files(filepath.Join(args[1], "runs"))
	at, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	config := core.Config{
		Store: &mortal{Store: store, at: at}, RunID: func() string { return killedRun },
		Asker: &witness{store, folder(dir), args[3]}, Observer: slow{},
	}
	if ex.script != "" {
		script, err := os.ReadFile(ex.script)
		if err != nil {
			return err
		}
		config.Script = string(script)
	}
	engine, p := core.New(config), ex.program(folder(dir))
	fin, err := engine.Resume(context.Background(), p, killedRun, core.ResumeOptions{})
	if errors.Is(err, journal.ErrNotBegun) {
		err = errors.Join(store.Remove(context.Background(), killedRun), journal.ErrUnknownRun)
	}
	if errors.Is(err, journal.ErrUnknownRun) {
		fin, err = engine.Run(context.Background(), p, p.Entry, ex.input)
	}
	if err != nil {
		return err
	}
	fmt.Printf("result: %s %s\n", fin.Key, strconv.Quote(fin.Value))

	return nil
}

// witness is a person who looks whether an effect has happened.
type witness struct {
	store journal.Store
	work  folder
	// happened is the answer about an effect that has happened: skip, or done, with its result.
	happened string
}

// Ask implements core.Asker.
func (w *witness) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	tool, interrupted := strings.CutPrefix(q.ID, unknown.Question(""))
	if !interrupted {
		return runtime.Answer{}, &runtime.PausedError{Question: q}
	}
	j, err := journal.Read(ctx, w.store, killedRun)
	if err != nil {
		return runtime.Answer{}, err
	}
	known, about := 0, map[string]string{}
	for _, r := range j.Records {
		switch r.Type {
		case journal.Intent:
			about[r.Address], _ = r.Get("what")
		case journal.Result:
			if r.Name == "tool" && about[r.Address] == tool {
				known++
			}
		}
	}
	switch {
	case w.work.times(tool) <= known:
		return runtime.Answer{Value: unknown.Again}, nil
	case w.happened == unknown.Done:
		return runtime.Answer{Value: unknown.Done + " " + written[tool]}, nil
	}

	return runtime.Answer{Value: w.happened}, nil
}

// process runs a process that dies at a step, 0: never, and returns what it prints, and whether it was killed. happened is what it answers
// about a write that has happened.
func process(t *testing.T, ex example, dir string, at int, happened string) (said string, killed bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"="+strings.Join([]string{ex.name, dir, strconv.Itoa(at), happened}, "|"))
	out, err := cmd.Output()
	if err == nil {
		return string(out), false
	}
	done := len(out) == 0 || strings.HasPrefix(string(out), "result: ")
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || at == 0 || !done {
		t.Fatalf("%s, killed at step %d: %v\n%s", ex.name, at, err, out)
	}

	return "", true
}

// TestKilledProcesses kills the process of each example at its steps with the store: before, within and after each block, and
// after it is on the disk. The next process is killed, too, the one after that ends the run: as the process that was not killed does, also
// if a person has given the result of a write, and unless a write without a result was skipped.
func TestKilledProcesses(t *testing.T) {
	kills, runs, skipped, given := 0, 0, 0, 0
	for _, ex := range examples {
		whole := t.TempDir()
		want, _ := process(t, ex, whole, 0, unknown.Skip)
		if !strings.HasPrefix(want, "result: ") {
			t.Fatalf("%s: %s", ex.name, want)
		}
		runs++
		for at := 1; ; at += stride(ex, at) {
			dir := t.TempDir()
			happened := []string{unknown.Skip, unknown.Done}[runs%2]
			_, killed := process(t, ex, dir, at, happened)
			if !killed {
				break
			}
			kills++
			if _, killed := process(t, ex, dir, at%23+1, happened); killed {
				kills++
			}
			runs++
			what := fmt.Sprintf("%s, killed at step %d", ex.name, at)
			got, _ := process(t, ex, dir, 0, happened)
			compareWork(t, what, folder(dir), folder(whole))
			if answered(t, dir, unknown.Skip) { // whose action has no result does not move the gate: it may go another way
				skipped++
				continue
			}
			if answered(t, dir, unknown.Done+" ") {
				given++
			}
			if got != want {
				t.Fatalf("%s: it ends with %q, not with %q", what, got, want)
			}
			compareJournals(t, what, dir, whole)
		}
	}
	fmt.Printf("soak: %s: %d examples, %d runs, %d processes killed; of a write that had happened unseen %d were answered skip, %d done\n",
		t.Name(), len(examples), runs, kills, skipped, given)
}

// stride is how far it is to the next step at which a process is killed: one, or so that there are a few of them.
func stride(ex example, at int) int {
	if os.Getenv("AGENTC_SOAK") != "" {
		return 1
	}
	if ex.name == "all-patterns" {
		return 150
	}

	return 25 + at%5
}

// compareWork wants that tools that write were run no more often than in the run that nobody has killed.
func compareWork(t *testing.T, what string, got, want folder) {
	t.Helper()
	for _, tool := range []string{"write_file", "propose_deletion", "delete_files"} {
		if got.times(tool) > want.times(tool) {
			t.Errorf("%s: %s was run %d times, not %d", what, tool, got.times(tool), want.times(tool))
		}
	}
}

// answered says that an answer about an effect begins so.
func answered(t *testing.T, dir, begins string) bool {
	t.Helper()
	j, err := journal.Read(t.Context(), journal.Files(filepath.Join(dir, "runs")), killedRun)
	if err != nil {
		t.Fatal(err)
	}

	return slices.ContainsFunc(j.Records, func(r journal.Record) bool {
		value, _ := r.Get("value")

		return r.Type == journal.Answer && strings.HasPrefix(r.Name, unknown.Question("")) && strings.HasPrefix(value, begins)
	})
}

// compareJournals wants one result for each effect of the run that nobody has killed.
func compareJournals(t *testing.T, what, got, want string) {
	t.Helper()
	is, should := results(t, got), results(t, want)
	for address, n := range should {
		if is[address] != n {
			t.Errorf("%s: effect %s has %d results", what, address, is[address])
		}
	}
	if len(is) != len(should) {
		t.Errorf("%s: %d effects, not %d", what, len(is), len(should))
	}
}

func results(t *testing.T, dir string) map[string]int {
	t.Helper()
	j, err := journal.Read(t.Context(), journal.Files(filepath.Join(dir, "runs")), killedRun)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, r := range j.Records {
		if r.Type == journal.Result {
			n[r.Address]++
		}
	}

	return n
}
