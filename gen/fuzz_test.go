package gen_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
)

// FuzzCompile: whatever the files hold, the compiler ends without a fault of its own: it reads back what it emits, and
// emits nothing beside an error.
func FuzzCompile(f *testing.F) {
	const machine = "---\nname: m\ndescription: \"M\\u2028*/`\"\nversion: 1\npattern: fsm\ninitial: a\nstates:\n" +
		"  a:\n    - {x: b, \"*\": ~}\n  b: a\n  c: ~\n---\n"
	const leaf = "---\nname: a\ndescription: A.\nversion: 1\npattern: react\nkeys: [x, ' y']\ncall: {uses: [s]}\n" +
		"output: {type: object, properties: {n: {type: integer, minimum: 1}}}\n---\n\nDo `it`.\x00\u202e\n"
	const skill = "---\nname: s\ndescription: S.\ntools: [mem_get, {name: t, description: T., input: {type: object, properties: {q: {type: string}}}}]\n---\n"
	f.Add([]byte(machine), []byte(leaf), []byte(skill), []byte("entrypoint: m\nmodels: {default: 'script:agents/b/AGENT.md'}\n"))
	f.Add([]byte(machine), []byte(leaf), []byte(skill), []byte("output: x/y\npackage: z\n"))
	f.Fuzz(func(t *testing.T, machine, leaf, skill, config []byte) {
		result, err := gen.Compile(context.Background(), gen.Options{FS: fstest.MapFS{
			"agents/m/AGENT.md": {Data: machine},
			"agents/a/AGENT.md": {Data: leaf},
			"agents/b/AGENT.md": {Data: []byte("---\nname: b\ndescription: B.\nversion: 1\npattern: oneshot\n---\n\nDo it.\n")},
			"skills/s/SKILL.md": {Data: skill},
			"agentc.yaml":       {Data: config},
		}})
		if err != nil {
			t.Fatal(err)
		}
		soundFindings(t, result)
		if !result.HasErrors() && len(result.Files) == 0 {
			t.Error("neither errors nor files")
		}
	})
}
