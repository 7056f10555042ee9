package board

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// The variable says what a test binary does instead of testing: see child.
const childVariable = "AGENTC_BOARD_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childVariable); what != "" {
		if err := child(strings.Fields(what)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is another process on the same folder.
func child(args []string) error {
	dir := os.Getenv(childVariable + "_DIR")
	number := func(i int) int {
		n, _ := strconv.Atoi(args[i])
		return n
	}
	if args[0] == "race" {
		return race(dir, number(1), number(2))
	}

	return countUntilKilled(dir, &killer{System: files.OS, write: number(1), part: number(2)})
}

// start starts this binary as a child.
func start(t *testing.T, dir, what string) (cmd *exec.Cmd, lines *bufio.Scanner) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+what, childVariable+"_DIR="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}

	return cmd, bufio.NewScanner(out)
}

// killer kills the process in a write to the record: the how-manieth, and after how many hundredths of it.
type killer struct {
	files.System
	write, part int
}

func (k *killer) Open(path string) (files.File, error) {
	f, err := k.System.Open(path)
	if err != nil || filepath.Base(path) != "record.jsonl" {
		return f, err
	}

	return &killerFile{f, k}, nil
}

type killerFile struct {
	files.File
	k *killer
}

func (f *killerFile) WriteAt(p []byte, off int64) (int, error) {
	if f.k.write--; f.k.write > 0 {
		return f.File.WriteAt(p, off)
	}
	if _, err := f.File.WriteAt(p[:len(p)*f.k.part/100], off); err != nil {
		return 0, err
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		return 0, err
	}
	select {} // it dies here
}

// answer is what a child tells of an answer that it got.
type answer struct {
	Head    Head
	Counter int
	Seq     uint64
}

// countUntilKilled counts on the blackboard, and makes a step with each number.
func countUntilKilled(dir string, system files.System) error {
	ctx := context.Background()
	b, err := openWithOptions(ctx, Options{Dir: dir, Program: deskProgram()}, audit.Options{Files: system})
	if err != nil {
		return err
	}
	for {
		if err := count(ctx, b); err != nil {
			return err
		}
	}
}

func count(ctx context.Context, b *Board) error {
	counter, version, err := counterOf(ctx, b)
	if err != nil {
		return err
	}
	text := json.RawMessage(strconv.Itoa(counter + 1))
	_, head, err := b.Write(ctx, WriteRequest{Key: "counter", JSON: text, IfVersion: &version})
	if err != nil {
		return err
	}
	if err := tell(answer{Head: head, Counter: counter + 1}); err != nil {
		return err
	}
	result, err := b.Transition(ctx, step("desk", "edit"))
	if err != nil {
		return err
	}

	return tell(answer{Head: result.Head, Seq: result.Step.Seq})
}

var telling sync.Mutex

func tell(a answer) error {
	telling.Lock()
	defer telling.Unlock()

	return json.NewEncoder(os.Stdout).Encode(a)
}

func counterOf(ctx context.Context, b *Board) (n int, version uint64, err error) {
	v, ok, err := b.Read(ctx, "counter")
	if err != nil || !ok {
		return 0, 0, err
	}

	return n, v.Version, json.Unmarshal(v.JSON, &n)
}

// TestKilled kills a process at every boundary of the record and in the midst of lines, and starts the next one on what it left.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	var last answer // what was answered last, of each kind
	torn := 0
	for write := 1; write <= 4; write++ {
		for _, part := range []int{0, 1, 50, 99, 100} {
			cmd, lines := start(t, dir, fmt.Sprintf("kill %d %d", write, part))
			answers := 0
			for ; lines.Scan(); answers++ {
				var a answer
				if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
					t.Fatal(err)
				}
				last = answer{a.Head, max(a.Counter, last.Counter), max(a.Seq, last.Seq)}
			}
			if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() == 1 || answers != write-1 {
				t.Fatalf("write %d, %d %%: %v after %d answers", write, part, err, answers)
			}
			if afterKill(t, dir, last) {
				torn++
			}
		}
	}
	if torn < 8 {
		t.Errorf("only %d lines were torn: the test does not see what it should", torn)
	}
}

// afterKill opens what a killed process left, and says whether its last line was torn.
func afterKill(t *testing.T, dir string, last answer) (torn bool) {
	t.Helper()
	b, err := openWithOptions(t.Context(), Options{Dir: dir, Program: deskProgram()}, audit.Options{Cut: func(audit.Cut) { torn = true }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var anchor *Head
	if last.Head.Seq > 0 {
		anchor = &last.Head
	}
	if _, err := audit.VerifyFolder(t.Context(), dir, (*audit.Head)(anchor), nil); err != nil {
		t.Fatal(err)
	}
	counter, _, err := counterOf(t.Context(), b)
	if err != nil || counter < last.Counter || counter > last.Counter+1 {
		t.Fatalf("the counter is %d, %v; %d was answered", counter, err, last.Counter)
	}
	s := stateOf(t, b)
	if s.Seq < last.Seq || s.Seq > max(last.Seq, 1)+1 {
		t.Fatalf("the machine has made %d steps, %d were answered", s.Seq, last.Seq)
	}
	history, err := b.History(t.Context(), "desk")
	if err != nil || uint64(len(history)) != s.Seq-1 {
		t.Fatalf("the history has %d steps, the machine %d: %v", len(history), s.Seq-1, err)
	}

	return torn
}

// TestRace: two processes with 32 goroutines each make steps of one machine and count on one key, each insisting on what it saw.
// Every number has one winner, and no count is lost.
func TestRace(t *testing.T) {
	const processes, goroutines, each = 2, 32, 3
	dir := filepath.Join(t.TempDir(), "store")
	var mu sync.Mutex
	winners, counted := map[uint64]int{}, map[int]int{}
	var wait sync.WaitGroup
	for range processes {
		cmd, lines := start(t, dir, fmt.Sprintf("race %d %d", goroutines, each))
		wait.Go(func() {
			for lines.Scan() {
				var a answer
				if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
					t.Error(err)
				}
				mu.Lock()
				if a.Seq > 0 {
					winners[a.Seq]++
				} else {
					counted[a.Counter]++
				}
				mu.Unlock()
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()

	b := opened(t, dir, nil)
	const all = processes * goroutines * each
	for i := 1; i <= all; i++ {
		if winners[uint64(i+1)] != 1 || counted[i] != 1 {
			t.Errorf("step %d was won %d times, number %d counted %d times", i+1, winners[uint64(i+1)], i, counted[i])
		}
	}
	counter, _, err := counterOf(t.Context(), b)
	if s := stateOf(t, b); err != nil || counter != all || s.Seq != all+1 || len(winners) != all || len(counted) != all {
		t.Errorf("%d counted, %d steps, want %d of each: %v", counter, s.Seq-1, all, err)
	}
	head := b.Head()
	if _, err := audit.VerifyFolder(t.Context(), dir, ptr(audit.Head(head)), nil); err != nil {
		t.Error(err)
	}
}

// race makes steps and counts in many goroutines, and tells of those that were accepted.
func race(dir string, goroutines, each int) error {
	b, err := openWithOptions(context.Background(), Options{Dir: dir, Program: deskProgram()}, audit.Options{})
	if err != nil {
		return err
	}
	errs := make([]error, goroutines)
	var wait sync.WaitGroup
	for i := range goroutines {
		wait.Go(func() {
			for range each {
				errs[i] = errors.Join(errs[i], raceStep(b), raceCount(b))
			}
		})
	}
	wait.Wait()

	return errors.Join(append(errs, b.Close())...)
}

// raceStep tries until it has made a step from a state that it saw.
func raceStep(b *Board) error {
	for {
		s, err := b.State(context.Background(), "desk")
		if err != nil {
			return err
		}
		r := step("desk", "edit")
		r.Attempt.Seq = s.Seq
		result, err := b.Transition(context.Background(), r)
		var stale *drive.StaleError
		switch {
		case err == nil:
			return tell(answer{Head: result.Head, Seq: result.Step.Seq})
		case !errors.As(err, &stale):
			return err
		}
	}
}

// raceCount tries until it has written the number after one that it saw.
func raceCount(b *Board) error {
	for {
		counter, version, err := counterOf(context.Background(), b)
		if err != nil {
			return err
		}
		text := json.RawMessage(strconv.Itoa(counter + 1))
		_, head, err := b.Write(context.Background(), WriteRequest{Key: "counter", JSON: text, IfVersion: &version})
		switch {
		case err == nil:
			return tell(answer{Head: head, Counter: counter + 1})
		case runtime.ErrorType(err) != "VersionError":
			return err
		}
	}
}
