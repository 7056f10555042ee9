package agentmd

import (
	"go/token"
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/projectfs"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// defaultOutput is the folder of the generated Go when the config names none.
const defaultOutput = "agents"

// readConfig reads both config files; where both are there, agentc.yaml counts.
func (l *loader) readConfig(found *layout) error {
	l.program.Output = defaultOutput
	if found.tama {
		root, err := l.readConfigFile(tamaFile, validate.TamaConfig, tomldoc.Parse)
		if err != nil {
			return err
		}
		if found.config {
			l.list.Add(diag.New(diag.UnusedConfig, firstLine(l.program.Files[len(l.program.Files)-1]),
				"%s is not read, because %s is there", tamaFile, configFile).
				WithHint("move what it says to %s, and delete it", configFile))
		} else {
			l.entryName(root.Value("project").Value("entrypoint"))
			l.models(root.Value("models"))
			l.providers(root.Value("providers"))
		}
	}
	if found.config {
		root, err := l.readConfigFile(configFile, validate.Config, yamldoc.Parse)
		if err != nil {
			return err
		}
		l.entryName(root.Value("entrypoint"))
		l.models(root.Value("models"))
		l.providers(root.Value("providers"))
		l.reach(root)
		l.program.Budget = l.budget(root.Value("budget"))
		limits := root.Value("limits")
		l.program.Limits = ir.Limits{
			Reply: l.size(limits.Value("reply")), ToolResult: l.size(limits.Value("tool_result")),
			ToolResultMax: l.size(limits.Value("tool_result_max")),
		}
		l.program.Include = tree.Texts(root.Value("include"))
		l.outputFolder(tree.Text(root.Value("output")))
		l.packageName(tree.Text(root.Value("package")), tree.Text(root.Value("output")))
		return nil
	}
	l.packageName(ir.Text{}, ir.Text{})

	return nil
}

// entryName takes the name of the entry point; an empty one, which older scaffolds write, is none.
func (l *loader) entryName(n *yamldoc.Node) {
	if name := tree.Text(n); name.Value != "" {
		l.program.EntryName = name
	}
}

// outputFolder takes the folder of the generated Go, which must lie inside the project.
func (l *loader) outputFolder(output ir.Text) {
	if output.Value == "" {
		return
	}
	folder, ok := projectfs.Inside(".", output.Value)
	if !ok {
		l.list.Add(diag.New(diag.BadValue, output.Span,
			"output %q is not a folder inside the project: write it relative to the project, with forward slashes", output.Value))
		return
	}
	l.program.Output = folder
}

// packageName takes the name of the generated package, or makes it of the base of output. The schema has said which
// characters the name may have.
func (l *loader) packageName(name, output ir.Text) {
	if name.Value != "" {
		l.program.Package = name.Value
		if token.IsKeyword(name.Value) || name.Value == "main" || name.Value == "_" {
			l.list.Add(diag.New(diag.BadValue, name.Span, "package %q is a name that no Go file can import", name.Value))
		}
		return
	}

	l.program.Package = packageFrom(path.Base(l.program.Output))
	if !token.IsIdentifier(l.program.Package) || l.program.Package == "main" || l.program.Package == "_" {
		l.list.Add(diag.New(diag.BadValue, output.Span, "no name of a Go package can be made of output %q", output.Value).
			WithHint("add a field package"))
	}
}

// packageFrom makes the name of a Go package of a folder's name: its lower-cased letters and digits.
func packageFrom(base string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, strings.ToLower(base))
}

func (l *loader) readConfigFile(
	file string, kind validate.Kind, parse func(*source.File) (*yamldoc.Node, []*diag.Diagnostic),
) (*yamldoc.Node, error) {
	f, err := l.readFile(file)
	if err != nil {
		return nil, err
	}
	root, findings := parse(f)
	l.list.Add(findings...)
	if root != nil && root.Kind != yamldoc.Null {
		l.found(f, validated(kind, root, f))
	}

	return root, nil
}
