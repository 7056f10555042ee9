package temporal_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// serverVariable names the binary of Temporal's development server; without it the tests that need one are skipped.
const serverVariable = "AGENTC_TEMPORAL_SERVER"

// server is a development server of Temporal on a free port of this machine, which ends with the test.
type server struct {
	address, db string
	process     *exec.Cmd
}

var shared struct {
	once sync.Once
	s    *server
	err  error
}

// serve returns a server that the tests share.
func serve(t *testing.T) *server {
	t.Helper()
	if os.Getenv(serverVariable) == "" {
		t.Skipf("%s names no server: make test-temporal builds one", serverVariable)
	}
	shared.once.Do(func() { shared.s, shared.err = startServer("") })
	if shared.err != nil {
		t.Fatal(shared.err)
	}

	return shared.s
}

// startServer starts a server; with a file it keeps what it has there.
func startServer(db string) (*server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &server{address: fmt.Sprintf("127.0.0.1:%d", port), db: db}

	return s, s.start()
}

func (s *server) start() error {
	_, port, _ := net.SplitHostPort(s.address)
	args := []string{"server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", port, "--log-level", "error"}
	if s.db != "" {
		args = append(args, "--db-filename", s.db)
	}
	s.process = exec.Command(os.Getenv(serverVariable), args...)
	s.process.Stdout, s.process.Stderr = io.Discard, io.Discard
	if err := s.process.Start(); err != nil {
		return err
	}
	for range 300 {
		c, err := client.Dial(client.Options{HostPort: s.address, Logger: log.NewStructuredLogger(silent)})
		if err == nil {
			c.Close()

			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}

	return fmt.Errorf("the server at %s does not answer", s.address)
}

func (s *server) stop() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()

	return l.Addr().(*net.TCPAddr).Port, nil
}

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child())
	}
	code := m.Run()
	if shared.s != nil {
		shared.s.stop()
	}
	os.Exit(code)
}

// dial returns a client of a server that has what the program's runs need.
func (s *server) dial(t *testing.T, p *compiled.Program, o temporal.Options) temporal.Client {
	t.Helper()
	c, err := client.Dial(client.Options{
		HostPort: s.address, Logger: log.NewStructuredLogger(silent), DataConverter: o.DataConverter(p), Identity: "a test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)

	return temporal.Client{Client: c, Program: p, Options: o}
}

// childVariable says that this process is a worker that the tests have started, and of which program.
const childVariable = "AGENTC_TEMPORAL_CHILD"

// argsVariable has the arguments of a binary that a child is, one a line.
const argsVariable = "AGENTC_TEMPORAL_ARGS"

// spawnArgs starts a binary of a program, and returns when it says that it works.
func (s *server) spawnArgs(t *testing.T, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+program, argsVariable+"="+strings.Join(args, "\n"))
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "working on queue") {
			go func() { _, _ = io.Copy(io.Discard, out) }()

			return
		}
	}
	t.Fatal("the worker does not begin")
}

// child is a worker in a process of its own, which can be killed.
func child() int {
	p := programs[os.Getenv(childVariable)]()
	if args := os.Getenv(argsVariable); args != "" {
		return app.Options{}.Run(carrier{p}, strings.Split(args, "\n"), strings.NewReader(""), os.Stdout, os.Stderr)
	}
	o := quick(temporal.Files(os.Getenv("AGENTC_TEMPORAL_BLOBS")))
	if len(p.Scripts) > 0 {
		o.Engine.Model = nil
	}
	c, err := client.Dial(client.Options{
		HostPort: os.Getenv("AGENTC_TEMPORAL_ADDRESS"), Logger: log.NewStructuredLogger(silent), DataConverter: o.DataConverter(p),
	})
	if err == nil {
		err = work(context.Background(), temporal.Client{Client: c, Program: p, Options: o})
	}
	fmt.Fprintln(os.Stderr, err)

	return 1
}

// work runs a worker until the context ends.
func work(ctx context.Context, c temporal.Client) error {
	w, err := c.Worker()
	if err != nil {
		return err
	}
	if err := w.Start(); err != nil {
		return err
	}
	fmt.Println("working")
	<-ctx.Done()
	w.Stop()

	return nil
}

// spawn starts a worker in a process of its own, and returns when it works.
func (s *server) spawn(t *testing.T, program string, blobs temporal.Files, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childVariable+"="+program, "AGENTC_TEMPORAL_ADDRESS="+s.address,
		"AGENTC_TEMPORAL_BLOBS="+string(blobs)), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("the worker does not begin")
	}

	return cmd
}

// programs are those that workers of the tests have.
var programs = map[string]func() *compiled.Program{}

func init() {
	for _, e := range examples() {
		programs[e.name] = func() *compiled.Program { return e.program }
	}
}
