package files

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/tools"
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
	root, err := Root(k.Root)
	if err != nil {
		return nil, err
	}
	f := folder{root: root, maxSize: k.MaxSize}
	if f.maxSize == 0 {
		f.maxSize = maxSize
	}

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

	return Writable(k.Root)
}

// Writable returns why files.root, or the nearest folder above it that exists, cannot be written. It creates nothing that
// stays. Errors: *runtime.BadSettingError.
func Writable(dir string) error {
	root, err := Root(dir)
	if err != nil {
		return err
	}
	for above := filepath.Dir(root); above != root; above = filepath.Dir(root) {
		if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		root = above
	}
	probe, err := os.CreateTemp(root, ".agentc-*")
	if err == nil {
		_ = probe.Close()
		err = os.Remove(probe.Name())
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return &runtime.BadSettingError{Name: "files.root", Value: dir, Problem: "cannot be written: " + err.Error()}
	}

	return nil
}

// Root returns the absolute path of files.root. If it exists, it must be a folder. Errors: *runtime.BadSettingError.
func Root(dir string) (string, error) {
	bad := func(problem string) (string, error) {
		return "", &runtime.BadSettingError{Name: "files.root", Value: dir, Problem: problem}
	}
	if dir == "" {
		return bad("names no folder")
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return bad("cannot be found: " + err.Error())
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return bad("is not a folder")
	}

	return root, nil
}

// arguments are those of both tools.
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
