package command

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// A built binary, alone in an empty folder, runs with a JSON script. Without serve it contains
// nothing of the page of a run.
func TestBuiltBinaryStandsAlone(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, `
-- answers.json --
{"draft": [{"finish": {"key": "good", "value": "{{input}}!"}}]}
`)
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Done, "", "app.exe for "+goruntime.GOOS+"/"+goruntime.GOARCH+"\n")
	binary, err := os.ReadFile(filepath.Join(dir, "app.exe"))
	if err != nil {
		t.Fatal(err)
	}
	for _, ofPage := range []string{`id="data">`, "prefers-color-scheme", "Content-Security-Policy"} {
		if bytes.Contains(binary, []byte(ofPage)) {
			t.Errorf("the binary contains %s", ofPage)
		}
	}
	alone := t.TempDir()
	for _, name := range []string{"app.exe", "answers.json"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(alone, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(alone, "app.exe"), "run", "--script", "answers.json", "x")
	cmd.Dir = alone
	cmd.Env = []string{}
	if out, err := cmd.Output(); err != nil || string(out) != "x!\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestBuildIsReproducible(t *testing.T) {
	target, machine := "linux/arm64", elf.EM_AARCH64
	if testing.Short() {
		target, machine = "linux/amd64", elf.EM_X86_64 // for which other tests compile the standard library, too
	}
	for name, extra := range map[string]string{"bare": "", "module": userModule(t)} {
		var binaries []string
		for _, folder := range []string{"one", "another folder"} {
			dir := unpack(t, filepath.Join(t.TempDir(), folder), critic, extra)
			agentc(dir, "", "build", "--target", target).want(t, cli.Done, "", "critic for "+target+"\n")
			content, err := os.ReadFile(filepath.Join(dir, "critic"))
			if err != nil {
				t.Fatal(err)
			}
			binaries = append(binaries, string(content))
			checkStatic(t, filepath.Join(dir, "critic"), machine)
			if strings.Contains(string(content), dir) {
				t.Errorf("%s: the binary names the folder", name)
			}
		}
		if binaries[0] != binaries[1] {
			t.Errorf("%s: the binaries differ", name)
		}
	}
}

func checkStatic(t *testing.T, name string, machine elf.Machine) {
	t.Helper()
	file, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if libraries, err := file.ImportedLibraries(); file.Machine != machine || len(libraries) > 0 || file.Section(".symtab") != nil {
		t.Errorf("%s: machine %v, libraries %v, %v, symbols %v", name, file.Machine, libraries, err, file.Section(".symtab"))
	}
}

func TestBuildUsage(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, "-- critic/x --\n")
	agentc(dir, "", "build").want(t, cli.Usage, "", "critic is a folder: name the binary with -o")
	agentc(dir, "", "build", "-o", "x", "--target", "plan9/sparc").want(t, cli.Usage, "", "--target: Go builds nothing for plan9/sparc;")
}

// What stands where the binary shall go is not lost, and a place that cannot be had is told before
// anything is built.
func TestPlaceOfTheBinary(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	notes := filepath.Join(dir, "agents", "draft", "AGENT.md")
	before := read(t, notes)
	agentc(dir, "", "build", "-o", "agents/draft/AGENT.md").want(t, cli.Usage, "", "agents/draft/AGENT.md exists and is not a Go program")
	agentc(dir, "", "build", "-o", "agentc.yaml/x").want(t, cli.Failure, "", "agentc: the binary cannot be written: ")
	if read(t, notes) != before {
		t.Error("the file has changed")
	}

	agentc(dir, "", "build", "-o", "new folder/ä").want(t, cli.Done, "", "made the folder new folder\n", "new folder/ä for ")
	elsewhere := filepath.Join(t.TempDir(), "deep", "er", "ä") // its place is printed as it was written
	agentc(dir, "", "build", "-o", elsewhere).want(t, cli.Done, "", "made the folder "+filepath.Dir(elsewhere)+"\n", "\n"+elsewhere+" for ")
	again := agentc(dir, "", "build", "-o", "new folder/ä")
	again.want(t, cli.Done, "", "new folder/ä for ")
	if strings.Contains(again.stderr, "made the folder") {
		t.Errorf("a folder that was there is made: %s", again.stderr)
	}
	if found, err := os.ReadDir(filepath.Join(dir, "new folder")); err != nil || len(found) != 1 {
		t.Errorf("beside the binary: %v, %v", found, err)
	}
}

// A binary is the same wherever and with whatever caches it is built, and says what it was built
// from.
func TestBuildDependsOnSourcesOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library into a cache of its own")
	}
	dir := unpack(t, t.TempDir(), critic)
	agentc(dir, "", "build", "-o", "here").want(t, cli.Done, "")
	want := read(t, filepath.Join(dir, "here"))

	elsewhere := unpack(t, filepath.Join(t.TempDir(), "another place"), critic)
	home := t.TempDir()
	t.Cleanup(func() { makeRemovable(home) })
	for name, folder := range map[string]string{"GOPATH": "path", "GOMODCACHE": "modules", "GOCACHE": "cache", "XDG_CACHE_HOME": "own", "TMPDIR": "tmp"} {
		if err := os.Mkdir(filepath.Join(home, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, filepath.Join(home, folder))
	}
	agentc(elsewhere, "", "build", "-o", "there").want(t, cli.Done, "")
	if read(t, filepath.Join(elsewhere, "there")) != want {
		t.Error("the binaries differ")
	}

	out, err := exec.Command(filepath.Join(elsewhere, "there"), "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"critic\nshape ", "\ntext ", "\nruntime ", "\nbuilt by agentc " + newProgram().Version() + "\n", "\n" + goruntime.Version() + " "} {
		if !strings.Contains(string(out), line) {
			t.Errorf("version lacks %q:\n%s", line, out)
		}
	}
}

// makeRemovable makes the folders of a module cache writable, which it does not want.
func makeRemovable(dir string) {
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o755)
		}
		return nil
	})
}

func TestBuildForOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library for each system")
	}
	dir := unpack(t, t.TempDir(), critic)
	for target, begins := range map[string]string{"darwin/arm64": "\xcf\xfa\xed\xfe", "windows/amd64": "MZ"} {
		agentc(dir, "", "build", "-o", "app", "--target", target).want(t, cli.Done, "", "app for "+target+"\n")
		if !strings.HasPrefix(read(t, filepath.Join(dir, "app")), begins) {
			t.Errorf("%s: this is no program for it", target)
		}
	}
}

// The binary runs where there is nothing else: no C library, no /tmp, no /etc, no shell.
func TestBinaryInAnEmptyRoot(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	root := filepath.Join(dir, "root")
	agentc(dir, "", "build", "-o", "root/app").want(t, cli.Done, "")
	script := `{"draft": [{"finish": {"key": "bad", "value": "{{input}}"}}, {"finish": {"key": "good", "value": "{{input}}!"}}],
		"refine": [{"finish": {"key": "done", "value": "{{input}}?"}}]}`
	if err := os.WriteFile(filepath.Join(root, "answers.json"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	inRoot := func(args ...string) *exec.Cmd {
		cmd := exec.Command("unshare", append([]string{"--map-root-user", "--root=" + root, "--wd=/", "/app"}, args...)...)
		cmd.Env = []string{}
		return cmd
	}
	if out, err := inRoot("version").CombinedOutput(); err != nil {
		t.Skipf("no other root can be had here: %v\n%s", err, out)
	}
	cmd := inRoot("run", "--script", "answers.json", "x")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || string(out) != "x?!\n" || !strings.Contains(stderr.String(), "critic: draft --bad--> refine\n") {
		t.Errorf("%q, %v\n%s", out, err, stderr.String())
	}
	if out, err := inRoot("runs", "--status", "done").Output(); err != nil || strings.Count(string(out), "\n") != 2 {
		t.Errorf("the run is not kept: %q, %v", out, err)
	}
}

// TestImages: an image has the folders that a run needs as volumes, and a shell where the program
// runs commands.
func TestImages(t *testing.T) {
	text := func(value string) ir.Text { return ir.Text{Value: value} }
	for name, c := range map[string]struct {
		program ir.Program
		lines   []string
		without string
		missing int
	}{
		"files": {ir.Program{Reach: ir.Reach{Root: text("./workspace")}}, []string{
			"FROM scratch", `VOLUME ["/data/.agentc", "/data/workspace"]`, "COPY --from=base --chown=65532:65532 /data /data",
			"RUN apk add --no-cache ca-certificates && mkdir -p /data/.agentc /data/workspace",
		}, "bash", 0},
		"files everywhere": {ir.Program{Reach: ir.Reach{Root: text(".")}}, []string{"FROM scratch", `VOLUME ["/data"]`}, "bash", 0},
		"files elsewhere": {ir.Program{Reach: ir.Reach{Root: text("/srv/files")}}, []string{
			`VOLUME ["/data/.agentc", "/srv/files"]`, "COPY --from=base --chown=65532:65532 /srv/files /srv/files",
		}, "bash", 0},
		"shell": {ir.Program{Reach: ir.Reach{Root: text("ws"), Shell: true}}, []string{
			"FROM alpine:3.22", "COPY critic /critic", "USER 65532:65532", `VOLUME ["/data/.agentc", "/data/ws"]`, `ENTRYPOINT ["/critic"]`,
			"RUN apk add --no-cache bash ca-certificates curl && mkdir -p /data/.agentc /data/ws && chown -R 65532:65532 /data",
		}, "scratch", 0},
		"servers": {ir.Program{Servers: []*ir.Server{
			{Name: text("a"), Command: []string{"npx", "-y", "a"}}, {Name: text("b"), Command: []string{"./b"}}, {Name: text("c"), URL: "https://c"},
		}}, []string{
			"FROM alpine:3.22", "RUN apk add --no-cache bash ca-certificates curl npm && mkdir -p /data/.agentc && chown -R 65532:65532 /data",
		}, "scratch", 1},
		"a server elsewhere": {ir.Program{Servers: []*ir.Server{{Name: text("c"), URL: "https://c"}}}, []string{"FROM scratch"}, "bash", 0},
	} {
		in := image{binary: "critic", program: &c.program}
		got := string(in.renderFiles()[0].Content)
		for _, line := range c.lines {
			if !strings.Contains(got, "\n"+line+"\n") {
				t.Errorf("%s: no line %q:\n%s", name, line, got)
			}
		}
		if strings.Contains(got, c.without) || len(in.missingCommands()) != c.missing {
			t.Errorf("%s: %q\n%s", name, in.missingCommands(), got)
		}
	}
}

func TestDockerfile(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	for range 2 { // what agentc has written it writes again
		agentc(dir, "", "build", "-o", "image/critic", "--dockerfile", "--target", "linux/amd64").want(t, cli.Done, "",
			"image/critic for linux/amd64\n", "image/Dockerfile written\n", "image/.dockerignore written\n")
	}
	text := read(t, filepath.Join(dir, "image", "Dockerfile"))
	for _, line := range []string{
		"FROM scratch", "COPY critic /critic", "USER 65532:65532", `VOLUME ["/data/.agentc"]`, `ENTRYPOINT ["/critic"]`,
		"COPY --from=base /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt",
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %q:\n%s", line, text)
		}
	}
	if got := read(t, filepath.Join(dir, "image", ".dockerignore")); !strings.HasSuffix(got, "\n*\n!critic\n") {
		t.Errorf(".dockerignore: %q", got)
	}

	agentc(dir, "", "build", "--dockerfile", "--target", "darwin/arm64").want(t, cli.Usage, "", "an image is for linux")
	odd := unpack(t, t.TempDir(), critic, "-- agentc.yaml --\nfiles: {root: \"a b\"}\n")
	agentc(odd, "", "build", "--dockerfile").want(t, cli.Usage, "", `files.root "a b" is not a name for a folder in an image`)
	agentc(dir, "", "build", "--dockerfile", "-o", "a b").want(t, cli.Usage, "", `"a b" is not a name for a file in an image`)
	for _, name := range []string{"Dockerfile", ".dockerignore"} {
		mine := unpack(t, t.TempDir(), critic, "-- "+name+" --\n# mine\n")
		agentc(mine, "", "build", "--dockerfile").want(t, cli.Usage, "", name+" exists, and agentc has not written it")
		if found, _ := filepath.Glob(filepath.Join(mine, "critic*")); len(found) > 0 || read(t, filepath.Join(mine, name)) != "# mine\n" {
			t.Errorf("%s: something was written: %v", name, found)
		}
	}
}
