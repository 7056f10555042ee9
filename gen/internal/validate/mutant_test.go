package validate_test

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

var fieldLine = regexp.MustCompile(`^( *(?:- )?)([a-z_]+):`)

// TestMisspelledFields doubles the last letter of each field of each faultless document whose name the format fixes: every
// such mutant is reported inside of its line, and nothing is reported elsewhere.
func TestMisspelledFields(t *testing.T) {
	mutants := 0
	casetest.Run(t, "testdata/ok/*.txtar", func(t *testing.T, c *casetest.Case) {
		for _, in := range c.Files {
			text := strings.Split(string(in.Data), "\n")
			for i, line := range text {
				m := fieldLine.FindStringSubmatch(line)
				if m == nil || m[1] != "" || path.Ext(in.Name) == ".toml" {
					continue
				}
				mutants++
				mutant := append([]string(nil), text...)
				mutant[i] = m[2] + m[2][len(m[2])-1:] + line[len(m[2]):]
				in := txtar.File{Name: in.Name, Data: []byte(strings.Join(mutant, "\n"))}
				t.Run(fmt.Sprintf("%s/%d", in.Name, i+1), func(t *testing.T) {
					found := findings(t, in)
					if len(found) == 0 {
						t.Errorf("%q is not reported", mutant[i])
					}
					for _, d := range found {
						if d.Span.Pos().Line != i+1 && d.Check.Name != "unused-field" && m[2] != "pattern" {
							t.Errorf("%q is reported as %s", mutant[i], lines(found))
						}
					}
				})
			}
		}
	})
	if mutants < 50 {
		t.Errorf("%d mutants are too few", mutants)
	}
}
