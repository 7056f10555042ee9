package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// readersStore is the variable that has this program serve the runs of a folder.
const readersStore = "AGENTC_TEST_READERS_STORE"

// TestServeReaders is the server of TestIdleReaders: it serves until stdin ends, and prints how much memory its heap has had.
func TestServeReaders(t *testing.T) {
	dir := os.Getenv(readersStore)
	if dir == "" {
		t.Skip("it is the server of another test")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(serve.Options{Program: newDesk().program(), Store: journal.Files(dir), Engine: echoing})
	go func() { _ = http.Serve(listener, s.Handler()) }()
	fmt.Println("serving", listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
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
	engine := core.New(core.Config{Store: journal.Files(dir), RunID: func() string { return "big" }}.With(echoing...))
	if _, err := engine.Run(context.Background(), newDesk().program(), "echo", strings.Repeat("y", size)); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(os.Args[0], "-test.run=^TestServeReaders$", "-test.v")
	server.Env = append(os.Environ(), readersStore+"="+dir)
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill() }()
	said := bufio.NewScanner(stdout)
	url := "http://" + after(t, said, "serving ")

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
	resident := residentPeak(server.Process.Pid)

	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	heap, err := strconv.Atoi(after(t, said, "heap "))
	if err != nil || heap > allowed {
		t.Errorf("%d idle readers of a run of %d MB took a heap of %d MB, %v", readers, size>>20, heap>>20, err)
	}
	fmt.Printf("readers: %d idle clients of a run of %d MB: heap %d MB, most memory %s\n", readers, size>>20, heap>>20, resident)
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
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
	if strings.HasSuffix(path, "/events") { // of large runs that are shown only a few begin
		if _, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 200 OK"))); err != nil {
			t.Fatal(err)
		}
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
	c.wait(run, wire.Done)
	for status := 0; status != http.StatusOK; { // the server sees that the clients are gone
		response := c.send("GET", "/runs/"+run+"/events", nil)
		status = response.StatusCode
		_ = response.Body.Close()
	}
}
