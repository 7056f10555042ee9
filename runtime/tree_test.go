package runtime_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sharedFolders are the folders of runtime with a package that users import by itself; in the tree of README.md they are words of its
// first line.
var sharedFolders = []string{"event", "model", "signals", "size"}

// treeOfThePage returns the lines of the tree of README.md: what they say of a folder, by its name; "" is runtime itself.
func treeOfThePage(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, hasTree := strings.Cut(string(content), "\n    runtime/ ")
	tree, _, ends := strings.Cut(rest, "\n\n")
	if !hasTree || !ends {
		t.Fatal("README.md has no tree")
	}
	folders := map[string]string{}
	for i, line := range strings.Split(tree, "\n") {
		name, about, _ := strings.Cut(strings.TrimSpace(line), "/ ")
		if i == 0 {
			name, about = "", line
		}
		folders[name] = about
	}

	return folders
}

// TestTheTreeOfThePage: the tree of README.md has each folder of runtime that is no module of its own, and what is in it.
func TestTheTreeOfThePage(t *testing.T) {
	tree := treeOfThePage(t)
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil || !entry.IsDir() || name == "testdata" {
			continue
		}
		if slices.Contains(sharedFolders, name) {
			wantWord(t, tree[""], name, name)
			continue
		}
		about, listed := tree[name]
		if !listed {
			t.Errorf("the tree of README.md lacks the folder %s", name)
		}
		delete(tree, name)
		if name == "internal" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(name, "*", "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			wantWord(t, about, filepath.Base(filepath.Dir(file)), name)
		}
	}
	delete(tree, "")
	for name := range tree {
		t.Errorf("the tree of README.md has the folder %s, which does not exist", name)
	}
}

// wantWord ends the test for a word that a line of the tree lacks.
func wantWord(t *testing.T, line, word, folder string) {
	t.Helper()
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,;:", r) })
	if !slices.Contains(words, word) {
		t.Fatalf("the line of %s in the tree of README.md lacks %s: %s", folder, word, line)
	}
}
