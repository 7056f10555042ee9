package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
)

// chain reads lines, each of which has to follow the one before.
type chain struct {
	path string
	head Head
	// end is where the next line begins.
	end int64
}

// prevHash returns the hash that the next line follows.
func (c *chain) prevHash() string {
	if c.head.Seq == 0 {
		return zeroHash
	}

	return c.head.Hash
}

// readLine reads the next line, without its line break. Errors: *DamagedError.
func (c *chain) readLine(line []byte) (Entry, error) {
	e, problem := parseLine(line)
	switch {
	case problem != "":
	case e.Seq != c.head.Seq+1:
		problem = fmt.Sprintf("it is entry %d where %d should be: lines were removed or exchanged", e.Seq, c.head.Seq+1)
	case e.Prev != c.prevHash():
		problem = "it does not follow the line before: its prev is not that line's hash"
	}
	if problem != "" {
		return Entry{}, c.newDamagedError(problem)
	}
	c.head = e.Head()
	c.end += int64(len(line)) + 1

	return e, nil
}

// newDamagedError returns an error at the next line.
func (c *chain) newDamagedError(problem string) *DamagedError {
	return &DamagedError{Path: c.path, Line: c.head.Seq + 1, Seq: c.head.Seq + 1, Offset: c.end, Problem: problem}
}

// torn is the rest of an audit log whose last write was not completed.
type torn struct{ rest []byte }

func (torn) Error() string { return "the last line is not complete" }

// readLines gives each complete line to yield, with the offset of its first byte. Errors: *torn,
// *DamagedError, those of r and yield.
func (c *chain) readLines(r io.Reader, yield func(e Entry, at int64) error) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := appendlog.ReadLine(lines, maxLine)
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return &torn{line}
		case errors.Is(err, appendlog.ErrLong):
			return c.newDamagedError("it is longer than an entry can be")
		case err != nil:
			return &StoreError{Op: "read", Path: c.path, Err: err}
		}
		at := c.end
		e, err := c.readLine(line[:len(line)-1])
		if err != nil {
			return err
		}
		if err := yield(e, at); err != nil {
			return err
		}
	}
}
