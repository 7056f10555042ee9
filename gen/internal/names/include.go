package names

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
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
const PanelPath = "github.com/agentc-dev/agentc/runtime/panel"

// PartOf returns what a word of `include`, or the kind of a store, brings into a binary. ok is false for a word that brings nothing.
func PartOf(word string) (part Included, ok bool) {
	switch word {
	case "mcp":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/mcp", Drives: true}, true
	case "otel":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/otel"}, true
	case "panel":
		return Included{Path: PanelPath}, true
	case "serve":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/serve"}, true
	case "sqlite", "postgres": // by the line store
		return Included{Path: "github.com/agentc-dev/agentc/runtime/" + word}, true
	case "temporal":
		return Included{Path: "github.com/agentc-dev/agentc/runtime/temporal", Remote: true}, true
	}

	return Included{}, false
}

// modules are agentc's Go modules that generated code may need besides that of the runtime.
var modules = []string{
	builtin.AnthropicPath, "github.com/agentc-dev/agentc/runtime/mcp", "github.com/agentc-dev/agentc/runtime/otel",
	"github.com/agentc-dev/agentc/runtime/postgres", "github.com/agentc-dev/agentc/runtime/sqlite",
	"github.com/agentc-dev/agentc/runtime/temporal",
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
