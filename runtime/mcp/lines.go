package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// longestMessage is how long a message of a client may be: more than twice the largest that makes sense.
const longestMessage = 16 << 20

// lines is the transport over stdin and stdout: a message a line. A line that is no message is answered and the next one is
// read, so that one slip of a client does not end its session.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect implements sdk.Transport.
func (l *lines) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConn{out: l.out, read: make(chan jsonrpc.Message), closed: make(chan struct{})}
	go c.readLines(bufio.NewReaderSize(l.in, 64<<10))

	return c, nil
}

type lineConn struct {
	read chan jsonrpc.Message
	// ended is why there are no more messages; it is set before read is closed.
	ended error

	mu  sync.Mutex // of out
	out io.Writer

	// open counts the calls that are not answered yet.
	open atomic.Int64

	once   sync.Once
	closed chan struct{}
}

// readLines hands the messages over. It outlives Close where reading cannot be interrupted, and then waits for one more line.
func (c *lineConn) readLines(in *bufio.Reader) {
	defer close(c.read)
	for c.ended == nil {
		var line []byte
		line, c.ended = c.readLine(in)
		if len(line) == 0 {
			continue
		}
		message, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			c.ended = errors.Join(c.ended, c.refuseMessage(codeOf(line), err.Error()))
			continue
		}
		if r, isRequest := message.(*jsonrpc.Request); isRequest && r.IsCall() {
			c.open.Add(1)
		}
		select {
		case c.read <- message:
		case <-c.closed:
			return
		}
	}
}

// readLine returns the next line without white space around it; nil for one that is too long, which is answered and passed over.
func (c *lineConn) readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if len(line) > longestMessage {
			tooLong, line = true, nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if tooLong {
			problem := fmt.Sprintf("a message is longer than %d bytes", longestMessage)
			return nil, errors.Join(err, c.refuseMessage(jsonrpc.CodeInvalidRequest, problem))
		}

		return bytes.TrimSpace(line), err
	}
}

// Read implements sdk.Connection.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	case message, more := <-c.read:
		if !more {
			c.waitForReplies()
			return nil, c.ended
		}
		return message, nil
	}
}

// codeOf returns the error code for a line that is not a message.
func codeOf(line []byte) int64 {
	if json.Valid(line) {
		return jsonrpc.CodeInvalidRequest
	}

	return jsonrpc.CodeParseError
}

// refuseMessage answers a message that has no id.
func (c *lineConn) refuseMessage(code int64, problem string) error {
	return c.sendLine(encodeJSON(refusal{Version: "2.0", Error: jsonrpc.Error{Code: code, Message: problem}}))
}

type refusal struct {
	Version string        `json:"jsonrpc"`
	ID      any           `json:"id"`
	Error   jsonrpc.Error `json:"error"`
}

// waitForReplies waits, for a limited time, until all calls are answered: a client that has closed
// its side still reads.
func (c *lineConn) waitForReplies() {
	late := time.After(closingTime)
	for c.open.Load() > 0 {
		select {
		case <-c.closed:
			return
		case <-late:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// Write implements sdk.Connection.
func (c *lineConn) Write(_ context.Context, message jsonrpc.Message) error {
	if _, isAnswer := message.(*jsonrpc.Response); isAnswer {
		defer c.open.Add(-1)
	}
	line, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}

	return c.sendLine(line)
}

func (c *lineConn) sendLine(line []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(bytes.TrimSpace(line), '\n'))

	return err
}

// Close implements sdk.Connection.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements sdk.Connection.
func (c *lineConn) SessionID() string { return "" }
