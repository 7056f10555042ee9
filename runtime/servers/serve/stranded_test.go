package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// A program of another shape reports, at its start and whenever it is asked, which paused runs it cannot resume. It is ready all the
// same. A run that was resumed by force is none of them, nor is one of another program, or one that has ended.
func TestStrandedRuns(t *testing.T) {
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	paused, other := c.start("pay", "7"), c.start("pay", "8")
	done := c.start("echo", "9")
	c.wait(paused, client.Paused)
	c.wait(other, client.Paused)
	c.wait(done, client.Done)
	foreign := newDesk().program()
	foreign.Name = "foreign"
	f := servedProgram(t, newDesk(), foreign, serve.Options{Store: store})
	f.wait(f.start("pay", "10"), client.Paused)
	if ready := c.want(http.StatusOK, "GET", "/ready", nil); ready["stranded"] != nil {
		t.Errorf("of its own runs it reports %v", ready)
	}

	d, log := newDesk(), &written{}
	p := d.program()
	p.Shape = "s2"
	next := servedProgram(t, d, p, serve.Options{Store: store, Log: slog.New(slog.NewJSONHandler(log, nil))})
	ctx, stop := context.WithCancel(t.Context())
	watched := make(chan struct{})
	go func() {
		next.server.Watch(ctx)
		close(watched)
	}()
	for next.wait(paused, client.Paused); !strings.Contains(log.String(), "need another version"); {
	}
	stop()
	<-watched
	var line struct {
		Level, Msg, Runs string
		Count            int
	}
	if err := json.Unmarshal([]byte(strings.SplitAfter(log.String(), "\n")[0]), &line); err != nil || line.Level != "WARN" || line.Count != 2 {
		t.Errorf("%+v, %v", line, err)
	}
	want := []string{other, paused}
	slices.Sort(want)
	if got := strings.Fields(line.Runs); !slices.Equal(got, want) {
		t.Errorf("the log names %v, want %v", got, want)
	}

	stranded := func() (names []string) {
		t.Helper()
		ready := next.want(http.StatusOK, "GET", "/ready", nil)
		listed, _ := ready["stranded"].([]any)
		for _, name := range listed {
			names = append(names, name.(string))
		}
		if ready["status"] != "ready" {
			t.Errorf("%v", ready)
		}
		runs, _ := next.want(http.StatusOK, "GET", "/runs", nil)["runs"].([]any)
		for _, r := range runs {
			of := r.(map[string]any)
			if shown := next.want(http.StatusOK, "GET", "/runs/"+of["run"].(string), nil); shown["stranded"] != of["stranded"] {
				t.Errorf("%s: the list says %v of stranded, and the run %v", of["run"], of["stranded"], shown["stranded"])
			}
			if is := of["stranded"] == true; is != slices.Contains(names, of["run"].(string)) {
				t.Errorf("%s: stranded %v, and /ready has %v", of["run"], is, names)
			}
		}

		return names
	}
	if got := stranded(); !slices.Equal(got, want) {
		t.Errorf("/ready names %v, want %v", got, want)
	}
	next.want(http.StatusOK, "POST", "/runs/"+paused+"/resume", args{"force_shape": true})
	next.wait(paused, client.Paused)
	if started := log.of(t, paused); slices.Contains(started, "INFO run started") || !slices.Contains(started, "INFO run resumed") {
		t.Errorf("the log of the run that was resumed is %q", started)
	}
	if got := stranded(); !slices.Equal(got, []string{other}) {
		t.Errorf("after one was resumed by force, /ready names %v", got)
	}
}

// Runs that were interrupted, by a crash or by the end of their server, wait for their version as paused ones do. One that a process
// works on does not.
func TestStrandedInterruptedRuns(t *testing.T) {
	d, dir := newDesk(), t.TempDir()
	c := served(t, d, serve.Options{Store: journal.Files(dir)})
	run := c.start("slow", "x")
	<-d.busy
	crashed := t.TempDir()
	if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	other := newDesk().program()
	other.Shape = "s2"
	check := func(dir string, want any, gauge string) {
		t.Helper()
		next := servedProgram(t, newDesk(), other, serve.Options{Store: journal.Files(dir)})
		if got := fmt.Sprint(next.want(http.StatusOK, "GET", "/ready", nil)["stranded"]); got != fmt.Sprint(want) {
			t.Errorf("/ready has %v, want %v", got, want)
		}
		if got := next.metrics(); !strings.Contains(got, "agentc_runs_stranded "+gauge+"\n") || !strings.Contains(got, "agentc_questions_open 0\n") {
			t.Errorf("want %s in\n%s", gauge, got)
		}
		if shown := next.want(http.StatusOK, "GET", "/runs/"+run, nil); want != nil && shown["stranded"] != true {
			t.Errorf("the run is shown as %v", shown)
		}
	}
	check(dir, nil, "0")
	check(crashed, []any{run}, "1")
	c.server.CloseNow()
	check(dir, []any{run}, "1")
}
