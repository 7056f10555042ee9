package emittest

import (
	"strings"
	"testing/fstest"
)

// smallFile begins the workflows of [SmallWorkflow].
const smallFile = `version: "0.1"
context: CONTEXT
agents:
  judge:
    model: "openai:gpt-4o-mini"
    system_prompt: Judge.
    max_retries: 0
    model_settings: {max_tokens: 100}
    output_schema: {type: object, properties: {kind: {enum: [a, b]}, ok: {type: boolean}}, required: [kind, ok], additionalProperties: false}
  clerk: {model: "openai:gpt-4o-mini", system_prompt: Write., max_retries: 0, model_settings: {max_tokens: 100}}
IMPORTS
steps:
`

// smallContext is the context that the workflows of [SmallWorkflow] declare, with REQUIRED for what
// it requires.
const smallContext = `{type: object, properties: {kind: {enum: [a, b]}, ok: {type: boolean}, n: {type: integer}, ` +
	`text: {type: string}, list: {type: array, maxItems: 2, items: {type: string}}}REQUIRED}`

// allRequired makes all fields of the context required. A workflow that is imported without a
// context could not begin then.
const allRequired = ", required: [kind, ok, n, text, list]"

// SmallWorkflow returns a project with the workflow flow of some steps, a list in YAML, for cases
// of what is found out about workflows. Its agents are judge, which answers with the kind a or b
// and whether something is ok, and clerk, which answers with any text. The context has kind, ok, n,
// text and list, each of which that of flow requires; with child, which is the steps of the
// workflow child, flow can import that as imports.child. Tabs at the beginning of lines are left
// out.
func SmallWorkflow(steps, child string) fstest.MapFS {
	files := fstest.MapFS{
		"agentc.yaml": {Data: []byte("files: {root: ./work}\nhttp: {allow: [example.org]}\nmodels: {default: {name: \"openai:gpt-4o-mini\", max_tokens: 100}}\n")},
	}
	add := func(name, required, imports, steps string) {
		context := strings.Replace(smallContext, "REQUIRED", required, 1)
		begin := strings.NewReplacer("CONTEXT", context, "IMPORTS\n", imports).Replace(smallFile)
		files["workflows/"+name+".yaml"] = &fstest.MapFile{Data: []byte(begin + strings.ReplaceAll(steps, "\t", ""))}
	}
	if child == "" {
		add("flow", allRequired, "", steps)
		return files
	}
	add("flow", allRequired, "imports: {child: ./child.yaml}\n", steps)
	add("child", "", "", child)

	return files
}
