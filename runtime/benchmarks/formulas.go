package main

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// formulas are two workflows with expressions and templates of all kinds, and Go that belongs into the package of what is
// generated from them: the same by hand, and the pairs of both.
//
//go:embed testdata/formulas
var formulas embed.FS

// formulasProgram lets each piece of generated code and its hand-written counterpart take turns.
const formulasProgram = `// Program formulas-run lets generated and hand-written expressions and templates take turns.
package main

import (
	"github.com/agentc-dev/agentc/runtime/benchmarks/bench/formulas/agents"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func main() {
	contest.Main(func(task contest.Task) (scores []contest.Score, err error) {
		pairs, runs, err := agents.Pairs(contest.NewInstant(""))
		if err != nil {
			return nil, err
		}
		for _, pair := range pairs {
			turn := func(name string, work func(times int)) contest.Contestant {
				return contest.Contestant{Name: name, Steps: task.Runs * runs, Run: func() error {
					work(task.Runs)
					return nil
				}}
			}
			both, err := contest.Hold(task.Rounds, turn(pair.Name, pair.Generated), turn(pair.Name+" by hand", pair.Hand))
			if err != nil {
				return nil, err
			}
			scores = append(scores, both...)
		}

		return scores, nil
	})
}
`

// formulaGoal is how long an expression or a template may take beside the same by hand.
const formulaGoal = 1.5

// measureFormulas measures expressions and templates beside the same written by hand.
func (b *bench) measureFormulas() {
	times, rounds := b.size(3000, 2), b.size(101, 2)
	b.progress.say("expressions and templates")
	b.layFormulas()
	scores := b.measure("formulas-run", formulasProgram, contest.Task{Runs: times, Rounds: rounds})
	for i := 0; i+1 < len(scores); i += 2 {
		name := scores[i].Name
		b.compare("workflow, "+name+" / by hand", scores, name, name+" by hand", goal{atMost, formulaGoal})
	}
}

// layFormulas lays the generated package out, with the hand-written files in it.
func (b *bench) layFormulas() {
	files := must(fs.Sub(formulas, "testdata/formulas"))
	sources := make(project)
	check(fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if strings.HasSuffix(path, ".go") {
			b.put("formulas/agents/"+path, content)
		} else {
			sources[path] = string(content)
		}

		return err
	}))
	b.generate("formulas", sources)
}
