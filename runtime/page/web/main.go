// Web makes the page's script and style of their sources in src, for the folder above:
//
//	go run .
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	files, err := bundle()
	for name, text := range files {
		if err == nil {
			err = os.WriteFile("../"+name, text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bundle returns what is made of the sources, by the names of the files.
func bundle() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, source := range map[string]string{"page.js": "src/main.js", "page.css": "src/page.css"} {
		built := api.Build(api.BuildOptions{
			EntryPoints: []string{source}, Bundle: true, MinifySyntax: true, MinifyWhitespace: true, MinifyIdentifiers: true,
			Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetASCII, LegalComments: api.LegalCommentsNone,
		})
		if len(built.Errors) > 0 {
			return nil, errors.New(api.FormatMessages(built.Errors, api.FormatMessagesOptions{})[0])
		}
		files[name] = built.OutputFiles[0].Contents
	}

	return files, nil
}
