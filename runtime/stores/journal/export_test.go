package journal

import "github.com/agentc-dev/agentc/runtime/internal/stores/files"

// FilesOf is Files on another system than the disk's.
func FilesOf(dir string, system files.System) Store { return &folder{dir, system} }

// Decode reads the bytes of a run's journal as Read does.
func Decode(run string, content []byte) (*Journal, error) {
	d, err := decodeJournal(run, content)

	return d.readableJournal(), err
}

// RunError is one of the errors about a run.
func RunError(run string, err error) error { return runError(run, err) }

// TornError is the type of Journal.Cut.
type TornError = tornError

// Parts returns the fields of the error.
func (e *tornError) Parts() (offset, bytes int, problem string) { return e.offset, e.bytes, e.problem }

// Sealed is a journal with one block of that payload.
func Sealed(run string, payload []byte) []byte {
	block := append(make([]byte, blockHead), payload...)
	sealBlock(block, 1, seedOf(run))

	return append([]byte(headerLine(run)), block...)
}
