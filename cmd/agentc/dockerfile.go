package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// image is the container image of a binary: files beside it from which it is built.
type image struct {
	// dir is where they go, binary the name of the file there.
	dir, binary string
}

// ours is the first line of the files, by which they are known again: they are written anew as long as it stands there.
const ours = "# Written by agentc build --dockerfile, which writes it anew as long as this line stands here."

// nameInImage are the names that mean themselves in a Dockerfile and in a .dockerignore.
var nameInImage = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// files are the texts by name. Certificates come from an image that is named with its release, since a scratch image has none; what
// belongs to the person who runs the binary is a folder, for a volume to be laid over it.
func (i image) files() map[string]string {
	return map[string]string{
		"Dockerfile": ours + `
FROM alpine:3.22 AS base
RUN apk add --no-cache ca-certificates && mkdir -p /data/.agentc/runs

FROM scratch
COPY --from=base /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=base --chown=65532:65532 /data /data
COPY ` + i.binary + ` /` + i.binary + `
USER 65532:65532
WORKDIR /data
VOLUME /data/.agentc/runs
ENTRYPOINT ["/` + i.binary + `"]
`,
		".dockerignore": ours + "\n*\n!" + i.binary + "\n",
	}
}

// place finds out, before anything is built, whether the files can be written: one of somebody else's stays.
func (i image) place(c *cli.Call) (code int, ok bool) {
	if !nameInImage.MatchString(i.binary) {
		return c.Usagef("--dockerfile: %q is no name for a file in an image: name the binary with -o", i.binary), false
	}
	for name := range i.files() {
		file := filepath.Join(i.dir, name)
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return c.Errorf(cli.Failure, "%v", err), false
		case !strings.HasPrefix(string(text), ours):
			return c.Usagef("%s exists, and agentc has not written it: name a binary in another folder with -o", c.Rel(file)), false
		}
	}

	return cli.Done, true
}

// write writes the files that are not as they should be.
func (i image) write(c *cli.Call) int {
	files := i.files()
	for _, name := range []string{"Dockerfile", ".dockerignore"} {
		file := filepath.Join(i.dir, name)
		if err := os.WriteFile(file, []byte(files[name]), 0o666); err != nil {
			return c.Errorf(cli.Failure, "%v", err)
		}
		fmt.Fprintf(c.Stderr, "%s written\n", c.Rel(file))
	}

	return cli.Done
}
