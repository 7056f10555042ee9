package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
)

// token is what opens the pages.
const token = "jina_0123456789abcdef"

// config is what a project says to be answered by the server at address.
const config = `entrypoint: research-pipeline
models: {default: "openai:scholar", thinker: "openai:scholar"}
providers: {openai: {base_url: "%[1]s/v1"}}
http: {allow: ["%[1]s"]}
files: {root: ./workspace}
`

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	fmt.Printf("# agentc.yaml:\n%s\n", fmt.Sprintf(config, address))
	fmt.Printf("export OPENAI_API_KEY=%s JINA_API_KEY=%s\nagentc run \"How do people cool cities?\"\n", modelKey, token)
	go func() {
		if err := http.Serve(listener, newHandler(address)); err != nil {
			log.Fatal(err)
		}
	}()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
}

// newHandler returns the handler that serves the model and the pages.
func newHandler(address string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /v1/chat/completions", serveModel(address))
	mux.HandleFunc("GET /search", requireToken(serveSearch(address)))
	mux.HandleFunc("GET /pages/{name}", requireToken(servePage))

	return mux
}

// requireToken lets the caller who shows the token in.
func requireToken(inside http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		shown, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || shown != token {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintln(w, "show your key")
			return
		}
		inside(w, r)
		fmt.Fprintf(w, "\nYou are signed in with the key %s.\n", shown) // as careless as a server can be
	}
}

// pages are what there is to read, by name: what a search finds by, and the text.
var pages = map[string][2]string{
	"trees": {"trees", "Trees shade a street and give off water: the air below them is up to 5 degrees cooler."},
	"roofs": {"roofs", "A white roof sends most of the light back, and the rooms below it stay 2 degrees cooler."},
	"water": {"trees roofs", "Open water and fountains cool the squares around them by evaporation."},
}

func serveSearch(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked := strings.ToLower(r.URL.Query().Get("q"))
		for _, name := range []string{"trees", "roofs", "water"} {
			for _, word := range strings.Fields(pages[name][0]) {
				if strings.Contains(asked, word) {
					fmt.Fprintf(w, "- [%s](%s/pages/%s)\n", name, address, name)
				}
			}
		}
	}
}

func servePage(w http.ResponseWriter, r *http.Request) {
	found, ok := pages[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	fmt.Fprintf(w, "# About %s\n\n%s\n", r.PathValue("name"), found[1])
}
