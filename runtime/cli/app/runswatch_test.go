package app

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// shared is a text that is written and read side by side.
type shared struct {
	mu sync.Mutex
	strings.Builder
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.Builder.Write(p)
}

func (s *shared) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return strings.Contains(s.Builder.String(), text)
}

// TestWatch: a run is printed while it is at work, with the model that it asks, and for the last time when it has ended.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	store := journal.Files(dir)
	asks := rec(journal.Intent, "1", "model", "what", "draft", "model", "anthropic:claude")
	w := keepRun(t, store, time.Now().Add(-90*time.Second), begin("r1", "desk"), enter("", "desk", "draft"), asks)

	_, list, _ := command(t, nil, "", "runs", "--store", dir)
	if !strings.Contains(list, "desk > draft: model anthropic:claude for 1 min 2") {
		t.Errorf("%s", list)
	}
	var stdout, stderr shared
	ended := make(chan int, 1)
	go func() {
		ended <- Options{}.Run(desk{}, []string{"runs", "watch", "last", "--store", dir}, strings.NewReader(""), &stdout, &stderr)
	}()
	for begun := time.Now(); !stdout.has("model anthropic:claude #1") || !stdout.has("r1: running"); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("%s%s", stdout.String(), stderr.String())
		}
	}
	for _, r := range []journal.Record{rec(journal.Result, "1", "model", "text", "A poem.", "stop", "stop"), rec(journal.End, "", "done", "value", "A poem.")} {
		r.Time = time.Now()
		w.Append(r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code != cli.Done || !stdout.has("r1: done") || !stdout.has("says: A poem.") {
		t.Errorf("%d %s%s", code, stdout.String(), stderr.String())
	}
	if code, _, errs := command(t, nil, "", "runs", "watch", "r9", "--store", dir); code != cli.Usage || !strings.Contains(errs, "r9") {
		t.Errorf("%d %s", code, errs)
	}
}

// TestFitted: what does not fit is left out: of a run what is between its first line and its end.
func TestFitted(t *testing.T) {
	for _, c := range []struct {
		rows  int
		isRun bool
		want  string
	}{
		{9, true, "\x1b[Hone\x1b[K\ntwo\x1b[K\nthr…\x1b[K\nfour\x1b[K\n\x1b[J"},
		{4, true, "\x1b[Hone\x1b[K\nthr…\x1b[K\nfour\x1b[K\n\x1b[J"},
		{4, false, "\x1b[Hone\x1b[K\ntwo\x1b[K\nthr…\x1b[K\n\x1b[J"},
		{1, true, "\x1b[Hone\x1b[K\n\x1b[J"},
	} {
		if got := fitScreen("one\ntwo\nthree\nfour\n", 4, c.rows, c.isRun); got != c.want {
			t.Errorf("%d rows: %q", c.rows, got)
		}
	}
}
