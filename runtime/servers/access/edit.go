package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// tokenPrefix lets people and scanners for secrets recognise a token.
const tokenPrefix = "agentc_"

// Add adds a token to a tokens file, which is made if it does not exist, and returns the token: the file has its hash.
// Comments of the file stay. Errors: *FileError; those of the operating system.
func Add(path string, g Grant) (token string, err error) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
	added := holder{hash: sha256.Sum256([]byte(token)), grant: g}
	err = editFile(path, func(old string, c *content) (string, error) {
		problem := checkName(g.Name)
		if problem == "" {
			problem = c.addHolder(added)
		}
		if problem != "" {
			return "", &FileError{File: path, Problem: problem}
		}
		if !c.isBlock || len(c.holders) == 1 {
			return c.formatFile(), nil
		}
		lines := strings.SplitAfter(strings.TrimSuffix(old, "\n")+"\n", "\n")
		after := c.holders[len(c.holders)-2].last

		return strings.Join(slices.Insert(lines, after, added.formatItem(strings.Repeat(" ", c.indent))), ""), nil
	})
	if err != nil {
		return "", err
	}

	return token, nil
}

// Revoke removes a token from a tokens file. Comments of the file stay. Errors: *FileError, also if no token has the
// name; those of the operating system.
func Revoke(path, name string) error {
	return editFile(path, func(old string, c *content) (string, error) {
		at := slices.IndexFunc(c.holders, func(h holder) bool { return h.grant.Name == name })
		if at < 0 {
			return "", &FileError{File: path, Problem: fmt.Sprintf("no token has the name %q", name)}
		}
		revoked := c.holders[at]
		c.holders = slices.Delete(c.holders, at, at+1)
		if !c.isBlock || len(c.holders) == 0 {
			return c.formatFile(), nil
		}
		lines := strings.SplitAfter(old, "\n")

		return strings.Join(slices.Delete(lines, revoked.line-1, revoked.last), ""), nil
	})
}

// editFile replaces a tokens file in one step by what change makes of it. The content that change leaves behind is what the new
// text has to say.
func editFile(path string, change func(old string, c *content) (string, error)) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays
	}
	unlock, err := lockFile(path)
	if err != nil {
		return err
	}
	defer unlock()
	old := ""
	c, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c = &content{isFull: true}
	case err != nil:
		return err
	case !c.isFull:
		return &FileError{File: path, Problem: "it has lines NAME=TOKEN: edit it by hand, or name another file, which has hashes of tokens"}
	default:
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		old = strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
	}
	text, err := change(old, c)
	if err != nil {
		return err
	}
	if made, err := parseFile(path, text); err != nil || !slices.EqualFunc(made.holders, c.holders, holder.equal) {
		return &FileError{File: path, Problem: "it cannot be edited here, because of its form: edit it by hand"}
	}

	return replaceFile(path, text)
}

// equal reports whether two holders have the same token and may do the same.
func (h holder) equal(other holder) bool {
	return h.hash == other.hash && h.grant.Name == other.grant.Name && slices.Equal(h.grant.Rights, other.grant.Rights) &&
		slices.Equal(h.formatLists(), other.formatLists())
}

// formatLists returns the lists of agents, questions and machines, as they are written.
func (h holder) formatLists() []string {
	return []string{writeList(h.grant.Agents), writeList(h.grant.Questions), writeList(h.grant.Machines)}
}

// lockTime is how long a command waits for another one that edits the file.
const (
	lockTime  = 10 * time.Second
	lockPause = 10 * time.Millisecond
)

// lockFile keeps other commands from editing the file until unlock, by a lock file in the same
// folder, which stays.
func lockFile(path string) (unlock func(), err error) {
	if err := files.MakeFolder(files.OS, filepath.Dir(path)); err != nil {
		return nil, err
	}
	file, err := files.OS.Open(path + ".lock")
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(lockTime); ; time.Sleep(lockPause) {
		ok, err := file.TryLock()
		switch {
		case err == nil && ok:
			return func() { _ = file.Close() }, nil
		case err == nil && time.Now().Before(deadline):
			continue
		case err == nil:
			err = &FileError{File: path, Problem: "another command edits it"}
		}

		return nil, errors.Join(err, file.Close())
	}
}

// replaceFile puts a file with a text into the place of another, readable for its owner only, in one step.
func replaceFile(path, text string) (err error) {
	made, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // has mode 0600
	if err != nil {
		return err
	}
	_, err = made.WriteString(text)
	if err == nil {
		err = made.Sync()
	}
	err = errors.Join(err, made.Close())
	if err == nil {
		err = files.OS.Rename(made.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(made.Name()))
	}

	return files.OS.SyncFolder(filepath.Dir(path))
}

// formatFile returns the whole file in the form that commands write.
func (c *content) formatFile() string {
	if len(c.holders) == 0 {
		return "tokens: []\n"
	}
	var b strings.Builder
	b.WriteString("tokens:\n")
	for _, h := range c.holders {
		b.WriteString(h.formatItem("  "))
	}

	return b.String()
}

// formatItem returns the token as an item of a list.
func (h holder) formatItem(indent string) string {
	rights := make([]string, len(h.grant.Rights))
	for i, right := range h.grant.Rights {
		rights[i] = string(right)
	}
	lines := []string{
		"- name: " + writeText(h.grant.Name), `  sha256: "` + hex.EncodeToString(h.hash[:]) + `"`, "  rights: " + writeList(rights),
		"  agents: " + writeList(h.grant.Agents), "  questions: " + writeList(h.grant.Questions), "  machines: " + writeList(h.grant.Machines),
	}

	return indent + strings.Join(lines, "\n"+indent) + "\n"
}

func writeList(texts []string) string {
	written := make([]string, len(texts))
	for i, text := range texts {
		written[i] = writeText(text)
	}

	return "[" + strings.Join(written, ", ") + "]"
}

const letters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// writeText returns a text as YAML, in quotes unless it reads as itself without.
func writeText(text string) string {
	rest := strings.TrimLeft(text, letters)
	isWord := rest != text && strings.Trim(rest, letters+"0123456789-.") == ""
	if isWord && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(text)) {
		return text
	}

	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
