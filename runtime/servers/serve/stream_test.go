package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// seqs are the numbers of the recorded events of a stream; it fails if they have a gap.
func seqs(t *testing.T, events []map[string]any, from int) (count int) {
	t.Helper()
	for _, e := range events {
		if e["event"] == "delta" {
			continue
		}
		if e["seq"] != float64(from+count) {
			t.Fatalf("event %v stands where %d should: %v", e["seq"], from+count, e)
		}
		count++
	}

	return count
}

// What is streamed while a run is at work, what is read afterwards, and what is read from the middle on are the same events.
func TestEventsAreTheSameLater(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("pay", `a "bill" <of> ünïcode`)
	live := c.events(run, "")
	count := seqs(t, live, 1)
	if last := live[len(live)-1]; last["event"] != "end" || last["status"] != "paused" {
		t.Fatalf("the last event is %v", last)
	}
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	rest := c.events(run, fmt.Sprintf("?from=%d", count+1))
	total := count + seqs(t, rest, count+1)
	if last := rest[len(rest)-1]; last["event"] != "end" || last["status"] != "done" || last["value"] != "paid" {
		t.Errorf("the last event is %v", last)
	}

	later := c.events(run, "")
	if want := append(live, rest...); !reflect.DeepEqual(later, want) {
		for i := range later {
			if i < len(want) && !reflect.DeepEqual(later[i], want[i]) {
				t.Errorf("event %d was\n%v\nand is\n%v", i+1, want[i], later[i])
			}
		}
	}
	for from := 1; from <= total+2; from++ {
		if n := seqs(t, c.events(run, fmt.Sprintf("?from=%d", from)), from); n != max(total+1-from, 0) {
			t.Errorf("from %d there are %d events of %d", from, n, total)
		}
	}
	c.want(http.StatusBadRequest, "GET", "/runs/"+run+"/events?from=x", nil)
	c.want(http.StatusBadRequest, "GET", "/runs/"+run+"/events?from=-1", nil)
}

// Many readers that come while a run is at work each get every event once, and those who read slowly too. Deltas come while the
// run is at work, and never later.
func TestManyReaders(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("many", strings.Repeat("x", 24))
	var group sync.WaitGroup
	counts := make([]int, 16)
	for i := range counts {
		group.Go(func() {
			response := c.send("GET", "/runs/"+run+"/events", nil)
			defer response.Body.Close()
			var body io.Reader = response.Body
			if i%4 == 0 {
				body = &slowReader{inner: response.Body}
			}
			counts[i] = seqs(t, readLines(t, body), 1)
		})
	}
	group.Wait()
	c.wait(run, client.Done)
	later := c.events(run, "")
	for i, n := range counts {
		if n != len(later) {
			t.Errorf("reader %d got %d events of %d", i, n, len(later))
		}
	}
	for _, e := range later {
		if e["event"] == "delta" {
			t.Fatal("a delta is recorded")
		}
	}
}

// slowReader reads a few bytes at a time.
type slowReader struct{ inner io.Reader }

func (s *slowReader) Read(p []byte) (int, error) { return s.inner.Read(p[:min(len(p), 100)]) }

// A browser that connects again goes on behind the last event that it has.
func TestServerSentEvents(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("echo", "line\nbreak")
	c.wait(run, client.Done)
	all := c.events(run, "")
	for last := range len(all) {
		response := c.send("GET", "/runs/"+run+"/events", nil,
			header("Accept", "text/event-stream"), header("Last-Event-ID", fmt.Sprint(last)))
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if form := response.Header.Get("Content-Type"); err != nil || form != "text/event-stream" {
			t.Fatalf("%s: %v", form, err)
		}
		frames := strings.Split(strings.TrimSuffix(string(text), "\n\n"), "\n\n")
		if len(frames) != len(all)-last {
			t.Fatalf("after %d there are %d events:\n%s", last, len(frames), text)
		}
		for i, frame := range frames {
			lines := strings.Split(frame, "\n")
			var event map[string]any
			if len(lines) != 3 || json.Unmarshal([]byte(strings.TrimPrefix(lines[2], "data: ")), &event) != nil {
				t.Fatalf("the frame is %q", frame)
			}
			want := all[last+i]
			if !reflect.DeepEqual(event, want) || lines[0] != fmt.Sprint("id: ", want["seq"]) ||
				lines[1] != fmt.Sprint("event: ", want["event"]) {
				t.Errorf("the frame is %q", frame)
			}
		}
	}
	for accept, form := range map[string]string{
		"*/*": "application/x-ndjson", "application/json": "application/x-ndjson",
		"text/html, text/event-stream;q=0.9": "text/event-stream",
	} {
		response := c.send("GET", "/runs/"+run+"/events", nil, header("Accept", accept))
		_ = response.Body.Close()
		if got := response.Header.Get("Content-Type"); got != form {
			t.Errorf("%s: %s", accept, got)
		}
	}
	c.want(http.StatusNotAcceptable, "GET", "/runs/"+run+"/events", nil, header("Accept", "text/html"))
}

// A reader that goes away while a run is at work changes nothing for the run, nor for others.
func TestReadersThatLeave(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	run := c.start("slow", "x")
	<-d.busy
	ctx, cancel := context.WithCancel(t.Context())
	response := c.send("GET", "/runs/"+run+"/events", nil, func(r *http.Request) { *r = *r.WithContext(ctx) })
	if line, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil || !strings.Contains(line, `"event":"run"`) {
		t.Fatalf("%q, %v", line, err)
	}
	cancel()
	_ = response.Body.Close()
	close(d.may)
	if reply := c.wait(run, client.Done); reply["result"].(map[string]any)["value"] != "worked on x" {
		t.Errorf("the run is %v", reply)
	}
}
