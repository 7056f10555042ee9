package names

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Included is what a word of `include`, or the kind of a store, brings into a binary.
type Included struct {
	// Path is the import path of its package, whose type Part is in the program.
	Path string
	// Drives says that it drives live machines, which the program then carries.
	Drives bool
	// Remote says that it has functions and guards run in other processes, which find them by their names.
	Remote bool
}

// PanelPath is the import path of what draws a run on a terminal.
const PanelPath = runtimePath + "inspect/panel"

// runtimePath is what the import paths of parts begin with.
const runtimePath = "github.com/agentc-dev/agentc/runtime/"

// included are the parts by the words of `include` and the kinds of stores.
var included = map[string]Included{
	"mcp":      {Path: runtimePath + "mcp", Drives: true},
	"otel":     {Path: runtimePath + "otel"},
	"panel":    {Path: PanelPath},
	"serve":    {Path: runtimePath + "servers/serve"},
	"sqlite":   {Path: runtimePath + "sqlite"}, // by the line store
	"postgres": {Path: runtimePath + "postgres"},
	"temporal": {Path: runtimePath + "temporal", Remote: true},
}

// PartOf returns what a word of `include`, or the kind of a store, brings into a binary. ok is false for a word that brings nothing.
func PartOf(word string) (part Included, ok bool) {
	part, ok = included[word]

	return part, ok
}

// modules are agentc's Go modules that generated code may need besides that of the runtime.
var modules = []string{
	builtin.AnthropicPath, runtimePath + "mcp", runtimePath + "otel", runtimePath + "postgres", runtimePath + "sqlite", runtimePath + "temporal",
}

// StorePart returns the word of the part that opens a store; "" for files.
func StorePart(address string) string {
	word, _, _ := strings.Cut(address, ":")

	return strings.TrimSuffix(word, "ql")
}

// ModuleOf returns the module of agentc's that a package is in. ok is false for the module of the runtime, and for packages that are
// not agentc's.
func ModuleOf(path string) (module string, ok bool) {
	i := slices.IndexFunc(modules, func(module string) bool { return path == module || strings.HasPrefix(path, module+"/") })
	if i < 0 {
		return "", false
	}

	return modules[i], true
}

// Opener is a provider that the project names, and the package whose function Open opens its models.
type Opener struct {
	Provider string
	// Path is the import path of the package, and Name what the generated file calls it.
	Path, Name string
}

// Openers returns the providers that the project names, sorted.
func Openers(p *ir.Program) []Opener {
	paths := map[string]string{}
	for _, provider := range p.Providers {
		paths[provider.Name.Value] = provider.Import.Value
	}
	var openers []Opener
	for _, provider := range p.ProviderNames() {
		at := cmp.Or(paths[provider], builtin.ProviderPath(provider))
		name := "provider" + Part(provider) // of a foreign package, because its own name is not known
		if at == builtin.AnthropicPath || at == builtin.ChatPath {
			name = path.Base(at)
		}
		openers = append(openers, Opener{Provider: provider, Path: at, Name: name})
	}

	return openers
}
