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
	// Reason explains in a few sentences why the problem matters, Text also how to fix it, both
	// without markup.
	Reason, Text string
	// Markdown is the whole page.
	Markdown string
}

// Home is the address of the project, and pages that of the pages of checks.
const (
	Home  = "https://github.com/agentc-dev/agentc"
	pages = Home + "/blob/main/gen/explain/pages/"
)

// sourceRoot is the usual name of the folder that all relative addresses of a log start from.
const sourceRoot = "%SRCROOT%"

// SARIF writes the diagnostics as a log of SARIF 2.1.0 with one run, in the order given. The rules
// are the checks of these diagnostics, in the order of the catalogue. Lines are 1-based, columns
// are 1-based runes, ends are exclusive. Without a known position a result has no region, and
// without a file no location. Notes with a position are related locations, the others are part of
// the message, after the hint. The same diagnostics give the same bytes. The only errors are those
// of w.
func SARIF(w io.Writer, findings []*Diagnostic, o SARIFOptions) error {
	s := sarif{o: o}
	rules := slices.DeleteFunc(Checks(), func(c *Check) bool {
		return !slices.ContainsFunc(findings, func(d *Diagnostic) bool { return d.Check == c })
	})
	driver := object{"name": "agentc", "informationUri": Home, "rules": list(rules, s.rule)}
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
			"results":            list(findings, func(d *Diagnostic) object { return s.result(d, slices.Index(rules, d.Check)) }),
		}},
	})
}

// object is a part of a log, with the properties of the standard.
type object map[string]any

// list makes a part of each of some things; it is never null.
func list[T, P any](of []T, part func(T) P) []P {
	parts := make([]P, len(of))
	for i, one := range of {
		parts[i] = part(one)
	}

	return parts
}

// sarif makes the parts of a log.
type sarif struct{ o SARIFOptions }

// rule describes a check. Its texts are plain, and not messages that SARIF fills in.
func (s sarif) rule(c *Check) object {
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

func (s sarif) result(d *Diagnostic, rule int) object {
	r := object{
		"ruleId": d.Check.Name, "ruleIndex": rule, "level": d.Severity.String(),
		"message": message(d.lines(s.o.Path, func(r Related) bool { return !r.Span.IsValid() })),
	}
	if d.Span.IsValid() {
		r["locations"] = []object{s.location(d.Span)}
	}
	var related []object
	for _, note := range d.Related {
		if note.Span.IsValid() {
			at := s.location(note.Span)
			at["message"] = message(defuse(note.Message))
			related = append(related, at)
		}
	}
	if related != nil {
		r["relatedLocations"] = related
	}
	if len(d.Fixes) > 0 {
		r["fixes"] = list(d.Fixes, s.fix)
	}

	return r
}

func (s sarif) fix(f Fix) object {
	var files []*source.File
	changed := map[string][]object{}
	for _, e := range f.Edits {
		replacement := object{"deletedRegion": region(e.Span)}
		if e.New != "" {
			replacement["insertedContent"] = object{"text": e.New}
		}
		if changed[e.Span.File.Path] == nil {
			files = append(files, e.Span.File)
		}
		changed[e.Span.File.Path] = append(changed[e.Span.File.Path], replacement)
	}

	return object{
		"description": message(defuse(f.Message)),
		"artifactChanges": list(files, func(f *source.File) object {
			return object{"artifactLocation": s.artifact(f), "replacements": changed[f.Path]}
		}),
	}
}

func (s sarif) location(span source.Span) object {
	at := object{"artifactLocation": s.artifact(span.File)}
	if hasText(span) {
		at["region"] = region(span)
	}

	return object{"physicalLocation": at}
}

// artifact addresses a file. What is outside of the working directory has no base, from which an
// address must not lead out.
func (s sarif) artifact(f *source.File) object {
	name := printed(f, s.o.Path)
	if path.IsAbs(name) {
		return object{"uri": (&url.URL{Scheme: "file", Path: name}).String()}
	}
	// A colon in the first part would make a scheme of it.
	a := object{"uri": strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A")}
	if name != ".." && !strings.HasPrefix(name, "../") {
		a["uriBaseId"] = sourceRoot
	}

	return a
}

func region(span source.Span) object {
	start, end := span.Pos(), span.EndPos()
	return object{"startLine": start.Line, "startColumn": start.Column, "endLine": end.Line, "endColumn": end.Column}
}

// message returns text as a message of SARIF, in which braces would be placeholders, and brackets
// before parentheses links.
func message(text string) object {
	return object{"text": strings.NewReplacer("{", "{{", "}", "}}", "](", `\](`).Replace(text)}
}
