package gen_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/agentc-dev/agentc/"

// listed is what `go list -json` tells of a package.
type listed struct {
	ImportPath   string
	Imports      []string
	Deps         []string
	TestImports  []string
	XTestImports []string
	Standard     bool
}

func (p listed) name() string { return strings.TrimPrefix(p.ImportPath, module) }

// list returns the packages of the module.
func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports,Standard"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}

	var packages []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// mayImport says which packages of ours a package may import; a package that is not listed is a mistake of this test.
// Arrows point one way: cmd, gen, stages, representation.
var mayImport = map[string]string{
	"schema":    "",
	"templates": "",

	"gen/source":        "",
	"gen/diag":          "gen/source",
	"gen/ir":            "gen/source",
	"gen/parallel":      "",
	"gen/scc":           "",
	"gen/secret":        "",
	"gen/hops":          "gen/ir",
	"gen/flow":          "gen/expr gen/hops gen/ir gen/scc",
	"gen/builtin":       "",
	"gen/names":         "gen/builtin gen/ir gen/source",
	"gen/yamldoc":       "gen/source gen/diag",
	"gen/tomldoc":       "gen/source gen/diag gen/yamldoc",
	"gen/validate":      "gen/source gen/diag gen/yamldoc schema",
	"gen/schemadoc":     "gen/source gen/diag gen/yamldoc gen/ir gen/names",
	"gen/scriptdoc":     "gen/source gen/diag gen/yamldoc gen/ir",
	"gen/replaydoc":     "gen/source gen/diag runtime/recording",
	"gen/expr":          "gen/source gen/diag gen/ir gen/yamldoc",
	"gen/projectfs":     "",
	"gen/lockfile":      "gen/source gen/diag gen/yamldoc",
	"gen/tree":          "gen/source gen/diag gen/yamldoc gen/ir",
	"gen/statemachine":  "gen/source gen/diag gen/yamldoc gen/validate gen/schemadoc gen/ir gen/expr gen/parallel gen/projectfs gen/tree",
	"gen/agentmd":       "gen/source gen/diag gen/yamldoc gen/tomldoc gen/validate gen/schemadoc gen/scriptdoc gen/replaydoc gen/ir gen/expr gen/lockfile gen/parallel gen/projectfs gen/tree gen/statemachine runtime/size",
	"gen/check":         "gen/builtin gen/source gen/diag gen/flow gen/hops gen/ir gen/names gen/scc gen/secret",
	"gen/explain":       "gen/diag",
	"gen/emit":          "gen/ir gen/names gen/source gen/parallel gen/testplan",
	"gen/emit/emittest": "gen/ir gen/emit gen/source gen/agentmd gen/diag",
	"gen/verify":        "gen/ir gen/names gen/emit gen/parallel",
	"gen/graph":         "gen/hops gen/ir gen/source",
	"gen/stats":         "gen/hops gen/ir gen/scc",
	"gen/sample":        "gen/ir",
	"gen/rehearsal":     "gen/hops gen/ir gen/sample runtime runtime/workflow",
	"gen/walk":          "gen/hops gen/ir gen/rehearsal gen/sample gen/source runtime/workflow",
	"gen/testplan":      "gen/ir gen/sample gen/walk",
	"gen/gopkg":         "gen/source gen/diag gen/ir gen/names gen/emit",
	"gen/output":        "gen/diag gen/emit gen/source",
	"gen/vet":           "",
	"gen/memo":          "gen gen/emit gen/ir",
	"gen/fix":           "gen gen/diag",
	"gen":               "gen/source gen/diag gen/ir gen/agentmd gen/check gen/emit gen/verify",

	"runtime":                         "runtime/internal/jsontext runtime/internal/spell",
	"runtime/internal/spell":          "",
	"runtime/internal/jsontext":       "",
	"runtime/size":                    "",
	"runtime/internal/nearest":        "",
	"runtime/internal/cells":          "",
	"runtime/internal/safepoint":      "runtime",
	"runtime/internal/turn":           "",
	"runtime/internal/bearer":         "runtime/cli",
	"runtime/internal/files":          "",
	"runtime/internal/files/filetest": "runtime/internal/files",
	"runtime/workflow":                "runtime runtime/internal/jsontext",
	"runtime/record":                  "runtime/internal/files runtime/internal/jsontext",
	"runtime/journal":                 "runtime/internal/files",
	"runtime/journal/journaltest":     "runtime/journal",
	"runtime/board":                   "runtime runtime/record",
	"runtime/live":                    "runtime",
	"runtime/internal/script":         "runtime runtime/internal/nearest",
	"runtime/tools":                   "runtime",
	"runtime/tools/files":             "runtime runtime/tools",
	"runtime/tools/web":               "runtime runtime/tools runtime/tools/redact",
	"runtime/tools/shell":             "runtime runtime/tools runtime/tools/files",
	"runtime/tools/redact":            "runtime",
	"runtime/recording":               "runtime runtime/internal/files runtime/tools/redact",
	"runtime/local":                   "runtime runtime/internal/script runtime/internal/turn runtime/journal runtime/size runtime/tools runtime/tools/redact runtime/recording",
	"runtime/simulate":                "runtime runtime/local runtime/internal/script",
	"runtime/enginetest":              "runtime runtime/local runtime/simulate",
	"runtime/resumetest":              "runtime runtime/journal runtime/local",
	"runtime/machinetest":             "runtime runtime/workflow",
	"runtime/cli":                     "runtime/internal/nearest",
	"runtime/serve":                   "runtime runtime/app runtime/cli runtime/internal/bearer runtime/internal/safepoint runtime/internal/trace runtime/journal runtime/local runtime/simulate",
	"runtime/app":                     "runtime runtime/cli runtime/internal/cells runtime/internal/safepoint runtime/internal/spell runtime/internal/trace runtime/journal runtime/local runtime/record runtime/simulate runtime/recording",
	"runtime/internal/trace":          "runtime runtime/journal",

	"runtime/openai":                          "runtime runtime/local runtime/internal/jsontext runtime/internal/remote",
	"runtime/internal/remote":                 "runtime runtime/local runtime/internal/jsontext",
	"runtime/internal/wiretest":               "",
	"runtime/internal/wiretest/chatwire":      "runtime runtime/internal/jsontext runtime/internal/wiretest",
	"runtime/internal/wiretest/anthropicwire": "runtime runtime/internal/jsontext runtime/internal/wiretest",
	"runtime/internal/wiretest/deepresearch":  "runtime runtime/internal/wiretest runtime/internal/wiretest/chatwire",

	"cmd/agentc":     "*",
	"cmd/agentc-vet": "gen/vet",
}

func TestArrowsPointOneWay(t *testing.T) {
	for _, p := range list(t, "./...") {
		if strings.HasPrefix(p.name(), "examples/") {
			continue
		}
		allowed, known := mayImport[p.name()]
		if !known {
			t.Errorf("package %s has no place in the plan: add it to mayImport and to the table of gen/README.md", p.name())
			continue
		}
		for _, path := range p.Imports {
			name, ours := strings.CutPrefix(path, module)
			if ours && allowed != "*" && !contains(strings.Fields(allowed), name) {
				t.Errorf("%s imports %s, which stands above it or beside it", p.name(), name)
			}
		}
	}
}

// importers names the one package that imports a library.
var importers = map[string]string{
	"gopkg.in/yaml.v3":                           "gen/yamldoc",
	"github.com/BurntSushi/toml":                 "gen/tomldoc",
	"github.com/santhosh-tekuri/jsonschema/v5":   "gen/validate",
	"github.com/dave/jennifer/jen":               "gen/emit",
	"golang.org/x/tools/go/packages":             "gen/gopkg",
	"github.com/agext/levenshtein":               "gen/diag",
	"github.com/aymanbagabas/go-udiff":           "gen/output",
	"github.com/aymanbagabas/go-udiff/myers":     "gen/output",
	"golang.org/x/tools/txtar":                   "templates",
	"golang.org/x/tools/go/analysis":             "gen/vet",
	"golang.org/x/tools/go/types/typeutil":       "gen/vet",
	"golang.org/x/tools/go/analysis/unitchecker": "cmd/agentc-vet",
	"github.com/santhosh-tekuri/jsonschema":      "",
	"go.starlark.net/syntax":                     "gen/expr",
}

func TestOneImporterPerLibrary(t *testing.T) {
	for _, p := range list(t, "./...") {
		for _, path := range p.Imports {
			if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") || strings.HasPrefix(path, module) {
				continue
			}
			if owner, known := importers[path]; !known || owner != p.name() {
				t.Errorf("%s imports %s, which belongs to %q", p.name(), path, owner)
			}
		}
	}
}

func TestRuntimeNeedsTheStandardLibraryOnly(t *testing.T) {
	standard := map[string]bool{}
	packages := list(t, "-deps", "./runtime/...")
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	for path, isStandard := range standard {
		if !isStandard && !strings.HasPrefix(path, module+"runtime") {
			t.Errorf("runtime depends on %s", path)
		}
	}
	if len(standard) < 20 {
		t.Errorf("only %d packages listed: the test saw nothing", len(standard))
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}

	return false
}
