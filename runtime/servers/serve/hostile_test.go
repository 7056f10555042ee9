package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Whatever is asked of a run at the same moment, the server has an answer that it has told of, and the run is paid once or not at all.
func TestEverythingAtOnce(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	d := newDesk()
	c := served(t, d, serve.Options{Store: journal.Files(t.TempDir()), MaxRuns: 4})
	for round := range rounds {
		run := c.want(http.StatusCreated, "POST", "/runs", args{"agent": "pay", "input": "x", "run": fmt.Sprint("r", round)})["run"].(string)
		c.wait(run, client.Paused)
		at, paid := "/runs/"+run, d.paid.Load()
		asked := []struct {
			method, path string
			body         any
		}{
			{"POST", at + "/answers", args{"question": "approve", "value": "yes"}},
			{"POST", at + "/answers", args{"question": "approve", "value": "no"}},
			{"POST", at + "/answers", args{"question": "approve", "value": "yes", "resume": false}},
			{"POST", at + "/cancel", nil}, {"POST", at + "/cancel", nil},
			{"POST", at + "/resume", args{}}, {"POST", at + "/resume", args{}},
			{"POST", at + "/forks", args{"at": "1", "resume": false}},
			{"POST", at + "/signals", args{"kind": "stop"}},
			{"GET", at + "/events", nil}, {"GET", at, nil}, {"GET", "/runs?limit=2", nil},
		}
		var all sync.WaitGroup
		for i := range asked {
			one := asked[(i+round)%len(asked)]
			all.Go(func() {
				if status, reply := c.do(one.method, one.path, one.body); status >= 500 {
					t.Errorf("%s %s: %d %v", one.method, one.path, status, reply)
				}
			})
		}
		all.Wait()
		settled(c, run)
		shown := c.want(http.StatusOK, "GET", at, nil)
		result, _ := shown["result"].(map[string]any)
		if times := d.paid.Load() - paid; times > 1 || times == 0 && result["value"] == "paid" {
			t.Errorf("it was paid %d times: %v", times, shown)
		}
	}
}

// settled waits until nobody works on a run, and says where it stands.
func settled(c *visitor, run string) string {
	c.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		status := c.want(http.StatusOK, "GET", "/runs/"+run, nil)["status"].(string)
		if !slices.Contains([]string{"running", "queued"}, status) {
			return status
		}
		if time.Now().After(end) {
			c.Fatalf("run %s is still %s", run, status)
		}
	}
}

// A request for the head of a stream has it, and the connection is free for the next.
func TestHeadOfAStream(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("slow", "x")
	<-c.desk.busy
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	replies := bufio.NewReader(conn)
	for _, method := range []string{http.MethodHead, http.MethodHead, http.MethodOptions} {
		fmt.Fprintf(conn, "%s /runs/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n", method, run)
		response, err := http.ReadResponse(replies, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		want := http.StatusOK
		if method == http.MethodOptions {
			want = http.StatusMethodNotAllowed
		}
		if response.StatusCode != want {
			t.Errorf("%s: %s", method, response.Status)
		}
	}
	close(c.desk.may)
	c.wait(run, client.Done)
}

// A browser connects again when a stream has ended. Where nothing can come any more it is told so, and stays away.
func TestABrowserThatHasAllStaysAway(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	again := func(run, last string) int {
		response := c.send("GET", "/runs/"+run+"/events", nil, func(r *http.Request) {
			r.Header.Set("Accept", "text/event-stream")
			r.Header.Set("Last-Event-ID", last)
		})
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		checkReply(t, "GET", "/runs/"+run+"/events", response, body)

		return response.StatusCode
	}
	ended, paused := c.start("echo", "x"), c.start("pay", "x")
	c.wait(ended, client.Done)
	c.wait(paused, client.Paused)
	events := c.events(ended, "")
	last := fmt.Sprint(events[len(events)-1]["seq"])
	before := fmt.Sprint(events[len(events)-2]["seq"])
	for _, want := range []struct {
		run, last string
		status    int
	}{
		{ended, before, http.StatusOK}, {ended, last, http.StatusNoContent}, {ended, "1000000", http.StatusNoContent},
		{ended, "nonsense", http.StatusOK}, {ended, "-1", http.StatusOK}, {paused, "1000000", http.StatusOK},
	} {
		if got := again(want.run, want.last); got != want.status {
			t.Errorf("%s after %s: status %d, want %d", want.run, want.last, got, want.status)
		}
	}
}

// Those who vanish in the middle of what they ask leave nothing behind that others wait for.
func TestClientsThatVanish(t *testing.T) {
	c := served(t, newDesk(), serve.Options{Store: journal.Files(t.TempDir())})
	run := c.start("pay", "x")
	c.wait(run, client.Paused)
	address := strings.TrimPrefix(c.url, "http://")
	const head = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for _, request := range []string{
		"POST /runs/" + run + "/answers" + head + "Content-Length: 40\r\n\r\n{\"question\":",
		"POST /runs/" + run + "/answers" + head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"que",
		"POST /runs" + head + "Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n",
		"GET /runs/" + run + "/events" + head, "GET /runs/" + run + "/events" + head + "\r\n",
	} {
		var d net.Dialer
		conn, err := d.DialContext(context.Background(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, request); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
	}
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	c.wait(run, client.Done)
	if paid := c.desk.paid.Load(); paid != 1 {
		t.Errorf("it was paid %d times", paid)
	}
}

// A value of another type, and a name that an object has twice, are reported in the words of JSON.
func TestBodiesOfAnotherType(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	at := "/runs/" + c.start("both", "x")
	for _, test := range []struct{ path, body, want string }{
		{"/runs", `{"input":5}`, "input has to be a string, not number"},
		{"/runs", `[]`, "it has to be an object, not array"},
		{"/runs", `{"run":"d1","input":"x","run":"d2"}`, `it has "run" twice`},
		{"/runs", `{"input":"x","Input":"y"}`, `it has "Input" twice`},
		{at + "/answers", `{"question":"approve","value":{"cents":1,"cents":2}}`, `it has "cents" twice`},
		{at + "/forks", `{"at":"1","changed":"x"}`, "changed has to be true or false, not string"},
	} {
		reply := c.want(http.StatusBadRequest, "POST", test.path, test.body)
		if reply["message"] != "the body cannot be read: "+test.want {
			t.Errorf("%s: %v", test.body, reply)
		}
	}
}

// A body that lacks what the description requires is refused: nothing starts without a task, and nobody answers with nothing.
func TestBodiesThatLackSomething(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("both", "x")
	asked := c.wait(run, client.Paused)["questions"].([]any)
	at := "/runs/" + run
	for body, path := range map[string]string{
		`{}`: "/runs", `null`: "/runs", `{"input":null}`: "/runs", `{"Input":"x"}`: "/runs", `[]`: "/runs", `"x"`: "/runs",
		`{"input":"x"}{"input":"y"}`: "/runs", strings.Repeat("[", 1<<20): "/runs",
		`{"input":"x","context":` + strings.Repeat(`{"a":`, 1<<20): "/runs",
		`{"question":"approve@0"}`:                                 at + "/answers",
		`{"value":"\"yes\""}`:                                      at + "/answers",
		`{"reply":"x"}`:                                            at + "/forks",
		`{"value":"x"}`:                                            at + "/signals",
	} {
		reply := c.want(http.StatusBadRequest, "POST", path, body)
		if reply["type"] != "BodyError" {
			t.Errorf("%.60s: %v", body, reply)
		}
	}
	if after := c.wait(run, client.Paused)["questions"].([]any); len(after) != len(asked) {
		t.Errorf("it waits for %v", after)
	}
	if list := c.want(http.StatusOK, "GET", "/runs", nil)["runs"].([]any); len(list) != 1 {
		t.Errorf("there are runs: %v", list)
	}
}
