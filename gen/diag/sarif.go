package diag

import (
	"encoding/json"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// SARIFOptions say how [SARIF] writes.
type SARIFOptions struct {
	// Path is as in [TextOptions].
	Path func(path string) string
	// Version is that of agentc.
	Version string
	// Help returns what there is to say about a check.
	Help func(*Check) Help
}

// Help is the documentation of a check.
type Help struct {
	// Reason says in a few sentences why the finding matters, Text also how it is fixed, both without markup.
	Reason, Text string
	// Markdown is the whole page.
	Markdown string
}

// Home is where the project lives, and pages where the page of each check is.
const (
	Home  = "https://github.com/agentc-dev/agentc"
	pages = Home + "/blob/main/gen/explain/pages/"
)

// sourceRoot is the usual name of the folder that all relative addresses of a log start from.
const sourceRoot = "%SRCROOT%"

// SARIF writes the findings as a log of SARIF 2.1.0 with one run, in the order given. The rules are the checks that found
// something, in the order of the catalogue. Lines are 1-based, columns are 1-based runes, ends are exclusive. A place that
// is not known has no region, and without a file a result has no location. Notes that have a place are related locations,
// the others are in the message, behind the hint. The same findings give the same bytes. The only errors are those of w.
func SARIF(w io.Writer, findings []*Diagnostic, o SARIFOptions) error {
	s := sarif{o: o}
	rules := s.rules(findings)
	results := make([]sarifResult, 0, len(findings))
	for _, d := range findings {
		results = append(results, s.result(d, rules))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")

	return enc.Encode(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool: sarifTool{Driver: sarifDriver{
				Name: "agentc", Version: o.Version, InformationURI: Home, Rules: s.descriptors(rules),
			}},
			BaseIDs:    map[string]sarifBase{sourceRoot: {Description: sarifText{Text: "the working directory of agentc"}}},
			ColumnKind: "unicodeCodePoints",
			Results:    results,
		}},
	})
}

// sarif makes the parts of a log.
type sarif struct{ o SARIFOptions }

// rules returns the checks that found something, in the order of the catalogue.
func (s sarif) rules(findings []*Diagnostic) []*Check {
	return slices.DeleteFunc(Checks(), func(c *Check) bool {
		return !slices.ContainsFunc(findings, func(d *Diagnostic) bool { return d.Check == c })
	})
}

// descriptors describe the rules. Their texts are no messages with placeholders, and stay as they are.
func (s sarif) descriptors(rules []*Check) []sarifRule {
	all := make([]sarifRule, 0, len(rules))
	for _, c := range rules {
		rule := sarifRule{
			ID: c.Name, Short: sarifText{Text: c.Summary}, HelpURI: pages + c.Name + ".md",
			Default: sarifConfiguration{Level: c.Severity.String()},
		}
		if s.o.Help != nil {
			help := s.o.Help(c)
			rule.Full = &sarifText{Text: help.Reason}
			rule.Help = &sarifText{Text: help.Text, Markdown: help.Markdown}
		}
		all = append(all, rule)
	}

	return all
}

func (s sarif) result(d *Diagnostic, rules []*Check) sarifResult {
	r := sarifResult{
		RuleID: d.Check.Name, RuleIndex: slices.Index(rules, d.Check), Level: d.Severity.String(),
		Message: message(d.lines(s.o.Path, func(r Related) bool { return !r.Span.IsValid() })),
	}
	if d.Span.IsValid() {
		r.Locations = []sarifLocation{s.location(d.Span)}
	}
	for _, note := range d.Related {
		if note.Span.IsValid() {
			at := s.location(note.Span)
			text := message(defuse(note.Message))
			at.Message = &text
			r.Related = append(r.Related, at)
		}
	}
	for _, f := range d.Fixes {
		r.Fixes = append(r.Fixes, s.fix(f))
	}

	return r
}

func (s sarif) fix(f Fix) sarifFix {
	fix := sarifFix{Description: message(defuse(f.Message))}
	for _, e := range f.Edits {
		at := s.artifact(e.Span.File)
		i := slices.IndexFunc(fix.Changes, func(c sarifChange) bool { return c.Location == at })
		if i < 0 {
			i = len(fix.Changes)
			fix.Changes = append(fix.Changes, sarifChange{Location: at})
		}
		replacement := sarifReplacement{Deleted: region(e.Span)}
		if e.New != "" {
			replacement.Inserted = &sarifText{Text: e.New}
		}
		fix.Changes[i].Replacements = append(fix.Changes[i].Replacements, replacement)
	}

	return fix
}

func (s sarif) location(span source.Span) sarifLocation {
	at := sarifPhysical{Artifact: s.artifact(span.File)}
	if hasText(span) {
		r := region(span)
		at.Region = &r
	}

	return sarifLocation{Physical: at}
}

// artifact addresses a file. What lies outside of the working directory has no base, from which an address must not lead out.
func (s sarif) artifact(f *source.File) sarifArtifact {
	name := printed(f, s.o.Path)
	if path.IsAbs(name) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: name}).String()}
	}
	// A colon in the first part would make a scheme of it.
	a := sarifArtifact{URI: strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A")}
	if name != ".." && !strings.HasPrefix(name, "../") {
		a.BaseID = sourceRoot
	}

	return a
}

func region(span source.Span) sarifRegion {
	start, end := span.Pos(), span.EndPos()
	return sarifRegion{StartLine: start.Line, StartColumn: start.Column, EndLine: end.Line, EndColumn: end.Column}
}

// message returns text as a message of SARIF, in which braces would be placeholders, and brackets before parentheses links.
func message(text string) sarifText {
	return sarifText{Text: strings.NewReplacer("{", "{{", "}", "}}", "](", `\](`).Replace(text)}
}
