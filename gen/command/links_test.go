package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	pageLink    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	inlineCode  = regexp.MustCompile("`[^`]*`")
)

// Every link of every page leads to a file or folder of the repository, and to a heading of it where it names one.
func TestEveryLinkOfThePages(t *testing.T) {
	found := 0
	for _, page := range pages(t) {
		for _, target := range linksOf(read(t, page)) {
			if strings.HasPrefix(target, "https://") {
				continue
			}
			found++
			if problem := unresolved(t, page, target); problem != "" {
				t.Errorf("%s: the link to %s: %s", page, target, problem)
			}
		}
	}
	if found < 20 {
		t.Fatalf("only %d links found: the test saw nothing", found)
	}
}

func TestALinkThatLeadsNowhereIsFound(t *testing.T) {
	page := filepath.Join(root, "README.md")
	text := "See [`one`](CONTRIBUTING.md), [two](nowhere.md), [three](#start), [four](#nothing), `[five](code.md)`.\n\n```\n[six](x)\n```\n"
	var wrong []string
	for _, target := range linksOf(text) {
		if unresolved(t, page, target) != "" {
			wrong = append(wrong, target)
		}
	}
	if got := strings.Join(wrong, " "); got != "nowhere.md #nothing" {
		t.Errorf("these links are reported: %s", got)
	}
}

// linksOf returns the targets of the links in a page, without those in code.
func linksOf(page string) []string {
	var targets []string
	for i, part := range strings.Split("\n"+page, "\n```") {
		if i%2 == 1 {
			continue // a listing
		}
		// What a link shows may be code; what looks like a link in code is none.
		for _, m := range pageLink.FindAllStringSubmatch(inlineCode.ReplaceAllString(part, "code"), -1) {
			targets = append(targets, m[1])
		}
	}

	return targets
}

// unresolved says why a link leads nowhere; "" if it leads somewhere.
func unresolved(t *testing.T, page, target string) string {
	t.Helper()
	file, anchor, _ := strings.Cut(target, "#")
	path := page
	if file != "" {
		path = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
	}
	if _, err := os.Stat(path); err != nil {
		return err.Error()
	}
	if anchor == "" {
		return ""
	}
	for _, m := range pageHeading.FindAllStringSubmatch(read(t, path), -1) {
		if anchorOf(m[1]) == anchor {
			return ""
		}
	}

	return "there is no such heading"
}

// anchorOf is the anchor that a heading gets where the pages are shown.
func anchorOf(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}

	return b.String()
}
