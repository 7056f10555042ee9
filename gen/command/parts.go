package command

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

// part is a package of agentc that the generated code imports and that is not in the module of the
// runtime.
type part struct {
	path, module string
	// reason is the setting of the project that needs it.
	reason string
}

// moduleFolder returns the folder of the part's module in agentc's source, with forward slashes.
func (p part) moduleFolder() string { return strings.TrimPrefix(p.module, gopkg.Agentc+"/") }

// importedParts returns the parts that files import, sorted by path.
func importedParts(files []emit.File) ([]part, error) {
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
				found[path] = part{path: path, module: module, reason: partReason(path)}
			}
		}
	}
	sorted := slices.SortedFunc(maps.Values(found), func(a, b part) int { return strings.Compare(a.path, b.path) })

	return sorted, nil
}

// partReason returns the setting of a project that needs a package.
func partReason(path string) string {
	word := pathpkg.Base(path)
	if included, _ := names.PartOf(word); included.Path == path {
		if kind, _ := app.StoreAddress(word + ":").Kind(); kind != "" {
			return "store: " + word
		}
		return "include: [" + word + "]"
	}
	if slices.ContainsFunc(builtin.Providers, func(p builtin.Provider) bool { return p.Path == path }) {
		return "a model of " + word
	}

	return "the generated code"
}

// requireParts adds parts to the go.mod of a build: from the checkout, with their go.sum, so that
// no network is needed, else by version.
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
		b.gomod += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => ./%s\n", p.module, p.moduleFolder())
		sums, err := os.ReadFile(filepath.Join(o.dir, p.moduleFolder(), "go.sum"))
		if err != nil {
			return err
		}
		b.gosum += string(sums)
	}

	return nil
}

// missingPartMessages returns, for each part that the project's module does not require, why it is
// needed and the command that adds it. If the go command fails, go build reports the cause later.
func (p *project) missingPartMessages(ctx context.Context, c *cli.Call, files []emit.File) []string {
	parts, err := importedParts(files)
	if err != nil {
		return nil
	}
	modules := ir.Sorted(ir.Map(parts, func(part part) string { return part.module }))
	lacking, _ := gopkg.MissingModules(ctx, p.dir, modules)
	folder := c.Rel(p.dir)
	if folder == "." {
		folder = "this folder"
	}
	var messages []string
	for _, module := range lacking {
		part := parts[slices.IndexFunc(parts, func(part part) bool { return part.module == module })]
		messages = append(messages, fmt.Sprintf("%s needs the module %s, which your go.mod does not require yet. Run in %s:\n  %s",
			part.reason, module, folder, findOrigin().getPartCommand(part)))
	}

	return messages
}

// explainProviders explains an error about the package that opens a provider's models: no module
// provides it, it does not build, or it lacks the function Open.
func (l *linking) explainProviders(output []byte) {
	text := string(output)
	for _, opener := range names.Openers(l.result.Program) {
		if !l.isForeign(opener) {
			continue
		}
		problem := ""
		switch use := opener.Name + ".Open"; {
		case strings.Contains(text, "provides package "+opener.Path+";"):
			problem = fmt.Sprintf("which no module of %s provides; run there, in a Go module that requires %s:\n  go get %s",
				l.c.Rel(l.p.dir), gopkg.Agentc, opener.Path)
		case strings.Contains(text, "# "+opener.Path+"\n"):
			problem = "which does not build:"
		case strings.Contains(text, "undefined: "+use), strings.Contains(text, "cannot use "+use):
			problem = "which lacks the function\n  func Open(m model.Model, env func(name string) (value string, ok bool)) (model.Provider, error)"
		default:
			continue
		}
		l.c.Sayf("the provider %s is opened by %s, %s", opener.Provider, opener.Path, problem)
	}
}

// isForeign reports whether the project's configuration names the package of a provider.
func (l *linking) isForeign(opener names.Opener) bool {
	return slices.ContainsFunc(l.result.Program.Providers, func(p *ir.Provider) bool {
		return p.Name.Value == opener.Provider && p.Import.Value != ""
	})
}

// getPartCommand returns the command that adds a part to a module. It names agentc's own command
// too, so that go.sum has the versions that the part raises for it.
func (o origin) getPartCommand(p part) string {
	if o.dir == "" {
		return fmt.Sprintf("go get %s@%s %s@%[2]s", p.module, o.version, ownCommand)
	}
	dir := filepath.Join(o.dir, filepath.FromSlash(p.moduleFolder()))

	return fmt.Sprintf("go mod edit -replace %s=%s && go get %[1]s@v0.0.0", p.module, cli.Quote(dir))
}
