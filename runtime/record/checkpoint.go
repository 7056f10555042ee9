package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// checkpoint is the state at an entry, so that whoever opens a long record need not read all of it. It is told from the record,
// which alone counts: without it, or with one that cannot be read, the record is read from its beginning.
type checkpoint struct {
	Head
	// Start is the offset of the entry's line, End that of the next.
	Start    int64      `json:"start"`
	End      int64      `json:"end"`
	Machines []*Machine `json:"machines"`
	Values   []*Value   `json:"values"`
}

// savedCheckpoint is what is known of the last one: where it ends in the record, and its own size.
type savedCheckpoint struct {
	end, size int64
}

// saveIfDue writes a checkpoint once the record has grown so much that it costs little beside: all checkpoints together are no
// longer than the record. That it cannot be written is no failure: it is tried again with the next entry.
func (l *Log) saveIfDue() {
	if l.o.Dir == "" || l.chain.end-l.saved.end < max(l.o.Checkpoint, 2*l.saved.size) {
		return
	}
	if l.o.NoSync && l.file.Sync() != nil { // a checkpoint must never know of more than the disk
		return
	}
	body, err := l.checkpointNow()
	if err != nil {
		return
	}
	if l.replace(checkpointName, seal(body)) == nil {
		l.saved = savedCheckpoint{end: l.chain.end, size: int64(len(body))}
	}
}

func (l *Log) checkpointNow() ([]byte, error) {
	start, err := lineBefore(l.file, l.chain.end)
	if err != nil {
		return nil, err
	}

	return l.state.encode(l.chain.head, start, l.chain.end)
}

// encode is the same for the same state.
func (s *State) encode(head Head, start, end int64) ([]byte, error) {
	c := checkpoint{Head: head, Start: start, End: end}
	for _, id := range slices.Sorted(maps.Keys(s.Machines)) {
		c.Machines = append(c.Machines, s.Machines[id])
	}
	for _, key := range slices.Sorted(maps.Keys(s.Values)) {
		c.Values = append(c.Values, s.Values[key])
	}

	return json.Marshal(c)
}

// seal puts the hash of a checkpoint before it.
func seal(body []byte) []byte {
	sum := sha256.Sum256(body)

	return append([]byte(hex.EncodeToString(sum[:])+"\n"), body...)
}

// unseal returns the checkpoint if it is whole.
func unseal(sealed []byte) (c checkpoint, body []byte, ok bool) {
	_, body, ok = bytes.Cut(sealed, []byte("\n"))
	if !ok || !bytes.Equal(seal(body), sealed) || json.Unmarshal(body, &c) != nil {
		return checkpoint{}, nil, false
	}

	return c, body, true
}

// readCheckpoint reads the checkpoint of a folder; ok is false if there is none that can be used.
func readCheckpoint(system files.System, dir string) (c checkpoint, body []byte, ok bool, err error) {
	path := filepath.Join(dir, checkpointName)
	sealed, err := system.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return checkpoint{}, nil, false, nil
	}
	if err != nil {
		return checkpoint{}, nil, false, &StoreError{"read", path, err}
	}
	c, body, ok = unseal(sealed)

	return c, body, ok, nil
}

// loadCheckpoint begins with the checkpoint, if there is one and the record has its entry.
func (l *Log) loadCheckpoint() error {
	c, body, ok, err := readCheckpoint(l.o.Files, l.o.Dir)
	if err != nil || !ok {
		return err
	}
	if e, err := entryAt(l.file, l.path, c.Start); err != nil || e.Head() != c.Head {
		return l.notOf(c)
	}
	l.chain.head, l.chain.end = c.Head, c.End
	for _, m := range c.Machines {
		l.state.Machines[m.ID] = m
	}
	for _, v := range c.Values {
		l.state.put(v)
	}
	l.saved = savedCheckpoint{end: c.End, size: int64(len(body))}

	return nil
}

// notOf is a record that lacks the entry of its checkpoint.
func (l *Log) notOf(c checkpoint) error {
	const problem = "entry %d is not as %s knows it: the record was changed or cut off; take that file away to trust the record"

	return &DamagedError{Path: l.path, Seq: c.Seq, Problem: fmt.Sprintf(problem, c.Seq, checkpointName)}
}

// entryAt reads the entry whose line begins at an offset.
func entryAt(file files.File, path string, offset int64) (Entry, error) {
	damaged := &DamagedError{Path: path, Offset: offset}
	line, err := readLine(bufio.NewReader(io.NewSectionReader(file, offset, math.MaxInt64-offset)))
	if err != nil {
		damaged.Problem = fmt.Sprintf("no line begins at byte %d: %v", offset, err)
		return Entry{}, damaged
	}
	e, problem := parse(line[:len(line)-1])
	if problem != "" {
		damaged.Problem = fmt.Sprintf("the line at byte %d: %s", offset, problem)
		return Entry{}, damaged
	}

	return e, nil
}

// lineBefore is where the line begins that ends at an offset.
func lineBefore(file files.File, end int64) (int64, error) {
	block := make([]byte, 4096)
	for at := end - 1; at > 0; {
		n := min(int64(len(block)), at)
		if _, err := file.ReadAt(block[:n], at-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}

	return 0, nil
}

// replace puts a file there anew: readers find the old content or the new one, also after a crash.
func (l *Log) replace(name string, content []byte) error {
	path := filepath.Join(l.o.Dir, name)
	if err := l.writeAside(path+".new", content); err != nil {
		return err
	}
	if err := l.o.Files.Rename(path+".new", path); err != nil {
		return &StoreError{"rename", path, err}
	}
	if err := l.o.Files.SyncFolder(l.o.Dir); err != nil {
		return &StoreError{"sync", l.o.Dir, err}
	}

	return nil
}

func (l *Log) writeAside(path string, content []byte) (err error) {
	file, err := l.o.Files.Open(path)
	if err != nil {
		return &StoreError{"open", path, err}
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(0); err != nil {
		return &StoreError{"truncate", path, err}
	}
	if _, err := file.WriteAt(content, 0); err != nil {
		return &StoreError{"write", path, err}
	}
	if err := file.Sync(); err != nil {
		return &StoreError{"sync", path, err}
	}

	return nil
}
