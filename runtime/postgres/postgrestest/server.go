// Package postgrestest starts a PostgreSQL server of its own on this machine, for tests and
// benchmarks. The server's programs come from the system's packages: .ci/postgres installs them.
package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrMissing is what Start returns where PostgreSQL is not installed.
var ErrMissing = errors.New("PostgreSQL is not installed: .ci/postgres installs it from the system's packages")

// startTime is how long a server may take to start.
const startTime = time.Minute

// Server is a server that runs.
type Server struct {
	dir, address string
	programs     string
	port         string
	cmd          *exec.Cmd
	stdin        io.Closer
	output       bytes.Buffer
}

// Start starts a server on a free port of the loopback interface, by an unprivileged user if this
// process is root's. Errors: ErrMissing.
func Start() (*Server, error) {
	programs, err := findPrograms()
	if err != nil {
		return nil, err
	}
	s := &Server{programs: programs}
	s.dir, err = os.MkdirTemp("", "postgres-")
	if err != nil {
		return nil, err
	}
	if err := s.initialize(); err != nil {
		return nil, errors.Join(fmt.Errorf("%w\n%s", err, s.output.String()), s.Stop())
	}

	return s, nil
}

// findPrograms returns the folder of the server's programs of the newest version. Debian has them
// in no folder of PATH.
func findPrograms() (folder string, err error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) + bytes.Compare([]byte(b), []byte(a)) })
	if path, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "initdb")); err == nil {
			return folder, nil
		}
	}

	return "", ErrMissing
}

func (s *Server) initialize() (err error) {
	s.port, err = freePort()
	if err != nil {
		return err
	}
	initialise := exec.Command(filepath.Join(s.programs, "initdb"), "-D", s.dataDir(), "-U", "agentc", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if err := s.runCommand(initialise, (*exec.Cmd).Run); err != nil {
		return err
	}
	s.address = "postgres://agentc@127.0.0.1:" + s.port + "/postgres?sslmode=disable"

	return s.launchServer()
}

func (s *Server) dataDir() string { return filepath.Join(s.dir, "data") }

// launchServer starts the server with its data.
func (s *Server) launchServer() (err error) {
	// The shell ends the server when its input ends, so that none outlives a test that is killed.
	s.cmd = exec.Command("sh", "-c", `"$@" </dev/null & read -r _; kill -INT $!; wait $!`, "sh",
		filepath.Join(s.programs, "postgres"), "-D", s.dataDir(), "-p", s.port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
	s.stdin, err = s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := s.runCommand(s.cmd, (*exec.Cmd).Start); err != nil {
		s.cmd = nil
		return err
	}

	return s.waitUntilReady()
}

// Restart ends the server, and all connections with it, and starts it again.
func (s *Server) Restart() error {
	s.interruptServer()

	return s.launchServer()
}

// interruptServer ends the server.
func (s *Server) interruptServer() {
	_ = s.stdin.Close()
	_ = s.cmd.Wait() // the server was interrupted, which its exit code shows
}

// runCommand runs or starts a command, whose output is kept.
func (s *Server) runCommand(cmd *exec.Cmd, do func(*exec.Cmd) error) error {
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &s.output, &s.output
	if err := dropPrivileges(cmd, s.dir); err != nil {
		return err
	}

	return do(cmd)
}

// waitUntilReady waits until the server takes connections.
func (s *Server) waitUntilReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.address)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// freePort returns a port that no process uses.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())

	return port, errors.Join(err, l.Close())
}

// New returns the address of an empty store on the server: a schema of its own.
func (s *Server) New(name string) (address string, err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{name}.Sanitize())

	return s.address + "&search_path=" + name, errors.Join(err, conn.Close(ctx))
}

// Stop stops the server and removes its data.
func (s *Server) Stop() error {
	if s.cmd != nil {
		s.interruptServer()
	}

	return os.RemoveAll(s.dir)
}
