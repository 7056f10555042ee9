// Package recording records the requests to models and their replies in a file, so that a run can be replayed without
// calling models: an equal request gets the recorded reply, and a request that is not in the recording is an error.
//
// [Open] opens the file that a [Recorder] writes; an engine with WithRecorder records every call of a model. [Read]
// and [ReadFile] return a [Recording]; an engine with WithReplay answers every call from it, as the models
// replay:FILE do. The README of this package describes the format of the file, field by field, and when two requests
// are equal.
package recording
