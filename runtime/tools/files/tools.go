package files

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/tools"
	"github.com/agentc-dev/agentc/runtime/tools/internal/root"
)

// maxSize is the size in bytes that a file may have: about as much text as a model can read.
const maxSize = 1 << 20

// Tools are the file tools for a folder.
type Tools struct {
	// Root is the folder; a relative one is below the working directory of the process. It is created when something
	// is written.
	Root string
	// MaxSize is the largest size of a file, in bytes; 0: 1 MiB.
	MaxSize int64
}

// Open checks the settings and returns the tools; see [tools.On].
func (k Tools) Open(func(string) (string, bool)) (map[string]tools.Tool, error) {
	path, err := root.Path(k.Root)
	if err != nil {
		return nil, err
	}
	f := folder{root: path, maxSize: cmp.Or(k.MaxSize, maxSize), swept: &sync.Map{}}

	return map[string]tools.Tool{
		"files_read":  tool(func(in arguments) (string, error) { return f.read(in.Path) }),
		"files_write": tool(func(in arguments) (string, error) { return f.write(in.Path, in.Content) }),
	}, nil
}

// Ready returns why files cannot be written. Errors: *runtime.BadSettingError.
func (k Tools) Ready(tool string) error {
	if tool != "files_write" {
		return nil
	}

	return root.Writable(k.Root)
}

// arguments are the arguments of both tools.
type arguments struct{ Path, Content string }

// tool is a tool that does something with its arguments. Its error is for the model.
func tool(do func(in arguments) (string, error)) tools.Tool {
	return func(_ context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
		var in arguments
		err := json.Unmarshal(call.Args, &in)
		text := ""
		if err == nil {
			text, err = do(in)
		}
		if err != nil {
			return runtime.ToolResult{Problem: err.Error()}, nil
		}

		return runtime.ToolResult{Text: text}, nil
	}
}
