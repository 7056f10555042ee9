package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/examples/digest/agents"
)

// shelf reads the documents of a folder, and writes the digest there. It implements the functions that the workflow
// calls.
type shelf struct{}

// ShelfList returns the names of the documents, in alphabetical order.
func (shelf) ShelfList(_ context.Context, in agents.ShelfListArgs) (agents.ShelfListResult, error) {
	paths, err := filepath.Glob(filepath.Join(in.Folder, "*.txt"))
	if err != nil {
		return agents.ShelfListResult{}, err
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
	}

	return agents.ShelfListResult{Documents: names}, nil
}

// ShelfRead returns the text of a document. An empty document is an error.
func (shelf) ShelfRead(_ context.Context, in agents.ShelfReadArgs) (agents.ShelfReadResult, error) {
	text, err := os.ReadFile(filepath.Join(in.Folder, in.Document))
	if err != nil {
		return agents.ShelfReadResult{}, err
	}
	words := strings.Fields(string(text))
	if len(words) == 0 {
		return agents.ShelfReadResult{}, fmt.Errorf("%s is empty", in.Document)
	}

	return agents.ShelfReadResult{Text: string(text), Words: int64(len(words))}, nil
}

// ShelfPublish writes the digest. A call that was interrupted is made again, and replaces what the first one wrote.
func (shelf) ShelfPublish(_ context.Context, in agents.ShelfPublishArgs) (string, error) {
	path := filepath.Join(in.Folder, "digest.md")

	return path, os.WriteFile(path, []byte(in.Text+"\n"), 0o644)
}
