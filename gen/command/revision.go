package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// revision is a folder of a git commit.
type revision struct {
	// top is the folder of the working tree, commit the hash, and folder the slash-separated path
	// in the tree.
	top, commit, folder string
}

// findRevision finds REV or REV:DIR in the repository of the working directory.
func findRevision(c *cli.Call, name string) (*revision, error) {
	rev, folder, isNamed := strings.Cut(name, ":")
	missing := func(why string) error { return c.Usagef("%s is neither a folder nor a git revision: %s", name, why) }
	top, err := runGit(c.Dir, nil, "rev-parse", "--show-toplevel")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, missing("git is not installed")
	}
	if err != nil {
		return nil, missing("there is no git repository here")
	}
	commit, err := runGit(c.Dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil || rev == "" {
		return nil, missing("there is no revision " + rev)
	}
	if !isNamed {
		folder, err = runGit(c.Dir, nil, "rev-parse", "--show-prefix")
		if err != nil {
			return nil, err
		}
	}
	folder = path.Clean(strings.TrimSuffix(folder, "/"))
	if !filepath.IsLocal(filepath.FromSlash(folder)) {
		return nil, c.Usagef("%s is not in the repository", name)
	}
	if kind, err := runGit(c.Dir, nil, "cat-file", "-t", commit+":"+strings.TrimPrefix(folder, ".")); err != nil || kind != "tree" {
		return nil, c.Errorf(cli.Problem, "%s has no folder %s", rev, folder)
	}

	return &revision{top, commit, folder}, nil
}

// checkOutFiles writes the files of the folder to dir/files, as git checks them out. It does not
// change the index of the repository.
func (r *revision) checkOutFiles(dir string) error {
	files := filepath.Join(dir, "files")
	if err := os.Mkdir(files, 0o777); err != nil {
		return err
	}
	_, err := runGit(r.top, []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}, "--literal-pathspecs", "--work-tree="+files,
		"checkout", "--quiet", "--ignore-skip-worktree-bits", r.commit, "--", r.folder)

	return err
}

// runGit runs git in a folder and returns its output without the final newline.
func runGit(dir string, environ []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environ...)
	text, err := runCommandOutput(cmd)

	return strings.TrimSuffix(text, "\n"), err
}

// runCommandOutput runs a command and returns its output. The error is the text on stderr, if any.
func runCommandOutput(cmd *exec.Cmd) (string, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if message := strings.TrimSpace(stderr.String()); err != nil && message != "" {
		err = errors.New(message)
	}

	return string(text), err
}
