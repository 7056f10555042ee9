package serve_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	gort "runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// readersStore is the variable that has this program serve the runs of a folder.
const readersStore = "AGENTC_TEST_READERS_STORE"

// ticking does so many calls with results of 5 KB that cannot be compressed, and then one for each tick, before which it says its number.
func ticking(calls int, ticks <-chan struct{}) *compiled.Program {
	call := func(fx runtime.Effects, work func() (string, bool)) (more bool) {
		_, err := fx.Call(runtime.FuncCall{Name: "work", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			result, is := work()
			more = is
			return json.Marshal(result)
		}})

		return more && err == nil
	}
	random := rand.NewChaCha8([32]byte{1})
	run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for range calls {
			call(fx, func() (string, bool) {
				text := make([]byte, 5<<10*3/4)
				_, _ = random.Read(text)
				return base64.StdEncoding.EncodeToString(text), true
			})
		}
		for n := 0; ; n++ {
			fx.Note(event.Event{Kind: event.Step, Agent: "ticking", Name: "tick", Value: strconv.Itoa(n)})
			if !call(fx, func() (string, bool) { _, more := <-ticks; return "", more }) {
				return runtime.Finish{Key: "done"}, nil
			}
		}
	}

	return &compiled.Program{Name: "ticking", Entry: "ticking", Agents: []compiled.Agent{{Name: "ticking", Run: run}}}
}

// TestServeReaders is the server of tests of readers: it serves until stdin ends, a line of which is a tick, and prints how much memory
// its heap has had.
func TestServeReaders(t *testing.T) {
	dir := os.Getenv(readersStore)
	if dir == "" {
		t.Skip("it is the server of another test")
	}
	ticks := make(chan struct{}, 1000)
	program := ticking(2700, ticks)
	program.Agents = append(program.Agents, newDesk().program().Agents...)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(serve.Options{Program: program, Store: journal.Files(dir), Engine: echoing})
	go func() { _ = http.Serve(listener, s.Handler()) }()
	fmt.Println("serving", listener.Addr())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		ticks <- struct{}{}
	}
	var memory gort.MemStats
	gort.ReadMemStats(&memory)
	fmt.Println("heap", memory.HeapSys)
}

// Clients that ask for events or the run and do not read cost a piece each, however large the run is, and hold up no client that reads.
func TestIdleReaders(t *testing.T) {
	const (
		size    = 10 << 20
		readers = 60
		allowed = 200 << 20
	)
	dir := t.TempDir()
	engine := core.New(core.Config{Store: journal.Files(dir), RunID: func() string { return "big" }, Model: echoing.Model})
	if _, err := engine.Run(context.Background(), newDesk().program(), "echo", strings.Repeat("y", size)); err != nil {
		t.Fatal(err)
	}
	server := startReaders(t, dir)
	url := server.url
	for i := range readers {
		path := "/runs/big/events"
		if i%2 == 1 {
			path = "/runs/big"
		}
		idleReader(t, strings.TrimPrefix(url, "http://"), path)
	}
	response, err := http.Get(url + "/runs/big/events")
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.Copy(io.Discard, response.Body)
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	if err != nil || got < 2*size {
		t.Errorf("a client that reads got %d bytes, %v", got, err)
	}
	server.end(fmt.Sprintf("%d idle clients of a run of %d MB", readers, size>>20), allowed)
}

// readersServer is a process of TestServeReaders.
type readersServer struct {
	*testing.T
	*exec.Cmd
	url    string
	stdin  io.WriteCloser
	stdout *bufio.Scanner
}

func startReaders(t *testing.T, dir string) *readersServer {
	t.Helper()
	s := &readersServer{T: t, Cmd: exec.Command(os.Args[0], "-test.run=^TestServeReaders$", "-test.v")}
	s.Env = append(os.Environ(), readersStore+"="+dir)
	s.Stderr = os.Stderr
	stdin, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := s.StdoutPipe()
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill() })
	s.stdin, s.stdout = stdin, bufio.NewScanner(stdout)
	s.url = "http://" + after(t, s.stdout, "serving ")

	return s
}

// end ends the server, whose heap must have had at most so many bytes, and returns its most.
func (s *readersServer) end(what string, allowed int) (heap int) {
	s.Helper()
	resident := residentPeak(s.Process.Pid)
	if err := s.stdin.Close(); err != nil {
		s.Fatal(err)
	}
	heap, err := strconv.Atoi(after(s.T, s.stdout, "heap "))
	if err != nil || heap > allowed {
		s.Errorf("%s: a heap of %d MB, %v", what, heap>>20, err)
	}
	fmt.Printf("readers: %s: heap %d MB, most memory %s\n", what, heap>>20, resident)
	if err := s.Wait(); err != nil {
		s.Error(err)
	}

	return heap
}

// Twenty pages that follow a run of 10 MB see each effect, and cost the server less than 300 MB.
func TestLivePages(t *testing.T) {
	const pages, ticks, allowed = 20, 5, 300 << 20
	server := startReaders(t, t.TempDir())
	response, err := http.Post(server.url+"/runs", "application/json", strings.NewReader(`{"agent":"ticking","input":"x","run":"big"}`))
	if err != nil || response.StatusCode != http.StatusCreated {
		t.Fatal(response, err)
	}
	_ = response.Body.Close()
	var sent atomic.Int64
	seen := make(chan int)
	for range pages {
		go func() {
			p := livePage{url: server.url + "/runs/big", next: 1} // not before the run is large
			for tick := 0; tick <= ticks; {
				text, err := p.read()
				if err != nil {
					t.Error(err)
					seen <- -1
					return
				}
				sent.Add(int64(len(text)))
				if strings.Contains(text, fmt.Sprintf(`"name":"tick","value":"%d"`, tick)) {
					seen <- tick
					tick++
					p.next = tick + 1 // after the beginning and each tick so far
				}
			}
		}()
	}
	for tick := range ticks + 1 {
		begun, first := time.Now(), sent.Load()
		if tick > 0 {
			if _, err := fmt.Fprintln(server.stdin); err != nil {
				t.Fatal(err)
			}
		}
		for range pages {
			if at := <-seen; at != tick {
				t.Fatalf("a page is at tick %d, want %d", at, tick)
			}
		}
		fmt.Printf("readers: tick %d on %d pages after %d ms, %d KB were sent\n", tick, pages, time.Since(begun).Milliseconds(), (sent.Load()-first)>>10)
	}
	heap := server.end(fmt.Sprintf("%d live pages of a run of 10 MB", pages), allowed)
	fmt.Printf("measured: server with %d live pages of a run of 10 MB, heap = %d MB\n", pages, heap>>20) // for runtime/benchmarks
}

// livePage reads a run as the page of a browser does.
type livePage struct {
	url, has string
	next     int
	took     time.Duration
}

// read waits for an event, and returns what is new on the page then.
func (p *livePage) read() (string, error) {
	response, err := http.Get(fmt.Sprintf("%s/events?from=%d", p.url, p.next+1))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if _, err = io.ReadFull(response.Body, make([]byte, 1)); err != nil {
		return "", err
	}
	time.Sleep(min(max(p.took, 30*time.Millisecond), time.Second))
	begun := time.Now()
	defer func() { p.took = time.Since(begun) }()
	shown, err := http.Get(p.url + "/page?has=" + p.has)
	if err != nil {
		return "", err
	}
	defer shown.Body.Close()
	text, err := io.ReadAll(shown.Body)
	var reply struct{ Has string }
	if err == nil {
		err = json.Unmarshal(text, &reply)
	}
	p.has = reply.Has

	return string(text), err
}

// idleReader asks and reads no more than the first bytes of the reply.
func idleReader(t *testing.T, address, path string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n", path); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 200 OK"))); err != nil {
		t.Fatal(err)
	}
}

// after is what follows a prefix in the first line that has it.
func after(t *testing.T, lines *bufio.Scanner, prefix string) string {
	t.Helper()
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), prefix); ok {
			return text
		}
	}
	t.Fatalf("nothing begins with %q: %v", prefix, lines.Err())

	return ""
}

// residentPeak is the most memory that a process has had, as the system says it.
func residentPeak(pid int) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "unknown"
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ = strings.Cut(line, "\n")

	return strings.TrimSpace(line)
}

// More clients than are allowed are refused, and one that leaves makes room.
func TestTooManyStreams(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	run := c.start("slow", "a")
	<-d.busy
	var open []*http.Response
	for {
		response := c.send("GET", "/runs/"+run+"/events", nil)
		if response.StatusCode != http.StatusOK {
			_ = response.Body.Close()
			break
		}
		if open = append(open, response); len(open) > 1000 {
			t.Fatal("there is no limit")
		}
	}
	if reply := c.want(http.StatusTooManyRequests, "GET", "/runs/"+run+"/events", nil); reply["type"] != "TooManyStreamsError" {
		t.Errorf("the reply is %v", reply)
	}
	for _, response := range open {
		_ = response.Body.Close()
	}
	close(d.may)
	c.wait(run, client.Done)
	for status := 0; status != http.StatusOK; { // the server sees that the clients are gone
		response := c.send("GET", "/runs/"+run+"/events", nil)
		status = response.StatusCode
		_ = response.Body.Close()
	}
}
