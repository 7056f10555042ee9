package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/examples/researcher/agents"
)

// tools implements the typed tools that the skills declare. Forget a method, and the build fails.
type tools struct {
	papers []paper
}

func newTools() tools { return tools{papers: papers} }

// SearchPapers returns the papers that contain every word of the query, in the order of the library.
func (t tools) SearchPapers(_ context.Context, in agents.SearchPapersInput) (agents.SearchPapersOutput, error) {
	out := agents.SearchPapersOutput{Hits: []agents.SearchPapersOutputHitsItem{}}
	for _, p := range t.papers {
		if int64(len(out.Hits)) == in.Limit {
			break
		}
		if in.Since != nil && p.year < *in.Since || !p.containsAll(in.Query) {
			continue
		}
		out.Hits = append(out.Hits, agents.SearchPapersOutputHitsItem{ID: p.id, Title: p.title, Year: p.year})
	}

	return out, nil
}

// ReadPaper returns the text of a paper.
func (t tools) ReadPaper(_ context.Context, in agents.ReadPaperInput) (string, error) {
	p, err := t.find(in.ID)
	if err != nil {
		return "", err
	}

	return p.title + "\n\n" + p.text, nil
}

// FormatCitation returns the reference of a paper.
func (t tools) FormatCitation(_ context.Context, in agents.FormatCitationInput) (string, error) {
	p, err := t.find(in.ID)
	if err != nil {
		return "", err
	}
	if in.Style == agents.FormatCitationInputStyleShort {
		return fmt.Sprintf("%s (%d)", p.author, p.year), nil
	}

	return fmt.Sprintf("%s: %s (%d)", p.author, p.title, p.year), nil
}

func (t tools) find(id string) (paper, error) {
	for _, p := range t.papers {
		if p.id == id {
			return p, nil
		}
	}

	return paper{}, fmt.Errorf("the library has no paper %q; search_papers returns the ids", id)
}

func (p paper) containsAll(query string) bool {
	text := strings.ToLower(p.title + " " + p.text)
	for _, word := range strings.Fields(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}

	return true
}
