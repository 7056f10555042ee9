package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/agentc-dev/agentc/examples/approval/agents"
	"github.com/agentc-dev/agentc/runtime"
)

// ledger stands for a bank: a file with a line for each payment. It implements the typed tools that the skills declare.
//
// A call that was interrupted is made again, with the same key. What makes a payment happen once is that the ledger looks for the
// key first, as a bank does with an idempotency key.
type ledger struct {
	path string
	mu   sync.Mutex
}

// payment is a line of the ledger.
type payment struct {
	// Key is the same for every attempt of one call, and no other call has it.
	Key   string `json:"key"`
	Order string `json:"order"`
	Cents int64  `json:"cents"`
}

// PayBack pays, unless it has paid already.
func (l *ledger) PayBack(ctx context.Context, in agents.PayBackInput) (string, error) {
	key, ok := runtime.IdempotencyKey(ctx)
	if !ok {
		return "", errors.New("a payment needs the key of its call")
	}
	p := payment{Key: key, Order: in.Order, Cents: in.Cents}

	l.mu.Lock()
	defer l.mu.Unlock()
	paid, err := l.paid(p.Key)
	if err != nil {
		return "", err
	}
	if !paid {
		err = l.add(p)
	}

	return fmt.Sprintf("%s: %d cents are on their way", p.Order, p.Cents), err
}

// paid reports whether there is a payment with the key. A line that cannot be read is an error: it may be that payment, whose writing was
// interrupted.
func (l *ledger) paid(key string) (bool, error) {
	text, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var p payment
		err := json.Unmarshal(line, &p)
		if err != nil {
			return false, fmt.Errorf("%s: line %d cannot be read, and may be this payment: %w", l.path, n, err)
		}
		if p.Key == key {
			return true, nil
		}
	}

	return false, nil
}

// add writes a line, and returns when it is on the disk.
func (l *ledger) add(p payment) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))

	return errors.Join(err, f.Sync(), f.Close())
}
