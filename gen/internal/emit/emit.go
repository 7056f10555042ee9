package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
)

// runtimePath is the import path of the package that generated code links against.
const runtimePath = "github.com/agentc-dev/agentc/runtime"

// linkedPath is the folder of the packages for generated code.
const linkedPath = runtimePath + "/generated"

// sharedPackages are packages below runtime that both generated code and users' code import.
var sharedPackages = []string{"model", "signals"}

// generation is compared by the runtime when the user's build compiles: see rt.MinVersion.
const generation = 2

// File is a generated file.
type File struct {
	// Name is the base name inside the output folder.
	Name string
	// Source is the file that it is generated from: a path relative to the project folder, or a
	// pattern of paths.
	Source string
	// Content is formatted Go.
	Content []byte
}

// Options configure the emission.
type Options struct {
	// Graph returns the picture of an agent as text, which the program can print; nil, or "" for an
	// agent, omits it.
	Graph func(*ir.Agent) string
}

// BrokenError means that emitted text is not Go, which is a bug of agentc.
type BrokenError struct {
	// Name is the file's base name.
	Name string
	// Source is the text that does not parse.
	Source []byte
	Err    error
}

// Error names the file and the parser's message, and shows the text with line numbers.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("agentc emitted a file that is not Go, please report it: %s: %v\n%s", e.Name, e.Err, NumberLines(e.Source))
}

// Unwrap returns the parser's error.
func (e *BrokenError) Unwrap() error { return e.Err }

// NumberLines returns a text with the number of each line before it.
func NumberLines(text []byte) string {
	var b strings.Builder
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		fmt.Fprintf(&b, "%5d  %s\n", i+1, line)
	}

	return b.String()
}

// Files returns the files of the package for p: the agents in the order of the program, then the
// shared file, the providers, the recordings and the tests. The program must have passed the
// checks. An error is a bug of agentc: [*BrokenError].
func Files(p *ir.Program, o Options) ([]File, error) {
	var drafts []*draft
	graphs := make([]string, len(p.Agents))
	final, fixed := ir.FinalKeysOf(p.Agents...), names.FixedNames(p)
	for i, a := range p.Agents {
		if o.Graph != nil && hasPicture(a) {
			graphs[i] = o.Graph(a)
		}
		drafts = append(drafts, newAgentDraft(agent{a, fixed}, final.TypedKeys(a), graphs[i] != "", drivesMachines(p)))
	}
	drafts = append(drafts, newSharedDraft(p, graphs), newProvidersDraft(p), newRecordingsDraft(p), newServersDraft(p), newTestDraft(p))
	drafts = slices.DeleteFunc(drafts, func(d *draft) bool { return d == nil })

	files := make([]File, len(drafts))
	errs := make([]error, len(drafts))
	parallel.Do(len(drafts), func(i int) { files[i], errs[i] = drafts[i].renderFile(p.Package) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}

	return files, nil
}

// hasPicture reports whether a picture has more than a single box: a conversation without a gate
// has not.
func hasPicture(a *ir.Agent) bool {
	switch a.Node.(type) {
	case *ir.Machine, *ir.Flow:
		return true
	}

	return a.MachineOf() != nil
}

// draft is a file before it is rendered.
type draft struct {
	name, source string
	// doc is the package comment; "" if another file has it.
	doc string
	// fill adds the declarations.
	fill func(f *jen.File)
}

func (d *draft) renderFile(pkg string) (File, error) {
	f := jen.NewFile(pkg)
	f.NoFormat = true // it is formatted below, where an error can show the text
	f.ImportName(runtimePath, "runtime")
	f.ImportName(workflowPath, "workflow")
	f.HeaderComment(newGeneratedLine(d.source))
	f.HeaderComment(newHashLine(unknownHash))
	if d.doc != "" {
		f.PackageComment(d.doc)
	}
	d.fill(f)

	var raw bytes.Buffer
	if err := f.Render(&raw); err != nil {
		return File{}, &BrokenError{Name: d.name, Err: err}
	}
	grouped := groupImports(raw.Bytes())
	content, err := format.Source(grouped)
	if err != nil {
		return File{}, &BrokenError{Name: d.name, Source: grouped, Err: err}
	}

	return File{Name: d.name, Source: d.source, Content: writeBodyHash(content)}, nil
}

// groupImports puts our own imports below the imports of the standard library, as goimports does.
func groupImports(raw []byte) []byte {
	const open = "import (\n"
	start := bytes.Index(raw, []byte(open))
	if start < 0 {
		return raw
	}
	start += len(open)
	end := start + bytes.Index(raw[start:], []byte(")\n"))

	var standard, ours []byte
	for line := range bytes.Lines(raw[start:end]) {
		if bytes.Contains(line, []byte(".")) {
			ours = append(ours, withoutAlias(line)...)
		} else {
			standard = append(standard, line...)
		}
	}

	return slices.Concat(raw[:start], standard, []byte("\n"), ours, raw[end:])
}

// withoutAlias removes the redundant alias of an import of one of our packages, which all have the
// names of their folders.
func withoutAlias(line []byte) []byte {
	name, quoted, isAliased := bytes.Cut(line, []byte(" "))
	if !isAliased || !bytes.HasPrefix(quoted, []byte(`"`+runtimePath+"/")) {
		return line
	}
	if folder := quoted[bytes.LastIndexByte(quoted, '/')+1 : len(quoted)-2]; !bytes.Equal(bytes.TrimSpace(name), folder) {
		return line
	}

	return append([]byte("\t"), quoted...)
}

// inRuntime returns the qualified name of something in package runtime, or in a package below it:
// model.Choice.
func inRuntime(name string) *jen.Statement {
	if pkg, name, below := strings.Cut(name, "."); below {
		return jen.Qual(importPath(pkg), name)
	}

	return jen.Qual(runtimePath, name)
}

// importPath returns the path of a package below runtime.
func importPath(pkg string) string {
	if slices.Contains(sharedPackages, pkg) {
		return runtimePath + "/" + pkg
	}

	return linkedPath + "/" + pkg
}
