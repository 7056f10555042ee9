package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// politely is how long a server has to end by itself when its input is closed, and then when it is asked to. Tests shorten it.
var politely = 2 * time.Second

// mostSaid is how much of what a server writes beside its messages is kept.
const mostSaid = 4 << 10

// process is a server that is a command. It has a process group of its own, which ends with it.
type process struct {
	server Server
	env    []string
	stderr *tail

	once sync.Once
	mu   sync.Mutex // of what follows, until the command has been started
	over bool       // it is not to be started any more
	conn *lineConn
	cmd  *exec.Cmd
	// exited is closed when the command has ended; err is how.
	exited chan struct{}
	err    error
}

func newProcess(s Server, env func(string) (string, bool), values map[string]string) *process {
	return &process{server: s, env: environmentOf(s, env, values), stderr: &tail{}, exited: make(chan struct{})}
}

// environmentOf is what the command knows of the program's: what programs need to run, and the variables of its entry.
func environmentOf(s Server, env func(string) (string, bool), values map[string]string) []string {
	var all []string
	for _, name := range common {
		if value, ok := env(name); ok {
			all = append(all, name+"="+value)
		}
	}
	for _, name := range s.Env {
		all = append(all, name+"="+values[name])
	}

	return all
}

// Connect implements sdk.Transport: it starts the command.
func (p *process) Connect(context.Context) (sdk.Connection, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil, errors.New("it is not started any more")
	}
	conn, err := p.startCommand()
	if err != nil {
		return nil, err
	}
	p.conn = conn

	return conn, nil
}

// startCommand starts the command and returns the connection with it.
func (p *process) startCommand() (*lineConn, error) {
	p.cmd = exec.Command(p.server.Command[0], p.server.Command[1:]...)
	p.cmd.Env = p.env
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = politely
	setProcessGroup(p.cmd)
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), in.Close())
	}
	p.cmd.Stdin, p.cmd.Stdout = stdin, stdout

	begun := make(chan error)
	go p.runCommand(begun)
	err = <-begun
	err = errors.Join(err, stdin.Close(), stdout.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}

	return &lineConn{out: out, in: in, exited: p.exited, lines: bufio.NewReaderSize(out, 64<<10)}, nil
}

// runCommand starts the command and waits for its end, on a thread of its own: on some systems the command ends with the thread that has
// started it, which is how it ends when this program is killed.
func (p *process) runCommand(begun chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	if err != nil {
		p.err = err
		close(p.exited)
		begun <- err

		return
	}
	begun <- nil
	p.err = p.cmd.Wait()
	killGroup(p.cmd) // what it has left behind
	close(p.exited)
}

// stop implements wire: it ends the command, and all that it has started.
func (p *process) stop() { p.once.Do(func() { p.endCommand(p.waitForExit) }) }

// abort implements wire.
func (p *process) abort() { p.once.Do(func() { p.endCommand(func() bool { return false }) }) }

// endCommand closes the command's input, on which a server ends. goes reports whether it exits by
// itself; otherwise it is asked to.
func (p *process) endCommand(goes func() bool) {
	p.mu.Lock()
	p.over = true
	conn := p.conn
	p.mu.Unlock()
	if conn == nil {
		return
	}
	_ = conn.Close()
	if goes() {
		return
	}
	terminateGroup(p.cmd)
	if p.waitForExit() {
		return
	}
	killGroup(p.cmd)
	<-p.exited
}

func (p *process) waitForExit() bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(politely):
		return false
	}
}

// problem implements wire.
func (p *process) problem() error {
	if p.conn != nil {
		if err := p.conn.problem(); err != nil {
			return err
		}
	}
	select {
	case <-p.exited:
		if p.err != nil {
			return fmt.Errorf("it has ended: %w", p.err)
		}
		return errors.New("it has ended")
	default:
		return nil
	}
}

// isReached implements wire.
func (p *process) isReached() bool { return p.conn != nil && p.conn.problem() == nil }

// hasAnswered implements wire.
func (p *process) hasAnswered() bool {
	p.mu.Lock()
	conn := p.conn
	p.mu.Unlock()

	return conn != nil && conn.hasAnswered()
}

// outputTail implements wire.
func (p *process) outputTail() string {
	said := p.stderr.String()
	if p.conn != nil {
		said = p.conn.noise.String() + said
	}

	return strings.ToValidUTF8(said, "\ufffd")
}

// tail is the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - mostSaid; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}

	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()

	return string(t.text)
}
