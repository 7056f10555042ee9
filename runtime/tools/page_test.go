package tools

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesHaveTests: the page names a test behind each promise, and there is one.
func TestPromisesHaveTests(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\[(Test\w+)\]\(([^)]+)\)`).FindAllStringSubmatch(string(page), -1)
	if len(named) < 20 {
		t.Errorf("the page names %d tests", len(named))
	}
	for _, n := range named {
		source, err := os.ReadFile(filepath.FromSlash(n[2]))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(source), "\nfunc "+n[1]+"(t *testing.T)") {
			t.Errorf("%s has no %s", n[2], n[1])
		}
	}
}
