package loader

import (
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// defaultOutput is the folder of the generated Go when the config names none.
const defaultOutput = "agents"

// readConfig reads the config file. If both exist, it reads agentc.yaml.
func (l *loader) readConfig() {
	var root, config, entry *yamldoc.Node
	if l.hasTama {
		root = l.readConfigFile(tamaFile, validate.TamaConfig, tomldoc.Parse)
		entry = root.Value("project").Value("entrypoint")
		setTamaTemperatures(root.Value("models"))
	}
	if l.hasTama && l.hasConfig {
		l.List.Add(diag.New(diag.UnusedConfig, frontend.FirstLine(l.Program.Files[len(l.Program.Files)-1]),
			"%s is not read, because %s exists", tamaFile, configFile).
			WithHint("agentc import tama --delete deletes it if %s has all its settings: move those that are not there", configFile))
	}
	if l.hasConfig {
		config = l.readConfigFile(configFile, validate.Config, yamldoc.Parse)
		root, entry = config, config.Value("entrypoint")
	}
	if l.hasTama || l.hasConfig {
		l.Program.Reach.Config = frontend.FirstLine(l.Program.Files[len(l.Program.Files)-1])
	}
	// Older scaffolds write an empty entry point.
	if name := frontend.Text(entry); name.Value != "" {
		l.Program.EntryName = name
	}
	l.lowerProviders(root.Value("providers")) // before the models, whose settings depend on them
	l.lowerModels(root.Value("models"))
	l.lowerReach(config)
	l.Program.Budget = l.ReadBudget(config.Value("budget"))
	if most := config.Value("max_cost"); most != nil {
		l.Program.MaxCost, l.Program.MaxCostAt = l.ReadDollars(most), most.Span
	}
	denied := config.Value("deny_flow")
	l.Program.DeniedFrom, l.Program.DeniedTo = frontend.Text(denied.Value("from")), frontend.Text(denied.Value("to"))
	limits := config.Value("limits")
	l.Program.Limits = ir.Limits{
		Reply: l.ReadSize(limits.Value("reply")), ToolResult: l.ReadSize(limits.Value("tool_result")),
		ToolResultMax: l.ReadSize(limits.Value("tool_result_max")),
	}
	for _, f := range config.Value("rename").Members() {
		l.Program.Renames = append(l.Program.Renames, ir.GoRename{From: frontend.Key(f).Value, To: frontend.Text(f.Value)})
	}
	l.Program.Include = frontend.Texts(config.Value("include"))
	l.lowerStore(frontend.Text(config.Value("store")))
	l.checkEnvFiles(config.Value("env_file"))
	l.Program.Output = defaultOutput
	l.setOutputFolder(frontend.Text(config.Value("output")))
	l.setPackageName(frontend.Text(config.Value("package")), frontend.Text(config.Value("output")))
}

// lowerStore sets the address of the store of runs. The generated Go contains the address, so it
// must not have a password. A variable must hold the password instead. No report shows a password
// that the address has.
func (l *loader) lowerStore(address ir.Text) {
	l.Program.Store = address
	at := storePassword.FindStringSubmatchIndex(address.Value)
	if at == nil || strings.HasPrefix(address.Value[at[2]:], "${") {
		return
	}
	l.List.Add(diag.New(diag.BadValue, address.Span, "the address of the store has a password: secrets do not belong in source files").
		WithHint("change it, write ${NAME} in its place, and set that variable where the program runs"))
	address.Span.File.Hide(address.Span)
}

// checkEnvFiles reports files for variables that are not inside the project.
func (l *loader) checkEnvFiles(n *yamldoc.Node) {
	for _, name := range envFiles(n) {
		if _, ok := source.ResolvePath(".", name.Value); !ok {
			l.List.Add(diag.New(diag.BadValue, name.Span, "%q is not a file inside the project", name.Value).
				WithHint("write it relative to the project, with forward slashes; --env-file FILE reads any file"))
		}
	}
}

// envFiles returns the files that env_file names, either one or a list.
func envFiles(n *yamldoc.Node) []ir.Text {
	if file := frontend.Text(n); file.Value != "" {
		return []ir.Text{file}
	}

	return frontend.Texts(n)
}

// EnvFiles returns the files with variables that the config of a project names, relative to the
// project. It returns none if the config cannot be read.
func EnvFiles(project fs.FS) (files []string) {
	content, err := fs.ReadFile(project, configFile)
	if err != nil {
		return nil
	}
	root, _ := yamldoc.Parse(source.NewFile(configFile, content))
	for _, name := range envFiles(root.Value("env_file")) {
		if file, ok := source.ResolvePath(".", name.Value); ok {
			files = append(files, file)
		}
	}

	return files
}

// StoreAddress returns the address of the store of runs from the config of a project. It is "" for
// files, and if the config cannot be read.
func StoreAddress(project fs.FS) string {
	content, err := fs.ReadFile(project, configFile)
	if err != nil {
		return ""
	}
	root, _ := yamldoc.Parse(source.NewFile(configFile, content))

	return frontend.Text(root.Value("store")).Value
}

// storePassword matches a password in the address of a store: after the user, or as a setting.
var storePassword = regexp.MustCompile(`(?:^postgres(?:ql)?://[^/@?]*:|[?&](?:ssl)?password=)([^@&]+)`)

// setOutputFolder sets the folder of the generated Go, which must be inside the project.
func (l *loader) setOutputFolder(output ir.Text) {
	if output.Value == "" {
		return
	}
	folder, ok := source.ResolvePath(".", output.Value)
	if !ok {
		l.List.Add(diag.New(diag.BadValue, output.Span,
			"output %q is not a folder inside the project: write it relative to the project, with forward slashes", output.Value))
		return
	}
	l.Program.Output = folder
}

// setPackageName sets the name of the generated package. Without a name in the config, it is the
// base of output. The schema has checked the characters of the name.
func (l *loader) setPackageName(name, output ir.Text) {
	if name.Value != "" {
		l.Program.Package = name.Value
		if token.IsKeyword(name.Value) || !isImportable(name.Value) {
			l.List.Add(diag.New(diag.BadValue, name.Span, "package %q is a name that no Go file can import", name.Value))
		}
		return
	}

	l.Program.Package = packageFrom(path.Base(l.Program.Output))
	if !token.IsIdentifier(l.Program.Package) || !isImportable(l.Program.Package) {
		l.List.Add(diag.New(diag.BadValue, output.Span, "output %q cannot be turned into the name of a Go package", output.Value).
			WithHint("add the field package"))
	}
}

// isImportable reports whether Go files can import a package with this name.
func isImportable(name string) bool { return name != "main" && name != "_" }

// packageFrom returns the lower-cased letters and digits of base, the name of a folder, as the name
// of a Go package.
func packageFrom(base string) string {
	return strings.Map(func(r rune) rune {
		isLetter := r >= 'a' && r <= 'z'
		isDigit := r >= '0' && r <= '9'
		if isLetter || isDigit || r == '_' {
			return r
		}
		return -1
	}, strings.ToLower(base))
}

func (l *loader) readConfigFile(
	file string, kind validate.Kind, parse func(*source.File) (*yamldoc.Node, []*diag.Diagnostic),
) *yamldoc.Node {
	f := l.ReadFile(file)
	root, findings := parse(f)
	l.List.Add(findings...)
	if root != nil && root.Kind != yamldoc.Null {
		l.Report(f, frontend.ValidateAndFix(kind, root, f))
	}

	return root
}

// lowerReach sets the files, hosts and commands that the built-in tools can reach. Commands run in
// the folder of the file tools.
func (l *loader) lowerReach(config *yamldoc.Node) {
	r := &l.Program.Reach
	r.Root = frontend.Text(config.Value("files").Value("root"))
	r.Hosts = frontend.Texts(config.Value("http").Value("allow"))
	r.RootMax, r.HostsMax = l.ReadSize(config.Value("files").Value("max_bytes")), l.ReadSize(config.Value("http").Value("max_bytes"))
	shell := config.Value("shell")
	r.Shell = shell != nil && shell.Kind == yamldoc.Bool && frontend.Bool(shell)
	if r.Shell && r.Root.Value == "" {
		l.List.Add(diag.New(diag.BadValue, shell.Span, "shell is on, but there is no folder in which commands could run").
			WithHint("add files: {root: ./workspace}"))
	}
}
