package command

import (
	"bytes"
	"strings"
	"testing"
)

// Projects with ten and with twenty different mistakes give as many findings in one run, none of
// them a consequence of another.
func TestManyMistakes(t *testing.T) {
	for project, count := range map[string]string{
		"ten-mistakes":    "10 errors\n",
		"twenty-mistakes": "19 errors, 1 warning\n", // a workflow
	} {
		var stdout, stderr bytes.Buffer
		code := Main([]string{"-C", root, "check", "gen/command/testdata/" + project}, strings.NewReader(""), &stdout, &stderr)

		if want := read(t, "testdata/"+project+"/want.txt"); stdout.String() != want {
			t.Errorf("check prints\n%s", &stdout)
		}
		if code != 1 || stderr.String() != count {
			t.Errorf("%s: code %d, stderr %q", project, code, &stderr)
		}
	}
}
