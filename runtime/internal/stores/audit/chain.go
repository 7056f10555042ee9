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

// prev is what the next line follows.
func (c *chain) prev() string {
	if c.head.Seq == 0 {
		return zeroHash
	}

	return c.head.Hash
}

// next reads a line, without its line break. Errors: *DamagedError.
func (c *chain) next(line []byte) (Entry, error) {
	e, problem := parse(line)
	switch {
	case problem != "":
	case e.Seq != c.head.Seq+1:
		problem = fmt.Sprintf("it is entry %d where %d should be: lines were removed or exchanged", e.Seq, c.head.Seq+1)
	case e.Prev != c.prev():
		problem = "it does not follow the line before: its prev is not that line's hash"
	}
	if problem != "" {
		return Entry{}, c.damaged(problem)
	}
	c.head = e.Head()
	c.end += int64(len(line)) + 1

	return e, nil
}

// damaged is an error at the next line.
func (c *chain) damaged(problem string) *DamagedError {
	return &DamagedError{Path: c.path, Line: c.head.Seq + 1, Seq: c.head.Seq + 1, Offset: c.end, Problem: problem}
}

// torn is the rest of an audit log whose last write was not completed.
type torn struct{ rest []byte }

func (torn) Error() string { return "the last line is not complete" }

// read gives each complete line to yield, with the offset of its first byte. Errors: *torn, *DamagedError, what r or yield say.
func (c *chain) read(r io.Reader, yield func(e Entry, at int64) error) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := appendlog.ReadLine(lines, maxLine)
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return &torn{line}
		case errors.Is(err, appendlog.ErrLong):
			return c.damaged("it is longer than an entry can be")
		case err != nil:
			return &StoreError{Op: "read", Path: c.path, Err: err}
		}
		at := c.end
		e, err := c.next(line[:len(line)-1])
		if err != nil {
			return err
		}
		if err := yield(e, at); err != nil {
			return err
		}
	}
}
