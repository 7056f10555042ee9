package recording

import "github.com/agentc-dev/agentc/runtime/internal/stores/files"

// OpenOn is Open on another disk.
func OpenOn(system files.System, path string) (*Recorder, error) { return open(system, path) }

// Clipped is clipped.
var Clipped = clipped

// Diff is diff.
var Diff = diff

// MaxLine is maxLine.
const MaxLine = maxLine

type (
	WriteError = writeError
)
