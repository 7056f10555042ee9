package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// The messages of a run are files of a folder beside its journal. Their names begin with a number that counts up, so
// that they are read in order, and end in letters that no other process draws. Until it is whole a message has another
// name.
const (
	postExtension    = ".post"
	messageExtension = ".message"
)

func (s *folder) postOf(run string) string { return filepath.Join(s.dir, run+postExtension) }

// Post implements Store.
func (s *folder) Post(ctx context.Context, run string, message []byte) error {
	file, err := s.openRun(ctx, run)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return &StoreError{"close", s.runPath(run), err}
	}

	dir := s.postOf(run)
	if _, err := s.system.MakeFolder(dir); err != nil {
		return &StoreError{"make", dir, err}
	}
	names, err := s.listNames(dir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, fmt.Sprintf("%010d-%016x", nextMessage(names), rand.Uint64()))
	if err := files.WriteNew(s.system, path, message); err != nil {
		return storeError("write", path, err)
	}
	if err := s.system.Rename(path, path+messageExtension); err != nil {
		return &StoreError{"rename", path, err}
	}
	if err := s.system.SyncFolder(dir); err != nil {
		return &StoreError{"sync", dir, err}
	}

	return nil
}

// nextMessage is the number of the next message after those of a folder.
func nextMessage(names []string) uint64 {
	var last uint64
	for _, name := range names {
		number, _, _ := strings.Cut(name, "-")
		if n, err := strconv.ParseUint(number, 10, 64); err == nil {
			last = max(last, n)
		}
	}

	return last + 1
}

// takeMessages reads the messages of a run and takes them away. A process that dies in between leaves them to be read again.
func (s *folder) takeMessages(run string) ([][]byte, error) {
	dir := s.postOf(run)
	names, err := s.listNames(dir)
	if err != nil {
		return nil, err
	}
	var messages [][]byte
	for _, name := range names {
		if !strings.HasSuffix(name, messageExtension) {
			continue
		}
		path := filepath.Join(dir, name)
		message, err := s.system.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another goroutine took it
		}
		if err != nil {
			return messages, &StoreError{"read", path, err}
		}
		if err := s.removeFile(path); err != nil {
			return messages, err
		}
		messages = append(messages, message)
	}

	return messages, nil
}

// removePost takes the folder of messages away, with those that never became whole.
func (s *folder) removePost(run string) error {
	dir := s.postOf(run)
	names, err := s.listNames(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.removeFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}

	return s.removeFile(dir)
}
