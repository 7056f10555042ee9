package gen_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
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

// name is the path of the package in the module, without gen/internal.
func (p listed) name() string { return shortName(p.ImportPath) }

func shortName(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "gen/internal/")
}

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

	"source":        "",
	"gen/diag":      "source",
	"ir":            "source runtime/model",
	"parallel":      "",
	"scc":           "",
	"amount":        "",
	"secret":        "",
	"words":         "",
	"flow":          "builtin expr interp ir scc runtime/workflow",
	"builtin":       "amount ir runtime runtime/workflow",
	"interp":        "ir runtime/workflow",
	"names":         "builtin ir source",
	"yamldoc":       "source gen/diag words",
	"tomldoc":       "source gen/diag yamldoc",
	"foreign":       "source yamldoc",
	"validate":      "builtin foreign source gen/diag yamldoc schema sample",
	"schemadoc":     "source gen/diag yamldoc ir names sample words",
	"scriptdoc":     "builtin source gen/diag yamldoc validate ir words",
	"expr":          "builtin source gen/diag ir yamldoc runtime/workflow",
	"lockfile":      "source gen/diag yamldoc",
	"statemachine":  "builtin frontend source gen/diag yamldoc validate schemadoc ir expr parallel",
	"frontend":      "source gen/diag yamldoc validate ir runtime/model runtime/size",
	"agentmd":       "builtin frontend source gen/diag yamldoc validate schemadoc ir expr lockfile parallel",
	"loader":        "agentmd foreign statemachine frontend source gen/diag yamldoc tomldoc validate scriptdoc ir words runtime/recording",
	"check":         "builtin can cost source gen/diag expr flow interp ir names parallel sample scc secret words",
	"gen/explain":   "gen/diag",
	"emit":          "builtin ir names source parallel words runtime/model",
	"casetest":      "gen/diag",
	"emit/emittest": "ir emit source loader gen/diag",
	"verify":        "ir names emit parallel",
	"graph":         "flow ir source words",
	"can":           "builtin expr flow interp ir sample scriptdoc words runtime runtime/rt runtime/workflow",
	"cost":          "amount builtin flow ir words runtime/model runtime/rt",
	"diff":          "cost emit flow graph ir words runtime runtime/rt runtime/journal",
	"preflight":     "builtin ir source gen/diag yamldoc runtime/compiled runtime/model runtime/rt words",
	"stats":         "cost flow ir",
	"sample":        "ir words runtime/rt",
	"simulate":      "builtin expr flow interp ir sample scriptdoc words runtime runtime/workflow",
	"playground":    "check gen/diag graph ir loader source runtime runtime/engine runtime/page",
	"pricelist":     "",
	"gopkg":         "",
	"output":        "gen/diag emit source",
	"gen/vet":       "gen/diag words",
	"cache":         "",
	"memo":          "gen emit ir cache",
	"fix":           "gen gen/diag source tomldoc yamldoc",
	"gen":           "source gen/diag ir names loader check emit verify",

	"runtime":                                "runtime/model runtime/event runtime/signals runtime/internal/jsontext runtime/internal/wording runtime/internal/errs",
	"runtime/event":                          "runtime/model runtime/internal/eventkind runtime/internal/jsontext runtime/internal/unknown runtime/internal/wording",
	"runtime/internal/eventkind":             "",
	"runtime/internal/eventkind/kindtest":    "runtime/internal/eventkind",
	"runtime/internal/eventtext":             "runtime",
	"runtime/internal/unknown":               "",
	"runtime/signals":                        "runtime/internal/wording",
	"runtime/rt":                             "runtime runtime/internal/last runtime/internal/stopreason",
	"runtime/internal/last":                  "",
	"runtime/internal/dialog":                "runtime/model",
	"runtime/internal/signalrule":            "runtime/signals runtime/internal/wording",
	"runtime/drive":                          "runtime",
	"runtime/compiled":                       "runtime",
	"runtime/internal/errs":                  "",
	"runtime/model":                          "runtime/internal/wording",
	"runtime/internal/wording":               "",
	"runtime/internal/jsontext":              "",
	"runtime/size":                           "",
	"runtime/internal/nearest":               "",
	"runtime/internal/cells":                 "",
	"runtime/internal/safepoint":             "runtime",
	"runtime/internal/stopreason":            "runtime/model",
	"runtime/internal/turn":                  "",
	"runtime/access":                         "runtime/internal/files runtime/internal/nearest",
	"runtime/internal/bearer":                "runtime runtime/access runtime/cli runtime/internal/nearest",
	"runtime/internal/files":                 "",
	"runtime/internal/files/filetest":        "runtime/internal/files",
	"runtime/workflow":                       "runtime runtime/internal/jsontext",
	"runtime/internal/appendlog":             "runtime/internal/files",
	"runtime/internal/audit":                 "runtime/internal/appendlog runtime/internal/files runtime/internal/jsontext",
	"runtime/journal":                        "runtime/internal/appendlog runtime/internal/errs runtime/internal/files",
	"runtime/journal/journaltest":            "runtime/journal",
	"runtime/internal/sqlstore":              "runtime/internal/errs runtime/journal runtime/size",
	"runtime/internal/sqlstore/sqlstoretest": "runtime runtime/client runtime/engine runtime/journal runtime/resumetest runtime/serve runtime/internal/wire",
	"runtime/board":                          "runtime runtime/internal/audit",
	"runtime/live":                           "runtime",
	"runtime/internal/script":                "runtime runtime/internal/nearest",
	"runtime/tools":                          "runtime runtime/internal/redact",
	"runtime/tools/files":                    "runtime runtime/internal/root runtime/tools",
	"runtime/tools/web":                      "runtime runtime/tools runtime/internal/redact",
	"runtime/tools/shell":                    "runtime runtime/internal/root runtime/tools",
	"runtime/internal/root":                  "runtime",
	"runtime/internal/redact":                "runtime",
	"runtime/recording":                      "runtime/internal/recording",
	"runtime/internal/recording":             "runtime runtime/internal/appendlog runtime/internal/files runtime/internal/redact",
	"runtime/internal/core":                  "runtime runtime/internal/eventtext runtime/internal/dialog runtime/internal/script runtime/internal/stopreason runtime/internal/turn runtime/journal runtime/size runtime/tools runtime/internal/redact runtime/internal/recording",
	"runtime/engine":                         "runtime runtime/internal/core runtime/journal runtime/recording",
	"runtime/simulate":                       "runtime runtime/engine runtime/internal/core runtime/internal/script",
	"runtime/enginetest":                     "runtime runtime/internal/core runtime/internal/script runtime/simulate",
	"runtime/resumetest":                     "runtime runtime/engine runtime/internal/core runtime/journal",
	"runtime/machinetest":                    "runtime",
	"runtime/cli":                            "runtime/internal/cells runtime/internal/nearest",
	"runtime/serve":                          "runtime runtime/access runtime/client runtime/engine runtime/app runtime/cli runtime/internal/bearer runtime/internal/inputs runtime/internal/safepoint runtime/internal/trace runtime/internal/wire runtime/journal runtime/internal/core runtime/simulate runtime/page",
	"runtime/app":                            "runtime/engine runtime runtime/access runtime/internal/bearer runtime/client runtime/cli runtime/internal/nearest runtime/internal/cells runtime/internal/diagram runtime/internal/inputs runtime/internal/progress runtime/internal/safepoint runtime/size runtime/internal/trace runtime/internal/wire runtime/journal runtime/internal/core runtime/internal/audit runtime/internal/recording runtime/simulate runtime/page",
	"runtime/internal/progress":              "runtime runtime/cli runtime/internal/cells runtime/internal/trace runtime/internal/eventtext",
	"runtime/ptytest":                        "",
	"runtime/internal/inputs":                "runtime runtime/cli runtime/internal/nearest runtime/internal/cells runtime/internal/core runtime/internal/recording runtime/internal/script",
	"runtime/panel":                          "runtime runtime/cli runtime/internal/cells runtime/internal/diagram runtime/internal/progress runtime/internal/trace runtime/internal/eventtext",
	"runtime/internal/trace":                 "runtime runtime/internal/eventtext runtime/client runtime/journal",
	"runtime/client":                         "runtime/event",
	"runtime/client/httpclient":              "runtime runtime/client",
	"runtime/internal/wire":                  "runtime/client runtime/internal/trace runtime/internal/wording",
	"runtime/internal/diagram":               "runtime/internal/cells runtime/internal/wording",
	"runtime/page":                           "runtime runtime/client runtime/compiled runtime/internal/dialog runtime/internal/diagram runtime/internal/trace runtime/journal",

	"runtime/openai":                          "runtime runtime/internal/jsontext runtime/internal/remote",
	"runtime/internal/remote":                 "runtime runtime/internal/jsontext runtime/internal/stopreason runtime/size",
	"runtime/internal/wiretest":               "runtime/internal/jsontext",
	"runtime/internal/wiretest/chatwire":      "runtime runtime/internal/jsontext runtime/internal/wiretest",
	"runtime/internal/wiretest/anthropicwire": "runtime runtime/internal/jsontext runtime/internal/wiretest",
	"runtime/internal/wiretest/deepresearch":  "runtime runtime/internal/wiretest runtime/internal/wiretest/chatwire",

	"gen/command":    "*",
	"cmd/agentc":     "gen/command",
	"cmd/agentc-vet": "gen/vet",
}

// core are the packages that make up the base of the runtime: what may import runtime may import each of them.
var core = []string{
	"runtime/model", "runtime/event", "runtime/signals", "runtime/rt", "runtime/drive", "runtime/compiled",
	"runtime/internal/wording", "runtime/internal/errs", "runtime/internal/jsontext", "runtime/internal/unknown",
	"runtime/internal/signalrule", "runtime/internal/eventkind",
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
			name, ours := shortName(path), strings.HasPrefix(path, module)
			may := strings.Fields(allowed)
			if contains(may, "runtime") {
				may = append(may, core...)
			}
			if ours && allowed != "*" && !contains(may, name) {
				t.Errorf("%s imports %s, which stands above it or beside it", p.name(), name)
			}
		}
	}
}

// importers names the package, or the packages, that import a library.
var importers = map[string]string{
	"gopkg.in/yaml.v3":                           "yamldoc",
	"github.com/BurntSushi/toml":                 "tomldoc",
	"github.com/santhosh-tekuri/jsonschema/v5":   "validate",
	"github.com/dave/jennifer/jen":               "emit",
	"golang.org/x/tools/go/packages":             "gopkg",
	"github.com/agext/levenshtein":               "gen/diag",
	"github.com/aymanbagabas/go-udiff":           "output",
	"github.com/aymanbagabas/go-udiff/myers":     "output",
	"github.com/aymanbagabas/go-udiff/lcs":       "diff",
	"golang.org/x/tools/txtar":                   "templates casetest",
	"golang.org/x/tools/go/analysis":             "gen/vet",
	"golang.org/x/tools/go/types/typeutil":       "gen/vet",
	"golang.org/x/tools/go/analysis/unitchecker": "cmd/agentc-vet",
	"github.com/santhosh-tekuri/jsonschema":      "",
	"go.starlark.net/syntax":                     "expr",
	"golang.org/x/text/unicode/norm":             "check",
	"golang.org/x/text/width":                    "gen/diag",
}

func TestOneImporterPerLibrary(t *testing.T) {
	for _, p := range list(t, "./...") {
		for _, path := range p.Imports {
			if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") || strings.HasPrefix(path, module) {
				continue
			}
			if !slices.Contains(strings.Fields(importers[path]), p.name()) {
				t.Errorf("%s imports %s, which belongs to %q", p.name(), path, importers[path])
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

// TestNoRegularExpressionsInBinaries: package regexp makes each binary 0.25 MB larger.
func TestNoRegularExpressionsInBinaries(t *testing.T) {
	packages := list(t, "-deps", "./runtime/app", "./runtime/openai", "./runtime/serve")
	for _, p := range packages {
		if p.ImportPath == "regexp" {
			t.Error("what every binary links imports regexp")
		}
	}
	if len(packages) < 20 {
		t.Errorf("only %d packages listed: the test saw nothing", len(packages))
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

// TestTopLevel: the top level of the repository has only what belongs there.
func TestTopLevel(t *testing.T) {
	cmd := exec.Command("git", "ls-files")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no checkout: %v", err)
	}
	allowed := strings.Fields("cmd gen runtime schema templates examples go.mod go.sum go.work go.work.sum Makefile " +
		"README.md LICENSE CONTRIBUTING.md CHANGELOG.md SECURITY.md")
	for file := range strings.Lines(string(out)) {
		top, _, _ := strings.Cut(strings.TrimSpace(file), "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			t.Errorf("%s is at the top level of the repository", top)
		}
	}
}
