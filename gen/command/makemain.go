package command

import (
	"context"
	"fmt"
	"go/format"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// programDescription describes a program with the user's Go: the package main in a folder, or the
// one that agentc generates for a function.
func (l *linking) programDescription(folder string, made *gopkg.AppFunc) string {
	if made != nil {
		return fmt.Sprintf("the program that agentc made with %s", made)
	}

	return "the program in " + l.p.label(l.c)(folder)
}

// chooseMain decides how agentc generates the package main of a project that has none, and reports
// it. It returns the only function that returns the App. It returns nil if scripts answer all Go;
// then New of the generated package is called. Otherwise it returns an error.
func (l *linking) chooseMain(own gopkg.Program, inModule bool) (*gopkg.AppFunc, error) {
	if len(own.Apps) == 1 {
		l.explainServices(own.Services, fmt.Sprintf("; agentc makes another one, with %s", own.Apps[0]))
		if len(own.Services) == 0 {
			fmt.Fprintf(l.c.Notes(), "no package main of the module is the program; agentc makes one, with %s\n", own.Apps[0])
		}
		return &own.Apps[0], nil
	}
	missing := l.findUnanswered()
	isScripted := l.c.On("script") && len(own.Apps) == 0 // other methods fail where they are called
	if len(missing) == 0 || isScripted {
		l.explainServices(own.Services, "; agentc makes another one")
		return nil, nil
	}

	if len(own.Apps) > 1 {
		l.explainServices(own.Services, "")
		for i, f := range own.Apps {
			own.Apps[i].Folder = l.p.label(l.c)(f.Folder)
		}
		return nil, l.c.Errorf(cli.Problem, "%w", &ManyAppsError{own.Apps})
	}
	l.reportUnanswered(missing)
	l.explainServices(own.Services, "")
	if inModule {
		printMessage(l.c, "no package main of the module imports %s and calls app.Main, and no function without parameters returns its App; "+
			"--main FOLDER names a package main",
			l.p.label(l.c)(l.result.Program.Output))
	}

	return nil, l.c.Exit(cli.Problem)
}

// ManyAppsError means that no package main is the program of the project, but several functions
// could make it.
type ManyAppsError struct {
	// Functions return the App, each without parameters. Their folders are relative to the working
	// directory.
	Functions []gopkg.AppFunc
}

func (e *ManyAppsError) Error() string {
	functions := ir.Map(e.Functions, func(f gopkg.AppFunc) string { return fmt.Sprintf("%s in %s", f, f.Folder) })

	return fmt.Sprintf("several functions could make the program: %s; write func main() { app.Main(...) } with one of them "+
		"in a package main, which --main FOLDER names", strings.Join(functions, ", "))
}

// explainServices reports which programs of the user are not the project's, and the consequence.
func (l *linking) explainServices(folders []string, consequence string) {
	for _, folder := range folders {
		text := fmt.Sprintf("the package main of %s is not an agent program: its main does not call app.Main%s",
			l.p.label(l.c)(folder), consequence)
		if consequence != "" {
			fmt.Fprintln(l.c.Notes(), text)
		} else {
			printMessage(l.c, "%s", text)
		}
	}
}

// generateMain returns a package main for the user's module and its folder, which exists only in an
// overlay. The folder is below the package of the called function, so that it can import an
// internal package.
func (l *linking) generateMain(ctx context.Context, made *gopkg.AppFunc) (folder string, source []byte, err error) {
	const name = "/agentc-main"
	if made != nil {
		source, err = mainSourceCalling(made)
		return made.Folder + name, source, err
	}
	generated, err := gopkg.ImportPath(ctx, l.p.dir, l.result.Program.Output)
	if err != nil {
		return "", nil, err
	}
	source, err = mainSource(l.result.Program, generated)

	return "." + name, source, err
}

// mainSourceCalling returns a package main that runs the App returned by a function of the user.
func mainSourceCalling(made *gopkg.AppFunc) ([]byte, error) {
	imports, body := "", fmt.Sprintf("app.Main(project.%s())", made.Name)
	if made.HasError {
		imports = "\t\"fmt\"\n\t\"os\"\n\n"
		body = fmt.Sprintf("made, err := project.%s()\nif err != nil {\nfmt.Fprintln(os.Stderr, %q, err)\nos.Exit(%d)\n}\napp.Main(made)",
			made.Name, made.String()+":", cli.Problem)
	}

	return format.Source(fmt.Appendf(nil, "package main\n\nimport (\n%s\t%q\n\n\tproject %q\n)\n\nfunc main() {\n%s\n}\n",
		imports, gopkg.Agentc+"/runtime/cli/app", made.ImportPath, body))
}

// mainSource returns a package main that runs the package with the import path generated.
func mainSource(p *ir.Program, generated string) ([]byte, error) {
	return format.Source(fmt.Appendf(nil, "package main\n\nimport (\n\t%q\n\n\tgenerated %q\n)\n\n"+
		"func main() { app.Main(%s) }\n", gopkg.Agentc+"/runtime/cli/app", generated, generatedNewCall(p)))
}
