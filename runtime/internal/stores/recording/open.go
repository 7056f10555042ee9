package recording

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// Open opens a file to record into. If it does not exist, it is created when the first run begins. Existing content
// is kept, and new requests are appended; a tail that a crash has torn is cut off. Open never writes to a file that
// is not a recording.
//
// Errors: *FormatError if the file is not a recording, *BusyError while it is being written, and those of the file
// system.
func Open(path string) (*Recorder, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &FormatError{Path: path, Line: 1, Problem: "it is not a file that could be a recording"}
	default:
		path, err = filepath.EvalSymlinks(path)
		if err != nil { // a link stays one when the file is replaced
			return nil, err
		}
	}
	// The working directory may change while the file is open.
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}

	return openFile(files.OS, path)
}

func openFile(system files.System, path string) (*Recorder, error) {
	r := &Recorder{system: system, path: path, known: newDecoder(path)}
	file, err := system.OpenExisting(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.new = true

		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.file = file
	if err := r.loadFile(); err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return r, nil
}

// createFile creates the file if there was none. The caller holds r.mu.
func (r *Recorder) createFile() {
	if !r.new || r.file != nil || r.err != nil {
		return
	}
	file, err := r.system.Create(r.path)
	if err == nil {
		r.file = file
		err = r.lockFile()
	}
	r.fail(err)
}

// lockFile locks the file for this recorder.
func (r *Recorder) lockFile() error {
	ok, err := r.file.TryLock()
	if err == nil && !ok {
		err = &BusyError{Path: r.path}
	}

	return err
}

// loadFile reads the content of the file.
func (r *Recorder) loadFile() error {
	if err := r.lockFile(); err != nil {
		return err
	}
	size, err := r.file.Size()
	if err != nil || size == 0 {
		return err
	}
	r.known, err = readDecoder(io.NewSectionReader(r.file, 0, size), r.path)
	if err != nil {
		return err
	}
	was := r.known.recording
	r.end = was.whole
	if n := len(r.known.headers); n > 0 {
		r.last = r.known.headers[n-1]
	}
	if r.end < size {
		err = r.file.Truncate(r.end)
	}
	if err == nil && was.open {
		_, err = r.file.WriteAt([]byte("\n"), r.end)
		r.end++
	}
	r.before = len(was.entries)
	r.places = make([]place, r.before)

	return err
}
