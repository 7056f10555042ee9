// Package recording records the requests to models and their replies in a file, so that a run can be replayed without
// calling models: an equal request gets the recorded reply, and a request that is not in the recording is an error.
//
// [Open] opens the file that a [Recorder] writes; an engine with it as a Recorder records every call of a model. [Read]
// returns a [Recording]; an engine with one as Replay answers every call from it, as the models
// replay:FILE do. The README of this package describes the format of the file, field by field, and when two requests
// are equal.
package recording

import (
	"io"

	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
)

// Recorder appends to the recording of a file, for any number of concurrent runs. Close ends it.
type Recorder = recording.Recorder

// Recording is a recording that was read.
type Recording = recording.Recording

// FormatError means that a file, or a text that was compiled in, is not a recording, or that a line cannot be read.
type FormatError = recording.FormatError

// Open opens a file to record into. Existing content is kept, and new requests are appended. Errors: *FormatError, an
// error with the code BusyError while the file is being written, and those of the file system.
func Open(path string) (*Recorder, error) { return recording.Open(path) }

// Read reads a recording; path is for messages. Errors: *FormatError, and those of the reader.
func Read(from io.Reader, path string) (*Recording, error) { return recording.Read(from, path) }
