package app

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// database is a part that opens stores, and remembers their addresses.
type database struct {
	kind   string
	opened *[]string
}

func (d database) Part() string { return d.kind }

func (d database) OpenStore(address string) (journal.Store, error) {
	*d.opened = append(*d.opened, address)
	if strings.Contains(address, "wrong") {
		return nil, errors.New("the address is wrong")
	}

	return journal.Memory(), nil
}

func TestStores(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"PW": "s3cret", "URL": "postgresql://app:s3cret@db/app"}
	for _, c := range []struct{ flag, variable, project, opened, shown, problem string }{
		{"", "", "", "", filepath.Join(dir, ".agentc", "runs"), ""},
		{"here", "there", "sqlite:x", "", filepath.Join(dir, "here"), ""},
		{"", "there", "sqlite:x", "", filepath.Join(dir, "there"), ""},
		{"none", "there", "sqlite:x", "", "none", ""},
		{"", "", "sqlite:x.db?lease=5s", "sqlite:" + filepath.Join(dir, "x.db?lease=5s"), "sqlite:x.db?lease=5s", ""},
		{"sqlite:y", "", "", "sqlite:" + filepath.Join(dir, "y"), "sqlite:y", ""},
		{"", "", "postgres://app:${PW}@db/app?password=${PW}", "postgres://app:s3cret@db/app?password=s3cret", "postgres://app:xxxxx@db/app", ""},
		{"", "", "postgres:${URL}", "postgresql://app:s3cret@db/app", "postgresql://app:xxxxx@db/app", ""},
		{"postgres://app:s3/cr@et@db/app", "", "", "postgres://app:s3/cr@et@db/app", "postgres:...", ""},
		{"postgres://app:s3?cr@et@db/app", "", "", "postgres://app:s3?cr@et@db/app", "postgres:...", ""},
		{"postgres://app@db:5432/app?password=s3cret", "", "", "postgres://app@db:5432/app?password=s3cret", "postgres://app@db:5432/app", ""},
		{"postgres://app:s3#cret@[::1]:5432/", "", "", "postgres://app:s3#cret@[::1]:5432/", "postgres://app:xxxxx@[::1]:5432/", ""},
		{"postgres://app:s3cret/app", "", "", "postgres://app:s3cret/app", "postgres:...", ""},
		{"postgres:host=db password=s3cret", "", "", "postgres:host=db password=s3cret", "postgres:...", ""},
		{"", "", "postgres://app:${NONE}@db/app", "", "", "needs the variable NONE, which is not set"},
		{"sqlite:wrong", "", "", "sqlite:" + filepath.Join(dir, "wrong"), "sqlite:wrong", "the address is wrong"},
		{"mysql://app:s3cret@db", "", "", "", "", "not mysql://..."},
	} {
		var opened []string
		var stderr bytes.Buffer
		p := &compiled.Program{Store: c.project, Parts: []compiled.Part{database{"sqlite", &opened}, database{"postgres", &opened}}}
		getenv := func(name string) string {
			if name == StoreVariable {
				return c.variable
			}
			return env[name]
		}
		program := &cli.Program{Name: "desk", Commands: []*cli.Command{{Name: "runs", Flags: []cli.Flag{storeFlag()}, Run: func(call *cli.Call) error {
			if _, err := (RunsCall{call, p}).Store(); err != nil {
				return err
			}
			if shown := storePlace(call, p); shown != c.shown {
				t.Errorf("%+v: it is shown as %s", c, shown)
			}
			return nil
		}}}}
		args := []string{"runs"}
		if c.flag != "" {
			args = append(args, "--store", c.flag)
		}
		code := program.Run(&cli.Env{Stdin: strings.NewReader(""), Stdout: &stderr, Stderr: &stderr, Dir: dir, Getenv: getenv}, args)
		if (code == cli.Done) != (c.problem == "") || !strings.Contains(stderr.String(), c.problem) || strings.Contains(stderr.String(), "s3cret") {
			t.Errorf("%+v: code %d, %s", c, code, &stderr)
		}
		if got := strings.Join(opened, " "); got != c.opened {
			t.Errorf("%+v: %q was opened", c, got)
		}
	}
}

// A program without the part for a store says what it lacks, and so does a command line.
func TestStoresWithoutTheirPart(t *testing.T) {
	for store, want := range map[string]string{
		"sqlite:x":     "cannot open stores of sqlite: a line store: sqlite:PATH in agentc.yaml",
		"postgres://h": "cannot open stores of postgres: a line store: postgres://HOST/DATABASE in agentc.yaml",
	} {
		var stderr bytes.Buffer
		code := Options{}.Run(desk{}, []string{"runs", "--store", store}, strings.NewReader(""), &stderr, &stderr)
		if code != cli.Usage || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: code %d, %s", store, code, &stderr)
		}
	}
}
