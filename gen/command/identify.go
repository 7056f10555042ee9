package command

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

// ForeignProgramError means that a binary with Go of the user's did not answer as the program of
// the project. It got nothing to do, and does not run any more.
type ForeignProgramError struct {
	// Program says which program it is, such as "the program in ./cmd/desk": that of a package
	// main, or one that agentc has made.
	Program string
	// Reason says what the binary did instead.
	Reason string
	// Output is the beginning of what it printed; "" if it printed nothing.
	Output string
}

func (e *ForeignProgramError) Error() string {
	text := fmt.Sprintf("%s was not started for this command: %s", e.Program, e.Reason)
	if e.Output != "" {
		text += "; it printed:\n" + e.Output
	}

	return text
}

// startTime is how long a program has from its start to app.Main.
var startTime = 10 * time.Second

// answeredBinary is a binary that has answered as the program with that name and shape.
type answeredBinary struct{ binary, name, shape string }

// identify finds out whether a binary with Go of the user's is the program of the project: it is
// started, in the environment of the command, to print what it is. Each binary is asked until it
// has answered once. program describes it for errors. The error is a *ForeignProgramError, or that
// of a binary that cannot be started.
func (l *linking) identify(binary, program string) error {
	expected := answeredBinary{binary, emit.ProgramName(l.result.Program), emit.ShapeHash(l.result.Program)}
	if builtFor(expected) != "" {
		return nil
	}
	reply, err := l.askIdentity(binary)
	if err != nil {
		return err
	}
	foreign := &ForeignProgramError{Program: program, Reason: reply.missing, Output: reply.output}
	switch is := reply.identity; {
	case is == nil:
		return foreign
	case is.Protocol != app.Protocol:
		foreign.Reason, foreign.Output = l.otherRuntime(), ""
		return foreign
	case is.Name != expected.name || is.Shape != expected.shape:
		foreign.Reason = fmt.Sprintf("it has the agents of another project, %s: --main FOLDER names another package main", is.Name)
		foreign.Output = ""
		return foreign
	}
	noteBuilt(expected, binary)

	return nil
}

func (l *linking) otherRuntime() string {
	return fmt.Sprintf("its go.mod requires another version of %s than this agentc is, %s", gopkg.Agentc, l.c.Program.Version())
}

// identityReply is what a program did that was asked for its identity.
type identityReply struct {
	// identity is nil if there was none; missing says why then.
	identity *app.Identity
	missing  string
	// output is the beginning of what it printed.
	output string
}

// askIdentity starts a binary to find out what it is, and ends it with everything that it has
// started. The error is that of a binary that cannot be started.
func (l *linking) askIdentity(binary string) (reply identityReply, err error) {
	nonce, started := rand.Text(), time.Now()
	interrupted, quit := signal.NotifyContext(context.Background(), passedOn...)
	defer quit()
	ctx, cancel := context.WithTimeout(interrupted, startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "version") // which every version of the runtime understands
	stdout, stderr := &firstBytes{}, &firstBytes{}
	cmd.Dir, cmd.Env = l.c.Dir, slices.Concat(l.environ, []string{app.IdentityVariable + "=" + nonce})
	cmd.Stdout, cmd.Stderr = stdout, stderr
	keepInterrupts(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second // for a process that it has started elsewhere, with its streams
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return reply, err
	}

	reply.identity = identityIn(stdout.kept, nonce)
	reply.output = strings.TrimSpace(string(stdout.kept) + string(stderr.kept))
	switch {
	case interrupted.Err() != nil:
		reply.missing = "it was interrupted"
	case ctx.Err() != nil:
		reply.missing = fmt.Sprintf("it did not reach app.Main in %.0f s, and was stopped", time.Since(started).Seconds())
	case bytes.Contains(stdout.kept, []byte("\nruntime ")): // the reply of the command version
		reply.missing, reply.output = l.otherRuntime(), ""
	default:
		reply.missing = fmt.Sprintf("it ended before it reached app.Main (%v)", cmd.ProcessState)
	}

	return reply, nil
}

// identityIn finds the reply with a nonce among the lines of an output; nil if there is none.
func identityIn(output []byte, nonce string) *app.Identity {
	for line := range bytes.Lines(output) {
		var answer app.Identity
		if json.Unmarshal(line, &answer) == nil && answer.Nonce == nonce {
			return &answer
		}
	}

	return nil
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct{ kept []byte }

// Write implements io.Writer.
func (b *firstBytes) Write(p []byte) (int, error) {
	const most = 16 << 10
	b.kept = append(b.kept, p[:min(len(p), most-len(b.kept))]...)

	return len(p), nil
}
