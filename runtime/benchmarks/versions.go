package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
)

// peerModules are the modules that agentc is compared with, and the driver of SQLite files, by the folder below this one whose
// go.mod requires them.
var peerModules = []struct{ folder, module string }{
	{".", "github.com/looplab/fsm"},
	{".", "github.com/qmuntal/stateless"},
	{"peers", "github.com/cloudwego/eino"},
	{"peers", "github.com/dbos-inc/dbos-transact-golang"},
	{"peers", "modernc.org/sqlite"},
}

// writeVersions writes the versions of what was measured, on a line.
func writeVersions(ctx context.Context, w io.Writer) error {
	line := []string{runtime.Version()}
	for _, peer := range peerModules {
		version, _, err := execute(ctx, peer.folder, nil, "go", "list", "-m", "-f", "{{.Version}}", peer.module)
		if err != nil {
			return err
		}
		line = append(line, path.Base(peer.module)+" "+strings.TrimSpace(string(version)))
	}
	_, err := fmt.Fprintf(w, "\nversions: %s\n", strings.Join(line, ", "))

	return err
}
