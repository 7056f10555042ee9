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

// ForeignProgramError means that a binary with the user's Go did not identify itself as the program
// of the project. It was not used, and does not run any more.
type ForeignProgramError struct {
	// Program describes the program, such as "the program in ./cmd/desk".
	Program string
	// Reason describes what the binary did instead.
	Reason string
	// Output is the beginning of its output.
	Output string
}

func (e *ForeignProgramError) Error() string {
	text := fmt.Sprintf("%s was not started for this command: %s", e.Program, e.Reason)
	if e.Output != "" {
		text += "; it printed:\n" + e.Output
	}

	return text
}

// startTime is how long a program may take from its start to app.Main.
var startTime = 10 * time.Second

// answeredBinary is a binary that has identified itself as the program with a name and a shape.
type answeredBinary struct{ binary, name, shape string }

// identifyProgram checks that a binary with the user's Go is the program of the project. It starts
// the binary, which prints its identity, unless that was done before. program describes the binary
// in errors. The error is a *ForeignProgramError, or the error of starting the binary.
func (l *linking) identifyProgram(binary, program string) error {
	expected := answeredBinary{binary, emit.ProgramName(l.result.Program), emit.ShapeHash(l.result.Program)}
	if cachedBinary(expected) != "" {
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
		foreign.Reason, foreign.Output = l.otherRuntimeMessage(), ""
		return foreign
	case is.Name != expected.name || is.Shape != expected.shape:
		foreign.Reason = fmt.Sprintf("it has the agents of another project, %s: --main FOLDER names another package main", is.Name)
		foreign.Output = ""
		return foreign
	}
	recordBuilt(expected, binary)

	return nil
}

func (l *linking) otherRuntimeMessage() string {
	return fmt.Sprintf("its go.mod requires another version of %s than this agentc is, %s", gopkg.Agentc, l.c.Program.Version())
}

// identityReply is the reply of a binary to the question for its identity.
type identityReply struct {
	// identity is nil if there was no reply; missing then is the reason.
	identity *app.Identity
	missing  string
	// output is the beginning of its output.
	output string
}

// askIdentity starts a binary to read its identity, then kills it and its children. The error is
// the error of starting it.
func (l *linking) askIdentity(binary string) (reply identityReply, err error) {
	nonce, started := rand.Text(), time.Now()
	interrupted, quit := signal.NotifyContext(context.Background(), forwardedSignals...)
	defer quit()
	ctx, cancel := context.WithTimeout(interrupted, startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "version") // every version of the runtime has this command
	stdout, stderr := &firstBytes{}, &firstBytes{}
	cmd.Dir, cmd.Env = l.c.Dir, slices.Concat(l.environ, []string{app.IdentityVariable + "=" + nonce})
	cmd.Stdout, cmd.Stderr = stdout, stderr
	shieldFromInterrupts(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second // for processes with its streams outside of its group
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return reply, err
	}

	reply.identity = findIdentity(stdout.kept, nonce)
	reply.output = strings.TrimSpace(string(stdout.kept) + string(stderr.kept))
	switch {
	case interrupted.Err() != nil:
		reply.missing = "it was interrupted"
	case ctx.Err() != nil:
		reply.missing = fmt.Sprintf("it did not reach app.Main in %.0f s, and was stopped", time.Since(started).Seconds())
	case bytes.Contains(stdout.kept, []byte("\nruntime ")): // this is the output of the command version
		reply.missing, reply.output = l.otherRuntimeMessage(), ""
	default:
		reply.missing = fmt.Sprintf("it ended before it reached app.Main (%v)", cmd.ProcessState)
	}

	return reply, nil
}

// findIdentity returns the reply with a nonce in the lines of an output, or nil.
func findIdentity(output []byte, nonce string) *app.Identity {
	for line := range bytes.Lines(output) {
		var answer app.Identity
		if json.Unmarshal(line, &answer) == nil && answer.Nonce == nonce {
			return &answer
		}
	}

	return nil
}

// firstBytes keeps the first bytes that are written to it.
type firstBytes struct{ kept []byte }

// Write implements io.Writer.
func (b *firstBytes) Write(p []byte) (int, error) {
	const most = 16 << 10
	b.kept = append(b.kept, p[:min(len(p), most-len(b.kept))]...)

	return len(p), nil
}
