package shell

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/tools"
	"github.com/agentc-dev/agentc/runtime/tools/internal/root"
)

// What is bounded unless the settings say otherwise.
const (
	timeout   = 2 * time.Minute
	maxOutput = 64 << 10
)

// Tools are the tool bash for a folder.
type Tools struct {
	// Dir is the folder in which commands run, the project's files.root. The first command creates it.
	Dir string
	// Timeout is how long a command may take; 0: 2 minutes.
	Timeout time.Duration
	// MaxOutput is how much of a command's output is kept, in bytes for each of stdout and stderr; 0: 64 KiB.
	MaxOutput int
}

// Open checks the settings and returns the tools; see [tools.On].
func (k Tools) Open(env func(string) (string, bool)) (map[string]tools.Tool, error) {
	if k.Dir == "" {
		return nil, &runtime.BadSettingError{
			Name: "shell", Value: "true", Problem: "needs files.root, the folder in which commands run",
		}
	}
	dir, err := root.Path(k.Dir)
	if err != nil {
		return nil, err
	}
	k.Dir = dir
	k.Timeout, k.MaxOutput = cmp.Or(k.Timeout, timeout), cmp.Or(k.MaxOutput, maxOutput)

	return map[string]tools.Tool{
		"bash": func(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
			var in struct{ Command string }
			if err := json.Unmarshal(call.Args, &in); err != nil {
				return runtime.ToolResult{Problem: err.Error()}, nil
			}

			return k.tool(ctx, in.Command, env)
		},
	}, nil
}

// Ready returns why no command can run. Errors: *runtime.BadSettingError.
func (k Tools) Ready(tool string) error {
	if tool != "bash" {
		return nil
	}
	if _, err := newGroup(context.Background(), ""); err != nil {
		return &runtime.BadSettingError{Name: "shell", Value: "true", Problem: "cannot work: " + err.Error()}
	}

	return root.Writable(k.Dir)
}

// userID returns the number of the user who runs the program, 0 for root; -1 on Windows. Tests replace it.
var userID = os.Geteuid

// Warning returns a warning for the tool bash if the program runs as root.
func (k Tools) Warning(tool string) string {
	if tool != "bash" || userID() != 0 {
		return ""
	}

	return "shell: true, and the program runs as root: a command of an agent can change every file of this machine and read the " +
		"program's keys; run the program as another user"
}

// tool runs a command for a model. A command that failed is a problem, which still has the output.
func (k Tools) tool(ctx context.Context, command string, env func(string) (string, bool)) (runtime.ToolResult, error) {
	within, cancel := context.WithTimeout(ctx, k.Timeout)
	defer cancel()
	printed, err := k.run(within, command, environment(k.Dir, env))
	switch {
	case ctx.Err() != nil:
		return runtime.ToolResult{}, context.Cause(ctx)
	case within.Err() != nil:
		return failed(fmt.Sprintf("the command was ended after %v", k.Timeout), printed), nil
	case err != nil:
		return failed("the command failed: "+err.Error(), printed), nil
	case printed == "":
		return runtime.ToolResult{Text: "The command printed nothing."}, nil
	}

	return runtime.ToolResult{Text: printed}, nil
}

func failed(problem, printed string) runtime.ToolResult {
	if printed != "" {
		problem += "; it printed:\n\n" + printed
	}

	return runtime.ToolResult{Problem: problem}
}

// result joins the outputs of a command.
func result(out, err *output) string {
	printed, complaints := out.String(), err.String()
	if complaints == "" {
		return printed
	}
	if printed != "" && printed[len(printed)-1] != '\n' {
		printed += "\n"
	}

	return printed + "[stderr]\n" + complaints
}
