//go:build unix

package files

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func link(t testing.TB, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	secret := put(t, "secret", dir, "outside", "key")
	put(t, "inside", root, "sub", "file")
	for name, to := range map[string]string{
		"absolute": secret, "relative": "../outside/key", "folder": "../outside", "up": "..", "chain": "chain2", "chain2": "sub/../../outside/key",
		"loop": "loop", "root": root, "nowhere": "../outside/new", "passwd": "/etc/passwd", "zero": "/dev/zero", "self": "/proc/self/environ",
		"through": "sub/../../root/sub/file",
	} {
		link(t, to, filepath.Join(root, name))
	}
	link(t, "sub/file", filepath.Join(root, "stays"))
	link(t, "sub", filepath.Join(root, "stays too"))
	call := use(t, Tools{Root: root})

	for _, path := range []string{
		"absolute", "relative", "folder/key", "up/outside/key", "chain", "loop", "nowhere", "passwd", "zero", "self", "folder", "up", "root/sub/file",
		"through",
	} {
		if got := call("files_read", "path", path); got.Text != "" || got.Problem == "" || strings.Contains(got.Problem, dir) {
			t.Errorf("read %q: %+v", path, got)
		}
		if got := call("files_write", "path", path, "content", "evil"); got.Problem == "" || strings.Contains(got.Problem, dir) {
			t.Errorf("wrote %q: %+v", path, got)
		}
	}
	for _, path := range []string{"folder/made", "folder/a/b", "up/made", "root/made"} {
		if got := call("files_write", "path", path, "content", "evil"); got.Problem == "" {
			t.Errorf("wrote %q: %+v", path, got)
		}
	}

	for _, path := range []string{"stays", "stays too/file"} {
		if got := call("files_read", "path", path); got.Text != "inside" {
			t.Errorf("read %q: %+v", path, got)
		}
	}
	if got := call("files_write", "path", "stays", "content", "x").Problem; !strings.Contains(got, "is a link") {
		t.Errorf("wrote a link: %q", got)
	}
	if got := call("files_write", "path", "stays too/made", "content", "x").Problem; got != "" {
		t.Errorf("below a link that stays inside: %q", got)
	}

	outside := everything(t, filepath.Join(dir, "outside"))
	if len(outside) != 1 || outside["key"] != "secret" {
		t.Errorf("outside there is %q", outside)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("beside the root there is %v, %v", entries, err)
	}
}

// TestRootIsALink: what the project has named may be one.
func TestRootIsALink(t *testing.T) {
	dir := t.TempDir()
	put(t, "text", dir, "real", "f")
	link(t, "real", filepath.Join(dir, "root"))
	if got := use(t, Tools{Root: filepath.Join(dir, "root")})("files_read", "path", "f"); got.Text != "text" {
		t.Errorf("got %+v", got)
	}
}

func TestDevices(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(root, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	names := []string{"pipe", "socket"}
	const zero = 1<<8 | 5
	err = syscall.Mknod(filepath.Join(root, "zero"), syscall.S_IFCHR|0o666, zero)
	if err == nil {
		names = append(names, "zero")
	} else if !errors.Is(err, syscall.EPERM) {
		t.Fatal(err)
	}

	// A pipe without another end would hold up whoever waits for it: that the test ends is the point.
	call := use(t, Tools{Root: root})
	for _, name := range names {
		want := `"` + name + `" is not a regular file`
		if got := call("files_read", "path", name); got.Problem != want {
			t.Errorf("read %s: %+v", name, got)
		}
		if got := call("files_write", "path", name, "content", "x"); got.Problem != want {
			t.Errorf("wrote %s: %+v", name, got)
		}
	}
}

// growing is a file that has more each time it is read.
type growing struct{ read int }

func (g *growing) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	g.read += len(p)

	return len(p), nil
}

func TestGrowingFile(t *testing.T) {
	file := &growing{}
	text, err := folder{maxSize: 1 << 16}.text("log", file)
	if text != "" || err == nil || !strings.Contains(err.Error(), "too large") || file.read > 1<<17 {
		t.Errorf("read %d bytes, %v", file.read, err)
	}
}

// TestSwap lets somebody else change a folder into a link that leads out and back again while files are read and written.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	put(t, "secret", dir, "outside", "f")
	put(t, "inside", root, "real", "f")
	link(t, "../outside", filepath.Join(root, "out"))
	call := use(t, Tools{Root: root})
	at := filepath.Join(root, "at")

	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, name := range []string{"real", "out"} {
				from := filepath.Join(root, name)
				if os.Rename(from, at) == nil {
					_ = os.Rename(at, from)
				} else {
					_ = os.RemoveAll(at) // a write has made it
				}
			}
		}
	}()
	for i := range 2000 {
		if got := call("files_read", "path", "at/f"); got.Text != "" && got.Text != "inside" {
			t.Errorf("read %q", got.Text)
		}
		if i%20 == 0 {
			call("files_write", "path", "at/f", "content", "inside")
		}
	}
	close(stop)
	<-stopped
	if all := everything(t, filepath.Join(dir, "outside")); len(all) != 1 || all["f"] != "secret" {
		t.Errorf("outside there is %q", all)
	}
}

// TestSwapPipe lets somebody else put a pipe, which holds up whoever opens it, in a file's place and the file back while it is read. That
// the test ends is half of the point.
func TestSwapPipe(t *testing.T) {
	root := t.TempDir()
	pipe, file, at := filepath.Join(root, "pipe"), filepath.Join(root, "file"), filepath.Join(root, "at")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	put(t, "inside", file)
	put(t, "inside", at)
	call := use(t, Tools{Root: root})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, name := range []string{pipe, file} {
				beside := name + ".next"
				_ = os.Link(name, beside)
				_ = os.Rename(beside, at)
			}
		}
	}()
	defer func() {
		close(stop)
		<-stopped
	}()
	for range 5000 {
		if got := call("files_read", "path", "at"); got.Text != "inside" && got.Problem != `"at" is not a regular file` {
			t.Fatalf("got %+v", got)
		}
	}
}

// TestFailedWrite: what cannot be finished leaves the file and its folder as they were.
func TestFailedWrite(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("this user may write everywhere")
	}
	root := t.TempDir()
	put(t, "old", root, "sub", "f")
	if err := os.Chmod(filepath.Join(root, "sub"), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "sub"), 0o755)
	call := use(t, Tools{Root: root})
	if got := call("files_write", "path", "sub/f", "content", "new").Problem; got != `"sub/f" may not be used` {
		t.Errorf("got %q", got)
	}
	if all := everything(t, root); len(all) != 1 || all["sub/f"] != "old" {
		t.Errorf("there is %q", all)
	}
}
