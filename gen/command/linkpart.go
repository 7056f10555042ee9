package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
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

// part is a package of agentc's that the generated code imports, in a module of its own. What stands in the module of the runtime
// needs none of this.
type part struct {
	path, module string
	// why says what in the project asks for it.
	why string
}

// folder is where the module of the part lies in agentc's source, with forward slashes.
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

// requireParts brings the parts into the module of a project without one, as copies where agentc's source is on disk: with the
// sums of what they need, so that nobody has to be asked for them.
func (m module) requireParts(parts []part, from origin) error {
	brought := map[string]bool{}
	for _, p := range parts {
		if brought[p.module] {
			continue
		}
		brought[p.module] = true
		files, err := from.partFiles(p)
		if err != nil {
			return err
		}
		gomod := string(m["go.mod"])
		if files == nil {
			m["go.mod"] = fmt.Appendf(nil, "%s\nrequire %s %s\n", gomod, p.module, from.version)
			continue
		}
		copied := pathpkg.Join(ownCopy, p.folder())
		for name, content := range files {
			m[pathpkg.Join(copied, name)] = content
		}
		m["go.mod"] = fmt.Appendf(nil, "%s\nrequire %s v0.0.0\n\nreplace %[2]s => ./%s\n", gomod, p.module, copied)
		m["go.sum"] = append(m["go.sum"], files["go.sum"]...)
	}

	return nil
}

// partFiles returns the source of a part; nil if it is not on disk, and a version can be required instead: modules of their own
// are not in the module cache with agentc.
func (o origin) partFiles(p part) (module, error) {
	dir := filepath.Join(o.dir, filepath.FromSlash(p.folder()))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); o.dir == "" || errors.Is(err, fs.ErrNotExist) {
		if o.version == "" {
			return nil, &MissingOriginError{}
		}
		return nil, nil
	}
	files := module{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return skipOwnModule(root, name, err)
		}
		if name == "go.mod" || name == "go.sum" || isRuntimeSource(name) {
			files[name], err = fs.ReadFile(root, name)
		}
		return err
	})

	return files, err
}

// skipOwnModule is what to do with a folder below a module: one with a go.mod is no part of it.
func skipOwnModule(root fs.FS, name string, err error) error {
	if err != nil || name == "." {
		return err
	}
	if _, err := fs.Stat(root, name+"/go.mod"); err == nil {
		return fs.SkipDir
	}

	return nil
}

// unrequired finds in what go build says the import that no module provides.
var unrequired = regexp.MustCompile(`provides package ([^\s;:]+)`)

// explainParts says how a package that the project needs gets into the user's module, if that is why there is no binary.
func (l *linking) explainParts(ctx context.Context, output []byte) {
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
				p.why, l.c.Rel(l.p.dir), strings.Join(findOrigin(ctx).getPart(p), "\n  "))
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
		commands = append(commands, findOrigin(ctx).getPart(part{module: module})...)
	}
	fmt.Fprintf(c.Stderr, "the generated code imports %s, which the module of %s does not require; run there:\n  %s\n",
		strings.Join(lacking, " and "), c.Rel(p.dir), strings.Join(commands, "\n  "))
}

// getPart are the commands that bring a part into a module.
func (o origin) getPart(p part) []string {
	o = o.released()
	if o.dir == "" {
		return []string{"go get " + p.module + "@" + o.version}
	}
	dir := filepath.Join(o.dir, filepath.FromSlash(p.folder()))

	return []string{"go mod edit -replace " + p.module + "=" + shellWord(dir), "go get " + p.module}
}
