package fix

import (
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// failedFixes returns the keys of the fixes that do not hold. A fix holds if its diagnostic has
// disappeared and there is no new error at its place. If several fixes changed the place of an
// error, the last one is blamed.
func (a *attempt) failedFixes(before, after []*diag.Diagnostic) []fixKey {
	trees := a.parseFinalTrees()
	left := groupByPath(after)
	isNew := newErrors(before, after)
	blamed := map[*diag.Diagnostic]bool{}
	var failed []fixKey
	for _, f := range slices.Backward(a.applied) {
		holds := !a.isStillFound(f, left)
		for _, place := range a.changedPlaces(f, trees) {
			for _, d := range left[place.path] {
				if blamed[d] || !isGrave(d) || !place.isSpoiledBy(d, isNew[d]) {
					continue
				}
				holds = false
				blamed[d] = !place.isSyntax // fixes of the syntax build on each other
			}
		}
		if !holds {
			failed = append(failed, f.key)
		}
	}

	return failed
}

// isGrave reports whether a fix must not lead to a diagnostic: to an error, or to an undefined
// role. The text of an undefined role meant something else, and with it a run would use another
// model.
func isGrave(d *diag.Diagnostic) bool { return d.IsError() || d.Check == diag.UndefinedRole }

// groupByPath groups diagnostics by file.
func groupByPath(all []*diag.Diagnostic) map[string][]*diag.Diagnostic {
	grouped := map[string][]*diag.Diagnostic{}
	for _, d := range all {
		if d.Span.File != nil {
			grouped[d.Span.File.Path] = append(grouped[d.Span.File.Path], d)
		}
	}

	return grouped
}

// newErrors returns the grave diagnostics that occur more often than before, with the same message
// in the same file.
func newErrors(before, after []*diag.Diagnostic) map[*diag.Diagnostic]bool {
	type words struct {
		path    string
		check   *diag.Check
		message string
	}
	wordsOf := func(d *diag.Diagnostic) words {
		w := words{check: d.Check, message: d.Message}
		if d.Span.File != nil {
			w.path = d.Span.File.Path
		}
		return w
	}
	growth := map[words]int{}
	for _, d := range after {
		growth[wordsOf(d)]++
	}
	for _, d := range before {
		growth[wordsOf(d)]--
	}
	isNew := map[*diag.Diagnostic]bool{}
	for _, d := range after {
		isNew[d] = isGrave(d) && growth[wordsOf(d)] > 0
	}

	return isNew
}

// isStillFound reports whether the diagnostic of a fix still exists after all fixes.
func (a *attempt) isStillFound(f appliedFix, left map[string][]*diag.Diagnostic) bool {
	fixed := f.Finding
	if fixed.Span.File == nil {
		return false
	}
	path := fixed.Span.File.Path
	old := extent{fixed.Span.Start, fixed.Span.End}
	isWholeFile := old.start < 0
	now := a.history.mapForward(path, old, f.round)

	return slices.ContainsFunc(left[path], func(d *diag.Diagnostic) bool {
		isSame := d.Check == fixed.Check && d.Message == fixed.Message
		return isSame && (isWholeFile || now.touches(extent{d.Span.Start, d.Span.End}))
	})
}

// changedPlace is the place where a fix changed a file, after all fixes.
type changedPlace struct {
	path string
	// parts are the changed texts and the fields that contain them.
	parts []extent
	// renamed are the fields whose keys the fix changed.
	renamed []*yamldoc.Field
	// isSyntax is set if the fix corrects the syntax. If the file still cannot be parsed, it is
	// unknown whether the fix is right.
	isSyntax bool
}

// changedPlaces returns the places of a fix.
func (a *attempt) changedPlaces(f appliedFix, trees map[string]*yamldoc.Node) []changedPlace {
	var places []changedPlace
	for _, e := range f.Fix.Edits {
		path := e.Span.File.Path
		changed := a.history.mapForward(path, extent{e.Span.Start, e.Span.End}, f.round)
		p := changedPlace{path: path, parts: []extent{changed}, isSyntax: f.Finding.Check == diag.Syntax}
		if root := trees[path]; root != nil {
			p.addFields(root, changed)
		}
		places = append(places, p)
	}

	return places
}

// addFields adds the fields below n that contain a changed text.
func (p *changedPlace) addFields(n *yamldoc.Node, changed extent) {
	for _, item := range n.Items {
		if part := newExtent(item.Span); part.touches(changed) {
			p.addNode(item, part, changed)
		}
	}
	for _, f := range n.Fields {
		key, whole := newExtent(f.Key.Span), extent{f.Key.Span.Start, f.Value.Span.End}
		if whole.end < whole.start || !whole.touches(changed) {
			continue
		}
		if key.touches(changed) {
			p.renamed = append(p.renamed, f)
			if f.Value.Kind != yamldoc.Map && f.Value.Kind != yamldoc.Seq {
				p.parts = append(p.parts, whole)
			}
			continue
		}
		p.addNode(f.Value, whole, changed)
	}
}

// addNode adds a scalar, or the fields below a mapping or a list.
func (p *changedPlace) addNode(n *yamldoc.Node, whole, changed extent) {
	if n.Kind == yamldoc.Map || n.Kind == yamldoc.Seq {
		p.addFields(n, changed)
		return
	}
	p.parts = append(p.parts, whole)
}

// isSpoiledBy reports whether an error shows that the fix of this place is wrong. The error is new
// and at this place, or it is about the shape of the value of a renamed key.
func (p changedPlace) isSpoiledBy(d *diag.Diagnostic, isNew bool) bool {
	if slices.Contains(wholeProgramChecks, d.Check) {
		return false
	}
	at := newExtent(d.Span)
	if isNew && slices.ContainsFunc(p.parts, at.touches) {
		return true
	}
	if isNew && d.Check == diag.Syntax && p.isSyntax {
		return true
	}

	return slices.ContainsFunc(p.renamed, func(f *yamldoc.Field) bool { return isOfOtherShape(f.Value, d) })
}

// wholeProgramChecks are errors about the behaviour of a program, which are reported only if all of
// its names are known. A fix that defines a name reveals such an error, but does not cause it.
var wholeProgramChecks = []*diag.Check{
	diag.UnreachableState, diag.NoExit, diag.BeyondBounds, diag.UnroutedKey, diag.UngatedTool, diag.MaxCost,
	diag.DeniedFlow, diag.UnpinnedServer, diag.UnimplementedTool,
}

// isOfOtherShape reports whether d is about the type of a value or the names of its fields.
func isOfOtherShape(value *yamldoc.Node, d *diag.Diagnostic) bool {
	switch d.Check {
	case diag.WrongType:
		return d.Span.Start == value.Span.Start
	case diag.UnknownField:
		return slices.ContainsFunc(value.Fields, func(f *yamldoc.Field) bool { return f.Key.Span.Start == d.Span.Start })
	}

	return false
}

func newExtent(s source.Span) extent { return extent{s.Start, s.End} }

// parseFinalTrees returns the trees of the changed files, by path.
func (a *attempt) parseFinalTrees() map[string]*yamldoc.Node {
	trees := map[string]*yamldoc.Node{}
	for name, content := range a.overlay.changed {
		trees[name] = parseTree(source.NewFile(name, content))
	}

	return trees
}

// parseTree returns the tree of a file; nil if it cannot be parsed.
func parseTree(f *source.File) *yamldoc.Node {
	var root *yamldoc.Node
	var found []*diag.Diagnostic
	switch path.Ext(f.Path) {
	case ".md":
		var head *yamldoc.Frontmatter
		head, found = yamldoc.ParseFrontmatter(f)
		root = head.Head
	case ".yaml", ".yml", ".json":
		root, found = yamldoc.Parse(f)
	case ".toml":
		root, found = tomldoc.Parse(f)
	}
	if slices.ContainsFunc(found, (*diag.Diagnostic).IsError) {
		return nil
	}

	return root
}
