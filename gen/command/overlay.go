package command

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// overlay is what go build sees over the files of a module: contents by absolute path. Nothing of
// it is written there.
type overlay map[string][]byte

// flags puts the overlay into a folder and returns the flags by which go build sees it.
func (o overlay) flags(dir string) ([]string, error) {
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
