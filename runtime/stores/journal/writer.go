package journal

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
)

// Writer appends records to the journal of a run. It is safe for concurrent use: goroutines that wait for the disk at
// the same time share one sync. After the first failed operation of the store nothing more is written, and every call
// returns the same error.
type Writer struct {
	run  string
	seed uint32

	file File

	mu sync.Mutex // over what follows
	// turn notifies those who wait that a flush has ended.
	turn *sync.Cond
	// pending is the next block, with room for its head; spare is a buffer that the next but one can use.
	pending, spare []byte
	encoder
	// offset is where in the file the next block begins.
	offset int64
	// before goes before the first block: the line that begins the file.
	before []byte
	// blocks is how many are on the disk, end how many bytes.
	blocks uint64
	end    int64
	// appended, wanted and synced count records: those that came, those that have to be flushed, those on the disk.
	appended, wanted, synced uint64
	// labels are the labels of all appended records, labelled the labels that the store has.
	labels, labelled Labels
	flushing, closed bool
	waiting          int // goroutines that wait for a flush, or have not noticed yet that it has ended
	err              error
}

func newWriter(run string, file File, d *decoder) *Writer {
	w := &Writer{
		run: run, seed: seedOf(run), file: file, encoder: encoder{map[[sha256.Size]byte]uint64{}}, offset: int64(d.end), blocks: d.blocks, end: int64(d.end),
		labels: d.labels, labelled: d.labels,
	}
	w.turn = sync.NewCond(&w.mu)

	return w
}

// Append adds a record after all that were added before, and returns how many there are. It never waits for the disk,
// and after an error it does nothing: Sync and Err return the error.
func (w *Writer) Append(r Record) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.appended
	}
	if err := w.encodeRecord(&r); err != nil {
		w.recordError(storeError("append to", w.run, err))
		return w.appended
	}
	w.labels.addRecord(&r)
	w.appended++

	return w.appended
}

// encodeRecord adds a record to what is pending.
func (w *Writer) encodeRecord(r *Record) error {
	switch {
	case w.closed:
		return fs.ErrClosed
	case !r.Type.Valid():
		return fmt.Errorf("a record of the unknown type %d", r.Type)
	}
	if len(w.pending) == 0 {
		w.pending = append(w.spare[:0], make([]byte, blockHead)...)
		w.spare = nil
	}
	w.pending = w.encoder.appendRecord(w.pending, w.offset, r)
	if len(w.pending) > maxBlock {
		return fmt.Errorf("more than %d bytes wait for the disk", maxBlock)
	}

	return nil
}

// Flush starts to write everything that was appended to disk, without waiting: if a flush is under way, the next one
// includes it.
func (w *Writer) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = w.appended
	w.startFlush()
}

// startFlush begins a flush of what is wanted, unless one is under way: that one continues it.
func (w *Writer) startFlush() {
	if w.flushing || w.err != nil || w.synced >= w.wanted {
		return
	}
	w.flushing = true
	go func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.flushBlock()
	}()
}

// Sync waits until everything that was appended is on disk. Errors: *StoreError.
func (w *Writer) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.waitForDisk(w.appended)
}

// Wait waits until that many records are on disk. Errors: *StoreError.
func (w *Writer) Wait(m uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.waitForDisk(m)
}

// Err returns the error after which nothing is written.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.err
}

// waitForDisk flushes, or waits for the caller who does, until the records are on the disk.
func (w *Writer) waitForDisk(m uint64) error {
	for m = min(m, w.appended); w.synced < m && w.err == nil; {
		if w.flushing {
			w.waiting++
			w.turn.Wait()
			w.waiting--

			continue
		}
		w.flushing = true
		w.flushBlock()
	}

	return w.err
}

// flushBlock writes what is pending as one block and waits for the disk, with the lock given back meanwhile. A caller who calls it has set
// flushing. What became wanted meanwhile is left to a flush of its own.
func (w *Writer) flushBlock() {
	if w.waiting > 0 { // who has just been notified of the last flush may have more, and can come along
		w.mu.Unlock()
		runtime.Gosched()
		w.mu.Lock()
	}
	block, labels, upTo := w.pending, w.labels, w.appended
	w.pending = nil
	w.offset += int64(len(block))
	if len(block) > 0 && w.err == nil {
		w.mu.Unlock()
		size, err := w.writeBlock(block, labels)
		w.mu.Lock()
		w.keepBuffer(block)
		if err == nil {
			w.before, w.end, w.synced, w.labelled = nil, w.end+size, upTo, labels
			w.blocks++
		} else {
			w.recordError(err)
		}
	}
	w.flushing = false
	w.turn.Broadcast()
	w.startFlush()
}

// keepBuffer keeps the buffer of a block for a later one, unless it is large: such blocks are rare.
func (w *Writer) keepBuffer(block []byte) {
	const large = 1 << 20
	if cap(block) <= large {
		w.spare = block
	}
}

// writeBlock puts a block on the disk. If it cannot, it tries to take away what it has written.
func (w *Writer) writeBlock(block []byte, labels Labels) (size int64, err error) {
	sealBlock(block, w.blocks+1, w.seed)
	if labels != w.labelled {
		w.file.Label(labels)
	}
	if len(w.before) > 0 {
		block = append(w.before, block...)
	}
	op := "write"
	err = w.file.Append(block)
	if err == nil {
		op, err = "sync", w.file.Sync()
	}
	if err == nil {
		return int64(len(block)), nil
	}
	_ = appendlog.CutBack(w.file, w.end) // the first error is the one to report

	return 0, storeError(op, w.run, err)
}

// recordError keeps the first error.
func (w *Writer) recordError(err error) {
	if w.err == nil {
		w.err = err
		w.turn.Broadcast()
	}
}

// Renewed is when the owner before renewed its lease of the run last; zero if the store has no leases, or if that owner
// gave up the run in order.
func (w *Writer) Renewed() time.Time {
	if leased, ok := w.file.(Leased); ok {
		return leased.Renewed()
	}

	return time.Time{}
}

// Messages returns the messages that were posted for the run, and removes them.
func (w *Writer) Messages() ([][]byte, error) {
	messages, err := w.file.Messages()
	if err != nil {
		return messages, storeError("read the messages of", w.run, err)
	}

	return messages, nil
}

// Close waits until everything is on disk and gives up ownership of the journal. Errors: *StoreError.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.err
	}
	w.closed = true
	err := w.waitForDisk(w.appended)
	for w.flushing {
		w.turn.Wait()
	}
	if closing := w.file.Close(); closing != nil {
		err = errors.Join(err, storeError("close", w.run, closing))
	}

	return err
}
