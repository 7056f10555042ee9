package recording

import "github.com/agentc-dev/agentc/runtime/internal/stores/files"

// OpenOn is Open on another disk.
func OpenOn(system files.System, path string) (*Recorder, error) { return openFile(system, path) }

// Clipped is clipped.
var Clipped = clipAround

// Diff is diff.
var Diff = diffLines

// MaxLine is maxLine.
const MaxLine = maxLine

type (
	WriteError = writeError
)
