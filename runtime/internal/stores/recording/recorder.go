package recording

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Recorder appends to the recording of a file, for any number of concurrent runs. Each reply is in the file as soon
// as it is recorded: if the process dies, none is lost; if the computer crashes, some may be. The first error ends
// the recording, and [Recorder.Close] returns it: no run fails because of it.
type Recorder struct {
	system files.System
	path   string

	mu   sync.Mutex
	file files.File
	// new reports whether there was no such file, closed whether nothing more is recorded, end
	// where the last line ends.
	new, closed bool
	end         int64
	// last is the newest header of the file, known what else is in it.
	last  header
	known *decoder
	// places are what the lines of the file are sorted by when it is closed, headers left out; before is how many were there.
	places   []place
	before   int
	sessions int
	err      error
}

// place is the run of a line, in the order in which the runs began, and its address there. Lines that were there before have run 0.
type place struct {
	session int
	at      string
}

// Session is the part of a recording that one run makes. It is safe for concurrent use.
type Session struct {
	recorder *Recorder
	number   int
	header   header
	normal   normal
}

// Begin starts to record a run of a program. secrets removes what must not be in the file; nil if there is nothing.
// Errors: *ProgramError, WriteError.
func (r *Recorder) Begin(program, shape string, secrets func() *redact.Redactor) (*Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.Program != "" && program != "" && r.last.Program != program {
		return nil, &ProgramError{Path: r.path, Recorded: r.last.Program, Program: program}
	}
	s := &Session{recorder: r, normal: normal{secrets}, header: header{format, version, program, shape}}
	if program == "" && r.last.Format != "" {
		s.header = r.last
	}
	r.sessions++
	s.number = r.sessions
	if r.closed {
		r.fail(errClosed)
	}
	r.createFile()

	return s, r.err
}

// Record adds a request at an address of the run and its result: a reply, or an error with the tokens that were used
// nevertheless. Errors that do not come from the model, such as a cancellation, are left out.
func (s *Session) Record(at string, request *model.Request, reply model.Reply, err error) {
	q, l := s.normal.normalRequest(request), line{At: at, Agent: request.Agent}
	if err == nil {
		l.Reply = s.normal.normalReply(q.messages, &reply)
	} else if l.Error = s.normal.newFailure(err, &reply); l.Error == nil {
		return
	}
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeHeader(s.header)
	if r.err != nil {
		return
	}
	text, err := r.known.appendLine(nil, q, l)
	r.writeLine(text, err)
	r.places = append(r.places, place{s.number, at})
}

// writeHeader writes the header of what comes, if another holds. The caller has r.mu.
func (r *Recorder) writeHeader(h header) {
	if r.err != nil || h == r.last {
		return
	}
	text, err := r.known.appendHeader(nil, h)
	r.writeLine(text, err)
	r.last = h
}

// writeLine adds a line. If that fails, the file is left as it was. The caller holds r.mu.
func (r *Recorder) writeLine(line []byte, err error) {
	switch {
	case err != nil:
	case r.file == nil:
		err = errClosed
	case len(line) > maxLine:
		err = appendlog.ErrLong
	default:
		_, err = r.file.Size()
		if err == nil { // is it still there?
			_, err = r.file.WriteAt(line, r.end)
		}
	}
	if err != nil {
		r.fail(err)
		if r.file != nil {
			_ = r.file.Truncate(r.end) // else the next who opens it cuts it off
		}

		return
	}
	r.end += int64(len(line))
}

var errClosed = errors.New("it is closed")

// fail ends the recording. The caller holds r.mu.
func (r *Recorder) fail(err error) {
	if r.err == nil && err != nil {
		r.err = &writeError{Path: r.path, Err: err}
	}
}

// Requests returns how many requests were recorded since the recording was opened.
func (r *Recorder) Requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()

	return len(r.places) - r.before
}

// Close sorts the recording by runs and addresses, so that the file does not depend on the order of concurrent
// branches, and closes the file. Errors: WriteError.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.file == nil {
		return r.err
	}
	sorted := ""
	if r.err == nil && !slices.IsSortedFunc(r.places, comparePlaces) {
		sorted = r.path + ".new"
		r.fail(r.writeSorted(sorted))
	}
	r.fail(r.file.Close())
	r.file = nil
	if sorted != "" && r.err == nil {
		r.fail(r.system.Rename(sorted, r.path))
	}
	if r.end == 0 && r.new {
		r.fail(r.system.Remove(r.path))
	}

	return r.err
}

// writeSorted writes a file with the lines in order.
func (r *Recorder) writeSorted(path string) error {
	text, err := r.inOrder()
	if err != nil {
		return err
	}
	// One may be left of a process that died here.
	if err := r.system.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := files.WriteNew(r.system, path, text); err != nil {
		return errors.Join(err, r.system.Remove(path))
	}

	return nil
}

// inOrder writes the entries of the recording in the order of their places.
func (r *Recorder) inOrder() (text []byte, err error) {
	order := make([]int, len(r.places))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return comparePlaces(r.places[order[i]], r.places[order[j]]) < 0 })
	sorted, last := newDecoder(r.path), header{}
	for _, i := range order {
		e := r.known.recording.entries[i]
		if h := r.known.headers[e.header]; h != last {
			text, err = sorted.appendHeader(text, h)
			if err != nil {
				return nil, err
			}
			last = h
		}
		l := line{At: e.at, Agent: e.agent, Reply: e.reply, Error: e.failure}
		text, err = sorted.appendLine(text, e.request.wholeRequest(), l)
		if err != nil {
			return nil, err
		}
	}

	return text, nil
}

// comparePlaces compares runs, and in a run addresses, number by number.
func comparePlaces(a, b place) int {
	if a.session != b.session || a.session == 0 {
		return cmp.Compare(a.session, b.session)
	}

	return slices.CompareFunc(strings.Split(a.at, "."), strings.Split(b.at, "."), func(a, b string) int {
		m, _ := strconv.Atoi(a)
		n, _ := strconv.Atoi(b)

		return cmp.Compare(m, n)
	})
}
