package command

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// part is a package of agentc's that the generated code imports, in a module of its own: not one of the module of the runtime.
type part struct {
	path, module string
	// why says what in the project asks for it.
	why string
}

// folder is the folder of the part's module in agentc's source, with forward slashes.
func (p part) folder() string { return strings.TrimPrefix(p.module, gopkg.Agentc+"/") }

// partsOf returns the parts that files of a program import, sorted by path.
func partsOf(p *ir.Program, files []emit.File) ([]part, error) {
	found := map[string]part{}
	for _, f := range files {
		if strings.HasSuffix(f.Name, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, spec := range tree.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			if module, own := names.ModuleOf(path); own {
				found[path] = part{path: path, module: module, why: why(p, path)}
			}
		}
	}
	sorted := slices.SortedFunc(maps.Values(found), func(a, b part) int { return strings.Compare(a.path, b.path) })

	return sorted, nil
}

// why says what in a project asks for a package.
func why(p *ir.Program, path string) string {
	for _, word := range p.Include {
		if included, _ := names.PartOf(word.Value); included.Path == path {
			return "include: [" + word.Value + "]"
		}
	}
	if slices.ContainsFunc(names.Openers(p), func(o names.Opener) bool { return o.Path == path }) {
		return "a model of " + pathpkg.Base(path)
	}

	return "the generated code"
}

// requireParts has a build require parts: from the checkout with the sums of what they need, so that no network is needed, else by
// version.
func (o origin) requireParts(b *goBuild, parts []part) error {
	required := map[string]bool{}
	for _, p := range parts {
		if required[p.module] {
			continue
		}
		required[p.module] = true
		if o.dir == "" {
			b.gomod += fmt.Sprintf("\nrequire %s %s\n", p.module, o.version)
			continue
		}
		b.gomod += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => ./%s\n", p.module, p.folder())
		sums, err := os.ReadFile(filepath.Join(o.dir, p.folder(), "go.sum"))
		if err != nil {
			return err
		}
		b.gosum += string(sums)
	}

	return nil
}

// unrequired finds in what go build says the import that no module provides.
var unrequired = regexp.MustCompile(`provides package ([^\s;:]+)`)

// explainParts says how a package that the project needs gets into the user's module, if that is why there is no binary.
func (l *linking) explainParts(output []byte) {
	for _, provider := range l.result.Program.Providers {
		if path := provider.Import.Value; path != "" && bytes.Contains(output, []byte("provides package "+path+";")) {
			l.c.Errorf(cli.Problem, "the provider %s is opened by %s, which no module of %s provides; run there, in a Go module that requires %s:\n  go get %s",
				provider.Name.Value, path, l.c.Rel(l.p.dir), gopkg.Agentc, path)
		}
	}
	parts, err := partsOf(l.result.Program, l.files())
	if err != nil {
		return // go build says what is wrong
	}
	named := map[string]bool{}
	for _, found := range unrequired.FindAllSubmatch(output, -1) {
		for _, p := range parts {
			if string(found[1]) != p.path || named[p.module] {
				continue
			}
			named[p.module] = true
			l.c.Errorf(cli.Problem, "%s needs a module that %s does not require; run there:\n  %s",
				p.why, l.c.Rel(l.p.dir), strings.Join(findOrigin().getPart(p), "\n  "))
		}
	}
}

// printLacking says how the parts that the generated code imports get into the module around the project, if they are not there.
func (p *project) printLacking(ctx context.Context, c *cli.Call, result *gen.Result) {
	parts, err := partsOf(result.Program, result.Files)
	if err != nil {
		return // go build says what is wrong
	}
	var modules []string
	for _, part := range parts {
		modules = append(modules, part.module)
	}
	slices.Sort(modules)
	lacking, err := gopkg.Lacking(ctx, p.dir, slices.Compact(modules))
	if err != nil || len(lacking) == 0 {
		return // go build says what is wrong
	}
	var commands []string
	for _, module := range lacking {
		commands = append(commands, findOrigin().getPart(part{module: module})...)
	}
	fmt.Fprintf(c.Stderr, "the generated code imports %s, which the module of %s does not require; run there:\n  %s\n",
		strings.Join(lacking, " and "), c.Rel(p.dir), strings.Join(commands, "\n  "))
}

// getPart are the commands that bring a part into a module.
func (o origin) getPart(p part) []string {
	if o.dir == "" {
		return []string{"go get " + p.module + "@" + o.version}
	}
	dir := filepath.Join(o.dir, filepath.FromSlash(p.folder()))

	return []string{"go mod edit -replace " + p.module + "=" + shellWord(dir), "go get " + p.module}
}
