package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// image is the container image of a binary. The files from which it is built are next to the
// binary.
type image struct {
	// dir is the folder of the files, binary the name of the binary in it.
	dir, binary string
	// program is what the binary runs.
	program *ir.Program
}

// dockerfileHeader is the first line of the files. A file with this line may be overwritten.
const dockerfileHeader = "# Written by agentc build --dockerfile, which writes it again as long as it has this line."

// nameInImage matches names that need no quoting in a Dockerfile and a .dockerignore.
var nameInImage = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// folderInImage matches paths that need no quoting in a Dockerfile.
var folderInImage = regexp.MustCompile(`^(/[A-Za-z0-9._-]+)+$`)

// renderFiles returns the Dockerfile and the .dockerignore. Certificates come from an image with a
// fixed release, since a scratch image has none. The folders of runs, blackboards and files.root
// are volumes that belong to the user of the binary.
func (i image) renderFiles() []templates.File {
	folders := i.volumes()
	owned := slices.DeleteFunc(append([]string{"/data"}, folders...), func(dir string) bool { return strings.HasPrefix(dir, "/data/") })
	owned = slices.Compact(owned)
	values := map[string]string{
		"ours": dockerfileHeader, "binary": i.binary, "folders": strings.Join(folders, " "), "volumes": `"` + strings.Join(folders, `", "`) + `"`,
	}
	// A scratch image has no shell, and no files for the programs that the binary starts.
	servers := ir.Where(i.program.Servers, func(s *ir.Server) bool { return len(s.Command) > 0 })
	if i.program.Reach.Shell || len(servers) > 0 {
		packages := append(ir.Map(servers, func(s *ir.Server) string { return packagesOf[s.Command[0]] }), "")
		values["owned"], values["packages"] = strings.Join(owned, " "), strings.Join(ir.Sorted(packages), " ")
		return templates.Fill(templates.ImageWithShell, values)
	}
	for _, dir := range owned {
		values["copies"] += "COPY --from=base --chown=65532:65532 " + dir + " " + dir + "\n"
	}

	return templates.Fill(templates.Image, values)
}

// volumes returns the persistent folders of the image, sorted.
func (i image) volumes() []string {
	folders := []string{"/data/.agentc"}
	root := filepath.ToSlash(i.program.Reach.Root.Value)
	if root == "" {
		return folders
	}
	if !path.IsAbs(root) {
		root = path.Join("/data", root)
	}
	switch root = path.Clean(root); {
	case root == "/data":
		return []string{root}
	case strings.HasPrefix(root, "/data/.agentc/"):
		return folders
	}

	return slices.Sorted(slices.Values(append(folders, root)))
}

// packagesOf maps the usual commands of servers to their packages in Alpine.
var packagesOf = map[string]string{
	"node": "nodejs", "npm": "npm", "npx": "npm", "python": "python3", "python3": "python3", "uv": "uv", "uvx": "uv",
	"sh": "", "bash": "", "curl": "",
}

// missingCommands returns a note for each command of a server that the image does not have.
func (i image) missingCommands() []string {
	var notes []string
	for _, s := range i.program.Servers {
		if len(s.Command) == 0 {
			continue
		}
		if _, known := packagesOf[s.Command[0]]; !known {
			notes = append(notes, fmt.Sprintf("the image does not have %q, which starts the MCP server %q: add it to the Dockerfile, "+
				"and remove the first line of the file", s.Command[0], s.Name.Value))
		}
	}

	return notes
}

// checkWritable reports, before anything is built, why the files cannot be written. A file that
// agentc did not write is not overwritten.
func (i image) checkWritable(c *cli.Call) error {
	if !nameInImage.MatchString(i.binary) {
		return c.Usagef("--dockerfile: %q is not a name for a file in an image: name the binary with -o", i.binary)
	}
	for _, folder := range i.volumes() {
		if !folderInImage.MatchString(folder) {
			return c.Usagef("--dockerfile: files.root %q is not a name for a folder in an image: use letters, digits, '.', '_' and '-'",
				i.program.Reach.Root.Value)
		}
	}
	for _, f := range i.renderFiles() {
		file := filepath.Join(i.dir, f.Name)
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !strings.HasPrefix(string(text), dockerfileHeader):
			return c.Usagef("%s exists, and agentc has not written it: name a binary in another folder with -o", c.Rel(file))
		}
	}

	return nil
}

// writeFiles writes the files.
func (i image) writeFiles(c *cli.Call) error {
	for _, f := range i.renderFiles() {
		file := filepath.Join(i.dir, f.Name)
		if err := os.WriteFile(file, f.Content, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(c.Notes(), "%s written\n", c.Rel(file))
	}
	for _, note := range i.missingCommands() {
		printMessage(c, "note: %s", note)
	}

	return nil
}
