package journal_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// What an effect of a run costs in memory does not grow with the other runs of the store.
func TestMemoryIsIndependentOfOtherRuns(t *testing.T) {
	const runs = 10_000
	small, large := journal.Memory(), journal.Memory()
	for i := range runs {
		file, err := large.Create(t.Context(), fmt.Sprint("other-", i))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Append([]byte("a")), file.Sync(), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	alone, beside := effectTime(t, small), effectTime(t, large)
	if beside > 20*alone {
		t.Errorf("an effect takes %d ns alone and %d ns beside %d runs", alone, beside, runs)
	}
	names, err := large.List(t.Context(), journal.Query{})
	if len(names) != runs+1 || err != nil {
		t.Errorf("the store has %d runs, %v", len(names), err)
	}
}

// effectTime returns how many nanoseconds what a run does for each of its effects takes.
func effectTime(t *testing.T, store journal.Store) int64 {
	t.Helper()
	file, err := store.Create(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	measured := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			messages, err := file.Messages()
			if len(messages) > 0 || err != nil {
				b.Fatalf("it has the messages %q, %v", messages, err)
			}
			if err := errors.Join(file.Append([]byte("b")), file.Sync()); err != nil {
				b.Fatal(err)
			}
		}
	})
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	return measured.NsPerOp()
}
