package fix

import (
	"bytes"
	"io/fs"
)

// overlay is a folder with other contents of some files. It answers what compilations ask; sizes and times are those of the
// folder.
type overlay struct {
	fs.FS
	changed map[string][]byte
}

// Open implements [fs.FS].
func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	if content, ok := o.changed[name]; ok && err == nil {
		return opened{File: f, content: bytes.NewReader(content)}, nil
	}

	return f, err
}

// Lstat implements [fs.ReadLinkFS].
func (o overlay) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(o.FS, name) }

// ReadLink implements [fs.ReadLinkFS].
func (o overlay) ReadLink(name string) (string, error) { return fs.ReadLink(o.FS, name) }

// opened is a file with another content.
type opened struct {
	fs.File
	content *bytes.Reader
}

// Read implements [fs.File].
func (f opened) Read(p []byte) (int, error) { return f.content.Read(p) }
