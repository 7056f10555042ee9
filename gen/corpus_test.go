package gen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// corpus are projects that other people wrote, beside this repository where they are at hand.
const corpus = "../../shared/corpus/tama"

// realFaults counts the findings of corpus projects, by name: they are theirs.
var realFaults = map[string]map[string]int{
	"00-deep-research": {diag.ToolOff.Name: 2}, // tama.toml cannot turn tools on
	"01-react-search":  {diag.ToolOff.Name: 2},
	"06-critic":        {diag.PromptWithoutTools.Name: 1}, // a step without tools is to call finish
	"19-trip-planner":  {diag.UndefinedSkill.Name: 4},     // it uses a skill that it does not have
}

// TestCorpus compiles every project of the corpus where it lies. Its only findings are the faults that a project really has.
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
			faults := map[string]int{}
			for _, d := range result.Diagnostics {
				faults[d.Check.Name]++
			}
			if fmt.Sprint(faults) != fmt.Sprint(realFaults[name]) {
				t.Errorf("faults %v, want %v\n%s", faults, realFaults[name], casetest.Text(t, result.Diagnostics))
			}
			if !result.HasErrors() && len(result.Files) == 0 {
				t.Error("no files")
			}
		})
	}
}
