package gen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
)

// corpus are projects that other people wrote, beside this repository where they are at hand.
const corpus = "../../shared/corpus/tama"

// realFaults counts the errors of corpus projects that are theirs, by name; not-yet is not one of them.
var realFaults = map[string]map[string]int{
	"19-trip-planner": {diag.UndefinedSkill.Name: 4}, // it uses a skill that it does not have
}

// built are the corpus projects that use nothing of a later version.
var built = map[string]bool{"01-react-search": true, "14-airline-service": true}

// TestCorpus compiles every project of the corpus where it lies. Errors are what a later version builds, and the faults
// that the projects really have.
func TestCorpus(t *testing.T) {
	projects, err := filepath.Glob(corpus + "/*/agents")
	if err != nil {
		t.Fatal(err)
	}
	if len(projects) == 0 {
		fmt.Println("corpus: absent")
		t.Skip("no corpus beside the repository")
	}
	fmt.Printf("corpus: %d projects\n", len(projects))
	for _, agents := range projects {
		name := filepath.Base(filepath.Dir(agents))
		t.Run(name, func(t *testing.T) {
			result := compileFS(t, os.DirFS(filepath.Dir(agents)))
			later, faults := 0, map[string]int{}
			for _, d := range result.Diagnostics {
				switch {
				case d.Severity != diag.Error:
				case d.Check == diag.NotYet:
					later++
				default:
					faults[d.Check.Name]++
				}
			}
			if built[name] != (later == 0) {
				t.Errorf("%d findings not-yet", later)
			}
			if fmt.Sprint(faults) != fmt.Sprint(realFaults[name]) {
				t.Errorf("faults %v, want %v\n%s", faults, realFaults[name], render(t, result.Diagnostics))
			}
			if built[name] && len(result.Files) == 0 {
				t.Error("no files")
			}
		})
	}
}
