package board

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// Head is the end of the audit log of all attempts. A copy that is kept elsewhere shows later whether something before it
// was changed or cut off.
type Head struct {
	// Seq is the number of the last entry.
	Seq uint64 `json:"seq"`
	// Hash is the hash of the last entry, which depends on all before it.
	Hash string `json:"hash"`
}

// Options configure a [Board].
type Options struct {
	// Dir is the folder of the audit log; "": everything is kept in memory, including the log.
	Dir string
	// Program is the program whose machines are driven.
	Program *compiled.Program
	// Clock is the clock for timers and expiry; nil: time.Now.
	Clock func() time.Time
	// NoSync leaves it to the operating system when the log reaches the disk: if the process dies, nothing is lost;
	// if the computer crashes, something may be.
	NoSync bool
	// LockWait is how long to wait while another process uses the folder; 0: ten seconds.
	LockWait time.Duration
}

// Board keeps live machines and a blackboard. It is safe for concurrent use, and by several processes at the same
// time.
type Board struct {
	log   *audit.Log
	clock func() time.Time
	// machines are the machines of the program, by folded name.
	machines map[string]compiled.Machine
	names    []string

	// turn is held by the goroutine that decides for all that wait.
	turn  chan struct{}
	queue queue
	// Only the goroutine whose turn it is uses these.
	live   liveMachines
	closed bool
}

// Open opens the machines and the blackboard of a folder, or creates them. Errors: *StoreError, *LockError,
// *DamagedError.
func Open(ctx context.Context, o Options) (*Board, error) {
	return openWithOptions(ctx, o, audit.Options{})
}

// openWithOptions is Open with settings of the record that boards leave alone.
func openWithOptions(ctx context.Context, o Options, r audit.Options) (*Board, error) {
	r.Dir, r.NoSync, r.LockWait = o.Dir, o.NoSync, o.LockWait
	log, err := audit.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	b := &Board{log: log, clock: o.Clock, machines: map[string]compiled.Machine{}, turn: make(chan struct{}, 1)}
	if b.clock == nil {
		b.clock = time.Now
	}
	for _, m := range o.Program.Machines {
		b.machines[foldMachineName(m.Name)] = m
		b.names = append(b.names, m.Name)
	}

	return b, nil
}

// errClosed is the error of every method of a closed board.
var errClosed = errors.New("the blackboard is closed")

// Close waits for operations under way and closes the audit log. Further calls do nothing.
func (b *Board) Close() error {
	b.turn <- struct{}{}
	defer func() { <-b.turn }()
	if b.closed {
		return nil
	}
	b.closed = true

	return b.log.Close()
}

// Head returns the end of the audit log.
func (b *Board) Head() Head { return Head(b.log.Head()) }

// queue has the attempts that wait for their turn.
type queue struct {
	mu      sync.Mutex
	waiting []*attempt
}

// Limits of what one turn takes on, so that no caller waits for long and a write stays small.
const (
	maxTurn      = 512
	maxTurnBytes = 8 << 20
)

func (q *queue) add(a *attempt) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, a)
}

// takeFirst returns the attempts that are first, as many as one turn takes on.
func (q *queue) takeFirst() []*attempt {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, size := 0, 0
	for n < len(q.waiting) && n < maxTurn && size < maxTurnBytes {
		size += q.waiting[n].size
		n++
	}
	taken := q.waiting[:n:n]
	q.waiting = q.waiting[n:]

	return taken
}

// withdraw takes an attempt back; false if its turn has come.
func (q *queue) withdraw(a *attempt) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, a)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}

	return i >= 0
}

// attempt is something to decide and record.
type attempt struct {
	// decide appends entries to the transaction.
	decide func(*transaction) error
	// size is about how many bytes of the record it needs.
	size int
	done chan struct{}
	// err is why it was refused, or could not be recorded; head the end of the record with its entry.
	err  error
	head Head
}

// recordAttempt decides about an attempt, together with all that others wait for, and waits until that is on the disk. A caller who has the turn
// does it for all; ctx ends the wait, and the attempt then has not happened.
func (b *Board) recordAttempt(ctx context.Context, size int, decide func(*transaction) error) (Head, error) {
	if ctx.Err() != nil {
		return Head{}, context.Cause(ctx)
	}
	a := &attempt{decide: decide, size: size, done: make(chan struct{})}
	b.queue.add(a)
	select {
	case <-a.done:
	case b.turn <- struct{}{}:
		b.decideUntilDone(a)
		<-b.turn
	case <-ctx.Done():
		if b.queue.withdraw(a) {
			return Head{}, context.Cause(ctx)
		}
		<-a.done
	}

	return a.head, a.err
}

// decideUntilDone decides for those that wait until its own attempt is done, which another may have seen to.
func (b *Board) decideUntilDone(own *attempt) {
	for {
		select {
		case <-own.done:
			return
		default:
			b.decideAttempts(b.queue.takeFirst())
		}
	}
}

// decideAttempts decides about the attempts, records that, and answers. It waits for the folder whatever becomes of those who ask: they
// are many.
func (b *Board) decideAttempts(attempts []*attempt) {
	err := errClosed
	if !b.closed {
		err = b.log.Begin(context.Background())
	}
	if err == nil {
		defer b.log.End()
		err = b.commitAttempts(attempts)
	}
	for _, a := range attempts {
		if err != nil {
			a.err, a.head = err, Head{}
		}
		close(a.done)
	}
}
