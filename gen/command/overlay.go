package command

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// overlay maps absolute paths to the contents that go build sees there instead of the files on the
// disk.
type overlay map[string][]byte

// writeFlags writes the overlay into a folder and returns the flags for go build.
func (o overlay) writeFlags(dir string) ([]string, error) {
	if len(o) == 0 {
		return nil, nil
	}
	var err error
	replace := map[string]string{}
	for path, content := range o {
		replace[path] = filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		err = errors.Join(err, os.WriteFile(replace[path], content, 0o666))
	}
	text, marshalErr := json.Marshal(map[string]map[string]string{"Replace": replace})
	file := filepath.Join(dir, "overlay.json")

	return []string{"-overlay", file}, errors.Join(err, marshalErr, os.WriteFile(file, text, 0o666))
}
