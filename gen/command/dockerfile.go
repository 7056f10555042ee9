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

// image is the container image of a binary: files beside it from which it is built.
type image struct {
	// dir is where they go, binary the name of the file there.
	dir, binary string
	// program is what the binary runs.
	program *ir.Program
}

// ours is the first line of the files, by which they are recognised: they are written again as long
// as it is there.
const ours = "# Written by agentc build --dockerfile, which writes it again as long as it has this line."

// nameInImage are the names that mean themselves in a Dockerfile and in a .dockerignore.
var nameInImage = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// folderInImage are the paths that mean themselves in a Dockerfile.
var folderInImage = regexp.MustCompile(`^(/[A-Za-z0-9._-]+)+$`)

// files are the Dockerfile and the .dockerignore. Certificates come from an image that is named
// with its release, since a scratch image has none. What a run needs later, runs, boards and
// files.root, is in folders that belong to the user who runs the binary and that are volumes.
func (i image) files() []templates.File {
	folders := i.volumes()
	owned := slices.DeleteFunc(append([]string{"/data"}, folders...), func(dir string) bool { return strings.HasPrefix(dir, "/data/") })
	owned = slices.Compact(owned)
	values := map[string]string{
		"ours": ours, "binary": i.binary, "folders": strings.Join(folders, " "), "volumes": `"` + strings.Join(folders, `", "`) + `"`,
	}
	// For programs that it starts a scratch image has neither a shell nor a file.
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

// volumes are the folders of the image that are kept, sorted.
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

// packagesOf are the packages of Alpine that have the commands that start most servers.
var packagesOf = map[string]string{
	"node": "nodejs", "npm": "npm", "npx": "npm", "python": "python3", "python3": "python3", "uv": "uv", "uvx": "uv",
	"sh": "", "bash": "", "curl": "",
}

// missing are the commands of servers that the image does not have, each with its server.
func (i image) missing() []string {
	var notes []string
	for _, s := range i.program.Servers {
		if len(s.Command) == 0 {
			continue
		}
		if _, known := packagesOf[s.Command[0]]; !known {
			notes = append(notes, fmt.Sprintf("the image does not have %q, which starts the MCP server %q: add it to the Dockerfile, "+
				"and take its first line away", s.Command[0], s.Name.Value))
		}
	}

	return notes
}

// check finds out, before anything is built, whether the files can be written: one that agentc has
// not written stays.
func (i image) check(c *cli.Call) error {
	if !nameInImage.MatchString(i.binary) {
		return c.Usagef("--dockerfile: %q is not a name for a file in an image: name the binary with -o", i.binary)
	}
	for _, folder := range i.volumes() {
		if !folderInImage.MatchString(folder) {
			return c.Usagef("--dockerfile: files.root %q is not a name for a folder in an image: use letters, digits, '.', '_' and '-'",
				i.program.Reach.Root.Value)
		}
	}
	for _, f := range i.files() {
		file := filepath.Join(i.dir, f.Name)
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !strings.HasPrefix(string(text), ours):
			return c.Usagef("%s exists, and agentc has not written it: name a binary in another folder with -o", c.Rel(file))
		}
	}

	return nil
}

// write writes the files.
func (i image) write(c *cli.Call) error {
	for _, f := range i.files() {
		file := filepath.Join(i.dir, f.Name)
		if err := os.WriteFile(file, f.Content, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(c.Notes(), "%s written\n", c.Rel(file))
	}
	for _, note := range i.missing() {
		say(c, "note: %s", note)
	}

	return nil
}
