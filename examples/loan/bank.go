package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/examples/loan/agents"
)

// bank stands for a credit bureau, and for an office that sends letters: a file with a line for each of them. It
// implements the functions that the workflow calls.
type bank struct {
	path string
	mu   sync.Mutex
}

// letter is a line of the file.
type letter struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

// scores are the scores of the people that the bureau knows.
var scores = map[string]int64{"Ada": 812, "Bob": 240, "Cem": 655}

// BureauScore returns the score of a person.
func (b *bank) BureauScore(_ context.Context, in agents.BureauScoreArgs) (agents.BureauScoreResult, error) {
	score, ok := scores[in.Name]
	if !ok {
		return agents.BureauScoreResult{}, fmt.Errorf("the bureau does not know %s", in.Name)
	}

	return agents.BureauScoreResult{Score: score}, nil
}

// OfficeSend sends a letter. A call that was interrupted is made again, so it looks first whether the letter is sent.
func (b *bank) OfficeSend(_ context.Context, in agents.OfficeSendArgs) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	sent, err := b.letters()
	if err != nil {
		return "", err
	}
	l := letter(in)
	if slices.Contains(sent, l) {
		return "was sent before", nil
	}

	return "sent", b.add(l)
}

// letters reads the file. A line that cannot be read is an error: its letter may have been sent.
func (b *bank) letters() (all []letter, err error) {
	text, err := os.ReadFile(b.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var l letter
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("%s: %w", b.path, err)
		}
		all = append(all, l)
	}

	return all, nil
}

// add writes a line, and returns when it is on the disk.
func (b *bank) add(l letter) error {
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(b.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))

	return errors.Join(err, f.Sync(), f.Close())
}
