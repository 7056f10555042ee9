package names

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Included is a part that a word of `include`, or a kind of store, adds to a binary.
type Included struct {
	// Path is the import path of its package. The program uses the type Part of that package.
	Path string
	// Drives reports whether the part drives live machines. If so, the program contains them.
	Drives bool
	// Remote reports whether the part runs functions and guards in other processes, which find them
	// by name.
	Remote bool
}

// PanelPath is the import path of the package that draws a run on a terminal.
const PanelPath = runtimePath + "inspect/panel"

// runtimePath begins the import paths of parts.
const runtimePath = "github.com/agentc-dev/agentc/runtime/"

// included maps the words of `include` and the kinds of stores to parts.
var included = map[string]Included{
	"mcp":      {Path: runtimePath + "mcp", Drives: true},
	"otel":     {Path: runtimePath + "otel"},
	"page":     {Path: runtimePath + "inspect/page"},
	"panel":    {Path: PanelPath},
	"serve":    {Path: runtimePath + "servers/serve"},
	"sqlite":   {Path: runtimePath + "sqlite"}, // through the field store
	"postgres": {Path: runtimePath + "postgres"},
	"temporal": {Path: runtimePath + "temporal", Remote: true},
}

// PartOf returns the part for a word of `include` or for a kind of store. ok is false if there is
// none.
func PartOf(word string) (part Included, ok bool) {
	part, ok = included[word]

	return part, ok
}

// modules are agentc's Go modules that generated code may need in addition to the runtime.
var modules = []string{
	builtin.AnthropicPath,
	runtimePath + "mcp", runtimePath + "otel", runtimePath + "postgres", runtimePath + "sqlite", runtimePath + "temporal",
}

// StorePart returns the word of the part that opens the store with an address. It is "" for files.
func StorePart(address string) string {
	word, _, _ := strings.Cut(address, ":")

	return strings.TrimSuffix(word, "ql")
}

// ModuleOf returns the module that contains a package. ok is false for the module of the runtime
// and for packages that are not part of agentc.
func ModuleOf(path string) (module string, ok bool) {
	i := slices.IndexFunc(modules, func(module string) bool { return path == module || strings.HasPrefix(path, module+"/") })
	if i < 0 {
		return "", false
	}

	return modules[i], true
}

// Opener is a provider of the project with the package that opens its models with a function Open.
type Opener struct {
	Provider string
	// Path is the import path of the package, and Name its name in the generated file.
	Path, Name string
}

// Openers returns the sorted providers of the project.
func Openers(p *ir.Program) []Opener {
	paths := map[string]string{}
	for _, provider := range p.Providers {
		paths[provider.Name.Value] = provider.Import.Value
	}
	var openers []Opener
	for _, provider := range p.ProviderNames() {
		at := cmp.Or(paths[provider], builtin.ProviderPath(provider))
		// The name of a foreign package is unknown here.
		name := "provider" + Part(provider)
		if at == builtin.AnthropicPath || at == builtin.ChatPath {
			name = path.Base(at)
		}
		openers = append(openers, Opener{Provider: provider, Path: at, Name: name})
	}

	return openers
}
