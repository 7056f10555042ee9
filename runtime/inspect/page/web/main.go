// Web makes the page's script and style of their sources in src, for the folder above:
//
//	go run .
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
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
	nodes, err := eventNodes()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name, source := range map[string]string{"page.js": "src/main.js", "page.css": "src/page.css"} {
		built := api.Build(api.BuildOptions{
			EntryPoints: []string{source}, Define: map[string]string{"EVENT_NODES": nodes}, Bundle: true, MinifySyntax: true, MinifyWhitespace: true, MinifyIdentifiers: true,
			Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetASCII, LegalComments: api.LegalCommentsNone,
		})
		if len(built.Errors) > 0 {
			return nil, errors.New(api.FormatMessages(built.Errors, api.FormatMessagesOptions{})[0])
		}
		files[name] = built.OutputFiles[0].Contents
	}

	return files, nil
}

// eventNode is what the script knows of the nodes of a kind of events. It has no title where the script has a function for it.
type eventNode struct {
	Word  string         `json:"word"`
	Title string         `json:"title,omitempty"`
	Tone  eventkind.Tone `json:"tone,omitempty"`
}

// eventNodes returns the nodes of events by their kinds, as JSON.
func eventNodes() (string, error) {
	nodes := map[string]eventNode{}
	for _, k := range eventkind.All {
		if k.Node == nil {
			continue
		}
		n := eventNode{Word: k.Node.Word, Tone: k.Node.Tone}
		if k.Node.Title != eventkind.ByCode {
			n.Title = k.Node.Title
		}
		nodes[k.Node.Kind] = n
	}
	text, err := json.Marshal(nodes)

	return string(text), err
}
