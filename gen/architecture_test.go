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
	"flow":          "builtin expr interp ir sample scc runtime/generated/workflow",
	"builtin":       "amount ir runtime runtime/generated/workflow",
	"interp":        "ir runtime/generated/workflow",
	"names":         "builtin ir source",
	"yamldoc":       "source gen/diag words",
	"tomldoc":       "source gen/diag yamldoc",
	"foreign":       "source yamldoc",
	"validate":      "builtin foreign source gen/diag yamldoc schema sample",
	"schemadoc":     "source gen/diag yamldoc ir names sample words",
	"scriptdoc":     "builtin source gen/diag yamldoc validate ir words",
	"expr":          "builtin source gen/diag ir yamldoc runtime/generated/workflow",
	"lockfile":      "source gen/diag yamldoc",
	"statemachine":  "builtin frontend source gen/diag yamldoc validate schemadoc ir expr parallel sample",
	"frontend":      "source gen/diag yamldoc validate ir runtime/model runtime/size",
	"agentmd":       "builtin frontend source gen/diag yamldoc validate schemadoc ir expr lockfile parallel",
	"loader":        "agentmd foreign statemachine frontend source gen/diag yamldoc tomldoc validate scriptdoc ir words runtime/stores/recording",
	"check":         "builtin can cost source gen/diag expr flow interp ir names parallel sample scc secret words",
	"gen/explain":   "gen/diag",
	"emit":          "builtin ir names source parallel words runtime/model",
	"casetest":      "gen/diag",
	"emit/emittest": "ir emit source loader gen/diag",
	"verify":        "ir names emit parallel",
	"graph":         "flow ir source words",
	"can":           "builtin expr flow interp ir sample scriptdoc words runtime runtime/generated/rt runtime/generated/workflow",
	"cost":          "amount builtin flow interp ir words runtime/model runtime/generated/rt",
	"diff":          "cost emit flow graph ir words runtime runtime/generated/rt runtime/stores/journal",
	"preflight":     "builtin ir source gen/diag yamldoc runtime/generated/compiled runtime/model runtime/generated/rt words",
	"stats":         "cost flow ir",
	"sample":        "ir words runtime/generated/rt",
	"simulate":      "builtin expr flow interp ir sample scriptdoc words runtime runtime/generated/workflow",
	"playground":    "check gen/diag graph ir loader source runtime runtime/engine runtime/inspect/page",
	"pricelist":     "",
	"gopkg":         "",
	"output":        "gen/diag emit source",
	"gen/vet":       "gen/diag words",
	"cache":         "",
	"memo":          "gen emit ir cache",
	"fix":           "gen gen/diag source tomldoc yamldoc",
	"gen":           "source gen/diag ir names loader check emit verify",

	"runtime":                           "runtime/model runtime/event runtime/signals runtime/internal/text/jsontext runtime/internal/text/wording runtime/internal/text/errs",
	"runtime/event":                     "runtime/model runtime/internal/events/eventkind runtime/internal/text/jsontext runtime/internal/events/unknown runtime/internal/text/wording",
	"runtime/internal/events/eventkind": "",
	"runtime/internal/events/eventkind/kindtest":    "runtime/internal/events/eventkind",
	"runtime/internal/events/eventtext":             "runtime",
	"runtime/internal/events/unknown":               "",
	"runtime/signals":                               "runtime/internal/text/wording",
	"runtime/generated/rt":                          "runtime runtime/generated/internal/last runtime/internal/engine/stopreason runtime/internal/text/nameindex",
	"runtime/generated/internal/last":               "",
	"runtime/generated/internal/growth":             "",
	"runtime/internal/engine/addr":                  "runtime/internal/engine/script",
	"runtime/internal/engine/budget":                "runtime runtime/internal/engine/clock runtime/internal/engine/usercode runtime/internal/text/errs",
	"runtime/internal/engine/clock":                 "",
	"runtime/internal/engine/errorcodec":            "runtime runtime/internal/engine/field runtime/internal/engine/usercode runtime/stores/journal",
	"runtime/internal/engine/field":                 "runtime/stores/journal",
	"runtime/internal/engine/question":              "runtime runtime/internal/engine/addr runtime/internal/engine/field runtime/internal/engine/replay runtime/stores/journal",
	"runtime/internal/engine/replay":                "runtime runtime/internal/engine/addr runtime/internal/engine/budget runtime/internal/engine/field runtime/stores/journal",
	"runtime/internal/engine/signaling":             "runtime runtime/internal/engine/addr runtime/internal/engine/usercode",
	"runtime/internal/engine/usercode":              "runtime",
	"runtime/internal/engine/dialog":                "runtime/model",
	"runtime/internal/engine/signalrule":            "runtime/signals runtime/internal/text/wording",
	"runtime/generated/drive":                       "runtime",
	"runtime/generated/compiled":                    "runtime",
	"runtime/internal/text/errs":                    "",
	"runtime/model":                                 "runtime/internal/text/jsontext runtime/internal/text/wording",
	"runtime/internal/text/wording":                 "",
	"runtime/internal/text/jsontext":                "",
	"runtime/size":                                  "",
	"runtime/internal/text/nameindex":               "",
	"runtime/internal/text/nearest":                 "",
	"runtime/internal/text/cells":                   "",
	"runtime/internal/engine/safepoint":             "runtime",
	"runtime/internal/engine/stopreason":            "runtime/model",
	"runtime/internal/engine/turn":                  "",
	"runtime/servers/access":                        "runtime/internal/stores/files runtime/internal/text/nearest",
	"runtime/internal/servers/bearer":               "runtime runtime/servers/access runtime/cli runtime/internal/text/nearest",
	"runtime/internal/servers/listen":               "runtime/internal/text/errs",
	"runtime/internal/stores/files":                 "",
	"runtime/internal/stores/files/filetest":        "runtime/internal/stores/files",
	"runtime/generated/workflow":                    "runtime runtime/size runtime/generated/internal/growth runtime/internal/text/jsontext",
	"runtime/internal/stores/appendlog":             "runtime/internal/stores/files",
	"runtime/internal/stores/audit":                 "runtime/internal/stores/appendlog runtime/internal/stores/files runtime/internal/text/jsontext",
	"runtime/stores/journal":                        "runtime/internal/stores/appendlog runtime/internal/text/errs runtime/internal/stores/files",
	"runtime/stores/journal/journaltest":            "runtime/stores/journal",
	"runtime/internal/stores/sqlstore":              "runtime/internal/text/errs runtime/stores/journal runtime/size",
	"runtime/internal/stores/sqlstore/sqlstoretest": "runtime runtime/servers/client runtime/engine runtime/stores/journal runtime/testing/resumetest runtime/servers/serve runtime/internal/servers/wire",
	"runtime/stores/board":                          "runtime runtime/cli runtime/internal/stores/audit runtime/internal/text/cells",
	"runtime/generated/live":                        "runtime",
	"runtime/internal/engine/script":                "runtime runtime/internal/text/nearest",
	"runtime/tools":                                 "runtime runtime/internal/engine/redact",
	"runtime/tools/files":                           "runtime runtime/tools/internal/root runtime/tools",
	"runtime/tools/web":                             "runtime runtime/tools runtime/internal/engine/redact",
	"runtime/tools/shell":                           "runtime runtime/tools/internal/root runtime/tools",
	"runtime/tools/internal/root":                   "runtime",
	"runtime/internal/engine/redact":                "runtime",
	"runtime/internal/engine/modelname":             "",
	"runtime/internal/engine/pricing":               "runtime/internal/engine/budget runtime/internal/engine/modelname runtime/internal/text/jsontext runtime/model",
	"runtime/internal/testing/settingtest":          "runtime/model",
	"runtime/stores/recording":                      "runtime/internal/stores/recording",
	"runtime/internal/stores/recording":             "runtime runtime/internal/stores/appendlog runtime/internal/stores/files runtime/internal/engine/redact",
	"runtime/internal/engine/core":                  "runtime runtime/internal/events/eventtext runtime/internal/engine/dialog runtime/internal/engine/script runtime/internal/engine/stopreason runtime/internal/engine/turn runtime/stores/journal runtime/size runtime/tools runtime/internal/engine/redact runtime/internal/stores/recording runtime/internal/engine/addr runtime/internal/engine/budget runtime/internal/engine/clock runtime/internal/engine/errorcodec runtime/internal/engine/field runtime/internal/engine/modelname runtime/internal/engine/pricing runtime/internal/engine/question runtime/internal/engine/replay runtime/internal/engine/signaling runtime/internal/engine/usercode",
	"runtime/engine":                                "runtime runtime/internal/engine/core runtime/stores/journal runtime/stores/recording runtime/internal/engine/pricing runtime/internal/engine/signaling",
	"runtime/testing/simulate":                      "runtime runtime/engine runtime/internal/engine/core runtime/internal/engine/script runtime/internal/engine/clock",
	"runtime/testing/enginetest":                    "runtime runtime/internal/engine/core runtime/internal/engine/script runtime/testing/simulate",
	"runtime/testing/resumetest":                    "runtime runtime/engine runtime/internal/engine/core runtime/stores/journal",
	"runtime/generated/machinetest":                 "runtime",
	"runtime/cli":                                   "runtime/internal/text/cells runtime/internal/text/nearest",
	"runtime/servers/serve":                         "runtime runtime/servers/access runtime/servers/client runtime/engine runtime/cli/app runtime/cli runtime/internal/servers/bearer runtime/internal/servers/listen runtime/internal/cli/inputs runtime/internal/engine/safepoint runtime/internal/inspect/trace runtime/internal/servers/wire runtime/stores/journal runtime/internal/engine/core runtime/testing/simulate runtime/inspect/page runtime/internal/engine/question runtime/internal/engine/signaling",
	"runtime/cli/app":                               "runtime/engine runtime runtime/servers/access runtime/internal/servers/bearer runtime/servers/client runtime/cli runtime/internal/text/nearest runtime/internal/text/cells runtime/internal/inspect/diagram runtime/internal/cli/inputs runtime/internal/cli/progress runtime/internal/engine/safepoint runtime/size runtime/internal/inspect/trace runtime/internal/servers/wire runtime/stores/journal runtime/internal/engine/core runtime/internal/stores/recording runtime/testing/simulate runtime/inspect/page runtime/internal/engine/question runtime/internal/engine/signaling",
	"runtime/internal/cli/progress":                 "runtime runtime/cli runtime/internal/text/cells runtime/internal/inspect/trace runtime/internal/events/eventtext",
	"runtime/testing/ptytest":                       "",
	"runtime/internal/cli/inputs":                   "runtime runtime/cli runtime/internal/text/nearest runtime/internal/text/cells runtime/internal/engine/core runtime/internal/stores/recording runtime/internal/engine/script",
	"runtime/inspect/panel":                         "runtime runtime/cli runtime/internal/text/cells runtime/internal/inspect/diagram runtime/internal/cli/progress runtime/internal/inspect/trace runtime/internal/events/eventtext",
	"runtime/internal/inspect/trace":                "runtime runtime/internal/events/eventtext runtime/servers/client runtime/stores/journal",
	"runtime/servers/client":                        "runtime/event",
	"runtime/servers/client/httpclient":             "runtime runtime/servers/client",
	"runtime/internal/servers/wire":                 "runtime/servers/client runtime/internal/inspect/trace runtime/internal/text/wording",
	"runtime/internal/inspect/diagram":              "runtime/internal/text/cells runtime/internal/text/wording",
	"runtime/inspect/page":                          "runtime runtime/servers/client runtime/generated/compiled runtime/internal/engine/dialog runtime/internal/inspect/diagram runtime/internal/inspect/trace runtime/stores/journal",

	"runtime/providers/openai":                        "runtime runtime/internal/text/jsontext runtime/internal/providers/remote",
	"runtime/internal/providers/remote":               "runtime runtime/internal/text/jsontext runtime/internal/engine/stopreason runtime/size",
	"runtime/internal/testing/golden":                 "",
	"runtime/internal/testing/wiretest":               "runtime/internal/text/jsontext",
	"runtime/internal/testing/wiretest/chatwire":      "runtime runtime/internal/text/jsontext runtime/internal/testing/wiretest",
	"runtime/internal/testing/wiretest/anthropicwire": "runtime runtime/internal/text/jsontext runtime/internal/testing/wiretest",
	"runtime/internal/testing/wiretest/deepresearch":  "runtime runtime/internal/testing/wiretest runtime/internal/testing/wiretest/chatwire",

	"gen/command":    "*",
	"cmd/agentc":     "gen/command",
	"cmd/agentc-vet": "gen/vet",
}

// core are the packages that make up the base of the runtime: what may import runtime may import each of them.
var core = []string{
	"runtime/model", "runtime/event", "runtime/signals", "runtime/generated/rt", "runtime/generated/drive", "runtime/generated/compiled",
	"runtime/internal/text/wording", "runtime/internal/text/errs", "runtime/internal/text/jsontext", "runtime/internal/events/unknown",
	"runtime/internal/engine/signalrule", "runtime/internal/events/eventkind",
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
	packages := list(t, "-deps", "./runtime/cli/app", "./runtime/providers/openai", "./runtime/servers/serve")
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
