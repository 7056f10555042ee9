package gopkg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Lacking returns those of some modules that are neither required by the Go module that dir lies in nor beside it in a workspace.
// Outside of a module there are none. The error is that of a go command that is absent or cannot read the module.
func Lacking(ctx context.Context, dir string, modules []string) ([]string, error) {
	if len(modules) == 0 {
		return nil, nil
	}
	if file, err := gomodAround(ctx, dir); err != nil || file == "" {
		return nil, err
	}
	out, err := goCommand(ctx, dir, append([]string{"list", "-m", "-e", "-json=Path,Error"}, modules...)...)
	if err != nil {
		return nil, err
	}

	var lacking []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module listedModule
		err := decoder.Decode(&module)
		if errors.Is(err, io.EOF) {
			return lacking, nil
		}
		if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		if module.unknown() {
			lacking = append(lacking, module.Path)
		}
	}
}
