package validate

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestRulesAgree: the rules accept what the library accepts, and nothing else: the documents of the cases, each as every
// kind of document, and the same with each of their values replaced by others.
func TestRulesAgree(t *testing.T) {
	accepted, refused, least := 0, 0, 1000
	if testing.Short() {
		least = 500 // of every eighth file
	}
	for i, file := range caseFiles(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		kinds := []Kind{Agent, Step, Skill, Config, TamaConfig, Prices, Lock, Script}
		doc, findings := yamldoc.ParseFrontmatter(file)
		root := doc.Head
		if filepath.Base(file.Path) == "workflow.yaml" {
			kinds = []Kind{Workflow}
			root, findings = yamldoc.Parse(file)
		}
		if root == nil || len(findings) > 0 {
			continue
		}
		for _, kind := range kinds {
			agree := func() {
				format := formats[kind]()
				err := format.compiled().Validate(root.JSON())
				if accepts := format.rule.accepts(&format.rule, root); accepts != (err == nil) {
					t.Fatalf("%s as kind %d: the library says %v, the rules %v, of %v", file.Path, kind, err, accepts, root.JSON())
				} else if accepts {
					accepted++
				} else {
					refused++
				}
			}
			agree()
			replaced(root, agree)
		}
	}
	if accepted < least || refused < least {
		t.Errorf("only %d documents were accepted and %d refused", accepted, refused)
	}
}

func caseFiles(t *testing.T) []*source.File {
	t.Helper()
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var files []*source.File
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			files = append(files, source.NewFile(path+": "+file.Name, file.Data))
		}
	}

	return files
}

// replaced calls visit with each value of n being each of the others in turn, and without each field and item.
func replaced(n *yamldoc.Node, visit func()) {
	was := *n
	for _, other := range others {
		*n = *other
		visit()
	}
	*n = was
	for i := range was.Fields {
		n.Fields = append(was.Fields[:i:i], was.Fields[i+1:]...)
		visit()
		n.Fields = was.Fields
		replaced(was.Fields[i].Value, visit)
	}
	for i := range was.Items {
		n.Items = append(was.Items[:i:i], was.Items[i+1:]...)
		visit()
		n.Items = append(was.Items[:i+1:i+1], was.Items[i:]...) // twice
		visit()
		n.Items = was.Items
		replaced(was.Items[i], visit)
	}
}

// others are values of all kinds, and at all bounds.
var others = func() []*yamldoc.Node {
	text := "[~, true, false, 0, 1, -1, 1.0, 1.5, 1001, '', 'é', fsm, 30s, A_1, [], [1, 1.0], [x, ''], {}, {when: x}," +
		" {key: a, to: b}, {when: x, priority: 1, a: b}, {x-y: 1}, {fire: ''}]"
	list, _ := yamldoc.Parse(source.NewFile("others", []byte(text)))

	return list.Items
}()
