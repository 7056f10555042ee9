package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// longestMessage is how long a message of a server may be.
	longestMessage = 8 << 20
	// mostUnasked is how much a server may send that answers nothing: notifications, and lines that are not messages.
	mostUnasked = 16 << 20
	// mostJunk is how much of that may be no message at all.
	mostJunk = 256 << 10
)

// lineConn is the connection with a command: a message a line. Lines that are none are passed over, as many a program greets the caller who
// starts it; they are bounded, as is all that answers nothing.
type lineConn struct {
	out, in *os.File
	// exited is closed when the command has ended.
	exited <-chan struct{}
	lines  *bufio.Reader

	writing sync.Mutex

	mu     sync.Mutex // of what follows
	broken error      // why reading has ended, if the server is at fault
	noise  tail
	silent int  // bytes since the last answer
	heard  bool // an answer has come
	junked int
}

// errLongMessage is a message that is too long.
var errLongMessage = fmt.Errorf("it sends a message of more than %d bytes", longestMessage)

// readLine returns the next line.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > longestMessage {
			return nil, errLongMessage
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// byteOrderMark is what some programs begin their output with.
var byteOrderMark = []byte("\ufeff")

// messageOf returns what a line says; nil for one that is no message.
func messageOf(line []byte) jsonrpc.Message {
	line = bytes.TrimPrefix(line, byteOrderMark)
	if len(line) == 0 || line[0] != '{' {
		return nil
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil
	}
	if response, isResponse := message.(*jsonrpc.Response); isResponse {
		response.ID = numericID(response.ID)
	}

	return message
}

// numericID returns the number that an id is the text of, which some servers make of the number that they receive: the ids of this
// client are numbers. Other ids stay as they are.
func numericID(id jsonrpc.ID) jsonrpc.ID {
	text, isText := id.Raw().(string)
	if !isText {
		return id
	}
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return id
	}
	numeric, err := jsonrpc.MakeID(float64(number))
	if err != nil {
		return id
	}

	return numeric
}

// boundUnsolicited counts what answers nothing, and says when it is too much.
func (c *lineConn) boundUnsolicited(line []byte, message jsonrpc.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silent += len(line)
	if _, answers := message.(*jsonrpc.Response); answers {
		c.silent, c.heard = 0, true
	}
	if message == nil && len(line) > 0 {
		c.junked += len(line)
		_, _ = c.noise.Write(append(bytes.Clone(line[:min(len(line), mostSaid)]), '\n'))
	}
	switch {
	case c.junked > mostJunk:
		return fmt.Errorf("it writes more than %d bytes to its output that are not messages", mostJunk)
	case c.silent > mostUnasked:
		return fmt.Errorf("it sends more than %d bytes that answer nothing", mostUnasked)
	}

	return nil
}

// Read implements sdk.Connection. It ends with Close.
func (c *lineConn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		line, err := readLine(c.lines)
		message := messageOf(line)
		fault := c.boundUnsolicited(line, message)
		if errors.Is(err, errLongMessage) {
			fault = err
		}
		switch {
		case fault != nil:
			c.recordProblem(fault)
			return nil, fault
		case message != nil:
			return message, nil
		case err != nil:
			return nil, io.EOF
		}
	}
}

// writeTime is how long a server has to read what it is sent.
const writeTime = 20 * time.Second

// Write implements sdk.Connection.
func (c *lineConn) Write(_ context.Context, message jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.in.SetWriteDeadline(time.Now().Add(writeTime)) // some systems know no such thing
	_, err = c.in.Write(append(bytes.TrimSpace(line), '\n'))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("it does not read what it is sent")
		c.recordProblem(err)
	}

	return err
}

// Close implements sdk.Connection.
func (c *lineConn) Close() error {
	_ = c.out.SetReadDeadline(time.Now()) // as above; then the end of the command ends a Read
	go func() {                           // a process that the command has left behind may hold the other end
		<-c.exited
		_ = c.out.Close()
	}()

	return c.in.Close()
}

// SessionID implements sdk.Connection.
func (c *lineConn) SessionID() string { return "" }

// recordProblem records that the server is at fault.
func (c *lineConn) recordProblem(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken == nil {
		c.broken = err
	}
}

func (c *lineConn) hasAnswered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.heard
}

// problem is what is wrong with what the server sends.
func (c *lineConn) problem() error {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.broken
}
