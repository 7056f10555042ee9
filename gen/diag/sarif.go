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

// SARIFOptions configure [SARIF].
type SARIFOptions struct {
	// Path is as in [TextOptions].
	Path func(path string) string
	// Version is the version of agentc.
	Version string
	// Help returns the documentation of a check.
	Help func(*Check) Help
}

// Help is the documentation of a check.
type Help struct {
	// Reason explains in a few sentences why the problem matters. Text also explains how to fix it.
	// Both have no markup.
	Reason, Text string
	// Markdown is the whole page.
	Markdown string
}

// Home is the address of the project, and pages the address of the pages of checks.
const (
	Home  = "https://github.com/agentc-dev/agentc"
	pages = Home + "/blob/main/gen/explain/pages/"
)

// sourceRoot is the usual name of the folder from which all relative addresses of a log start.
const sourceRoot = "%SRCROOT%"

// SARIF writes the diagnostics as a log of SARIF 2.1.0 with one run, in the given order. The rules
// are the checks of these diagnostics, in the order of the catalogue. Lines are 1-based, columns
// are 1-based runes, ends are exclusive. Without a known position a result has no region, and
// without a file no location. Notes with a position are related locations; the others are part of
// the message, after the hint. The same diagnostics give the same bytes. Only w causes errors.
func SARIF(w io.Writer, findings []*Diagnostic, o SARIFOptions) error {
	s := sarif{o: o}
	rules := slices.DeleteFunc(Checks(), func(c *Check) bool {
		return !slices.ContainsFunc(findings, func(d *Diagnostic) bool { return d.Check == c })
	})
	driver := object{"name": "agentc", "informationUri": Home, "rules": makeParts(rules, s.newRule)}
	if o.Version != "" {
		driver["version"] = o.Version
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")

	return enc.Encode(object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":               object{"driver": driver},
			"originalUriBaseIds": object{sourceRoot: object{"description": object{"text": "the working directory of agentc"}}},
			"columnKind":         "unicodeCodePoints",
			"results":            makeParts(findings, func(d *Diagnostic) object { return s.newResult(d, slices.Index(rules, d.Check)) }),
		}},
	})
}

// object is a part of a log, with properties of the standard.
type object map[string]any

// makeParts returns the parts of a list; it is never null.
func makeParts[T, P any](of []T, part func(T) P) []P {
	parts := make([]P, len(of))
	for i, one := range of {
		parts[i] = part(one)
	}

	return parts
}

// sarif builds the parts of a log.
type sarif struct{ o SARIFOptions }

// newRule describes a check. Its texts are plain text, not message templates of SARIF.
func (s sarif) newRule(c *Check) object {
	rule := object{
		"id": c.Name, "shortDescription": object{"text": c.Summary}, "helpUri": pages + c.Name + ".md",
		"defaultConfiguration": object{"level": c.Severity.String()},
	}
	if s.o.Help != nil {
		help := s.o.Help(c)
		rule["fullDescription"] = object{"text": help.Reason}
		rule["help"] = object{"text": help.Text, "markdown": help.Markdown}
	}

	return rule
}

func (s sarif) newResult(d *Diagnostic, rule int) object {
	r := object{
		"ruleId": d.Check.Name, "ruleIndex": rule, "level": d.Severity.String(),
		"message": newMessage(d.reportLines(s.o.Path, func(r Related) bool { return !r.Span.IsValid() })),
	}
	if d.Span.IsValid() {
		r["locations"] = []object{s.newLocation(d.Span)}
	}
	var related []object
	for _, note := range d.Related {
		if note.Span.IsValid() {
			at := s.newLocation(note.Span)
			at["message"] = newMessage(replaceUnsafe(note.Message))
			related = append(related, at)
		}
	}
	if related != nil {
		r["relatedLocations"] = related
	}
	if len(d.Fixes) > 0 {
		r["fixes"] = makeParts(d.Fixes, s.newFix)
	}

	return r
}

func (s sarif) newFix(f Fix) object {
	var files []*source.File
	changed := map[string][]object{}
	for _, e := range f.Edits {
		replacement := object{"deletedRegion": newRegion(e.Span)}
		if e.New != "" {
			replacement["insertedContent"] = object{"text": e.New}
		}
		if changed[e.Span.File.Path] == nil {
			files = append(files, e.Span.File)
		}
		changed[e.Span.File.Path] = append(changed[e.Span.File.Path], replacement)
	}

	return object{
		"description": newMessage(replaceUnsafe(f.Message)),
		"artifactChanges": makeParts(files, func(f *source.File) object {
			return object{"artifactLocation": s.newArtifact(f), "replacements": changed[f.Path]}
		}),
	}
}

func (s sarif) newLocation(span source.Span) object {
	at := object{"artifactLocation": s.newArtifact(span.File)}
	if hasText(span) {
		at["region"] = newRegion(span)
	}

	return object{"physicalLocation": at}
}

// newArtifact returns the address of a file. A file outside of the working directory has no base,
// from which an address must not lead out.
func (s sarif) newArtifact(f *source.File) object {
	name := displayPath(f, s.o.Path)
	if path.IsAbs(name) {
		return object{"uri": (&url.URL{Scheme: "file", Path: name}).String()}
	}
	// A colon in the first part would look like a scheme.
	a := object{"uri": strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A")}
	if name != ".." && !strings.HasPrefix(name, "../") {
		a["uriBaseId"] = sourceRoot
	}

	return a
}

func newRegion(span source.Span) object {
	start, end := span.Pos(), span.EndPos()
	return object{"startLine": start.Line, "startColumn": start.Column, "endLine": end.Line, "endColumn": end.Column}
}

// newMessage returns text as a message of SARIF. It escapes braces, which would be placeholders,
// and brackets before parentheses, which would be links.
func newMessage(text string) object {
	return object{"text": strings.NewReplacer("{", "{{", "}", "}}", "](", `\](`).Replace(text)}
}
