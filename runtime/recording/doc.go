// Package recording keeps what models were asked and what they answered, so that a run can be played again without them: the same
// questions get the same answers, and what was never asked is an error, not a call.
//
// [Open] opens the file that a [Recorder] writes; an engine that has one as its Config.Record records every call of a model. [Read] and
// [ReadFile] give a [Recording], and an engine that has one as its Config.Replay answers every call from there, as the models
// replay:FILE do. README.md has the format of the file, field by field, and what makes two requests equal.
package recording
