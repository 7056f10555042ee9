package simulate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// Whatever a path is, it is refused or read, and what is read is the same when it is written anew.
func FuzzParsePath(f *testing.F) {
	for _, path := range []string{
		"draft:needs-work,critique:done", "draft", "a:b,c", `a:b\, c\\,d:e:f`, " a : b , c ", "", ",", ":", "a,b:c", `a\`, `\,:\\`,
		"a:", "ä:ü\x00,\xff:\xfe", "a:\u00a0b",
	} {
		f.Add(path)
	}
	escape := strings.NewReplacer(`\`, `\\`, `,`, `\,`)
	f.Fuzz(func(t *testing.T, text string) {
		path, err := simulate.ParsePath(text)
		if err != nil {
			if len(path) > 0 || err.Error() == "" {
				t.Errorf("%q: %v, %v", text, path, err)
			}
			return
		}
		parts := make([]string, len(path))
		for i, stop := range path {
			if stop.State == "" || stop.Open && (stop.Key != "" || i < len(path)-1) {
				t.Errorf("%q: stop %d is %+v", text, i, stop)
			}
			parts[i] = escape.Replace(stop.State)
			if !stop.Open {
				parts[i] += ":" + escape.Replace(stop.Key)
			}
		}
		again, err := simulate.ParsePath(strings.Join(parts, ","))
		if err != nil || !slices.Equal(again, path) {
			t.Errorf("%q: %+v, and anew %+v, %v", text, path, again, err)
		}
	})
}
