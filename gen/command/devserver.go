package command

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// devServer is the binary of a project that serves its runs to agentc dev.
type devServer struct {
	cmd *exec.Cmd
	// stdin is a pipe. The binary ends when it is closed, also by the end of this process.
	stdin   io.Closer
	address *url.URL
	token   string
	ended   chan struct{}
}

var servesAt = regexp.MustCompile(`serving runs at (http://\S+)$`)

// How long the binary may take to serve, and to end after its runs have stopped.
const (
	longestStart = 30 * time.Second
	longestEnd   = 10 * time.Second
)

// startServer starts the binary, waits until it serves, and forwards its output to stderr.
func startServer(binary, dir string, args, environ []string, stderr io.Writer) (*devServer, error) {
	s := &devServer{token: rand.Text(), ended: make(chan struct{})}
	s.cmd = exec.Command(binary, append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "none", "--no-resume", "--no-ui", "--until-eof"}, args...)...)
	s.cmd.Dir = dir
	s.cmd.Env = append(environ, "AGENTC_SERVE_TOKENS=dev="+s.token)
	s.cmd.Stdout = stderr
	shieldFromInterrupts(s.cmd)
	output, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	s.stdin, err = s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	address := make(chan string, 1)
	go func() {
		defer close(s.ended)
		isServing := false
		for lines := bufio.NewScanner(output); lines.Scan(); {
			at := servesAt.FindStringSubmatch(lines.Text())
			switch {
			case at != nil && !isServing:
				isServing = true
				address <- at[1]
			case !strings.HasSuffix(lines.Text(), "(interrupt again to stop at once)"): // a hint for a person who starts serve
				fmt.Fprintln(stderr, lines.Text())
			}
		}
		_, _ = io.Copy(stderr, output) // after a line that is too long
		_ = s.cmd.Wait()
	}()

	select {
	case at := <-address:
		s.address, err = url.Parse(at)
		return s, err
	case <-s.ended:
		return nil, fmt.Errorf("the program has ended instead of serving its runs (%v)", s.cmd.ProcessState)
	case <-time.After(longestStart):
		s.kill()
		return nil, errors.New("the program does not serve its runs")
	}
}

// stop ends the binary. Its runs stop at their next safe points. The binary is killed after
// longestEnd, or when ctx ends.
func (s *devServer) stop(ctx context.Context) {
	_ = s.stdin.Close() // an error means that it has ended
	select {
	case <-s.ended:
	case <-ctx.Done():
		s.kill()
	case <-time.After(longestEnd):
		s.kill()
	}
}

// hasEnded reports whether the binary ends within a second. Its connections close shortly before.
func (s *devServer) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	case <-time.After(time.Second):
		return false
	}
}

func (s *devServer) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// sendRequest sends a request to the binary, and returns an error for a status of 400 or more.
func (s *devServer) sendRequest(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, s.address.String()+"/"+path, content)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/x-ndjson, application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil || response.StatusCode < http.StatusBadRequest {
		return response, err
	}
	defer response.Body.Close()
	problem := struct{ Message string }{response.Status}
	_ = json.NewDecoder(response.Body).Decode(&problem) // otherwise the status is the message

	return nil, errors.New(problem.Message)
}

// call sends a request to the binary and decodes its reply.
func (s *devServer) call(ctx context.Context, method, path string, body, reply any) error {
	response, err := s.sendRequest(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()

	return json.NewDecoder(response.Body).Decode(reply)
}
