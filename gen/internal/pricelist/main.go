// Pricelist writes the table of list prices that package runtime/model has, from a list of models
// in the JSON of LiteLLM's model_prices_and_context_window.json:
//
//	go run ./gen/internal/pricelist -as-of 2026-11-29 FILE|URL
//
// Run it in the root of the repository. It takes the models that a program asks for text at
// providers that list a price for each token, and writes them in two forms: known.json beside this
// file, which is the list without the rest, and runtime/model/pricetable.go, which is known.json as
// Go. Without FILE it writes the Go alone. Look at the difference before it is committed: a wrong
// price is worse than none.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"io"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// knownFile is the list in the form of its source, tableFile the same as Go.
const (
	knownFile = "gen/internal/pricelist/known.json"
	tableFile = "runtime/model/pricetable.go"
)

func main() {
	asOf := flag.String("as-of", "", "the day of the list, such as 2026-11-29")
	flag.Parse()
	if err := update(*asOf, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "pricelist:", err)
		os.Exit(1)
	}
}

// update writes both files from a source, or the Go alone where there is none.
func update(asOf, source string) error {
	if source != "" {
		text, err := read(source)
		if err != nil {
			return err
		}
		known, err := takeFrom(text, asOf)
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		if err := os.WriteFile(knownFile, known, 0o644); err != nil {
			return err
		}
	}
	known, err := os.ReadFile(knownFile)
	if err != nil {
		return err
	}
	table, err := tableOf(known)
	if err != nil {
		return err
	}

	return os.WriteFile(tableFile, table, 0o644)
}

// read returns the text of a file or of an address.
func read(source string) ([]byte, error) {
	const most = 64 << 20
	if !strings.HasPrefix(source, "https://") {
		return os.ReadFile(source)
	}
	client := http.Client{Timeout: time.Minute}
	reply, err := client.Get(source)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", source, reply.Status)
	}

	return io.ReadAll(io.LimitReader(reply.Body, most))
}

// known is the list: the day for which it is right, and the models by their names in the source.
type known struct {
	AsOf   string           `json:"as_of"`
	Models map[string]entry `json:"models"`
}

// entry is what the source says of a model, in dollars for a token.
type entry struct {
	Provider string  `json:"litellm_provider"`
	Mode     string  `json:"mode"`
	Input    float64 `json:"input_cost_per_token"`
	Output   float64 `json:"output_cost_per_token"`
	Cached   float64 `json:"cache_read_input_token_cost,omitempty"`
	Stored   float64 `json:"cache_creation_input_token_cost,omitempty"`
	// Context is a number, or a text where the source only describes the field.
	Context json.RawMessage `json:"max_input_tokens,omitempty"`
}

// context is the most tokens of a request; 0 where that is not known.
func (e *entry) context() int {
	n := 0.0
	if json.Unmarshal(e.Context, &n) != nil || n < 0 || n > 1e9 {
		return 0
	}

	return int(n)
}

// providers are the names that projects have for the providers of the source.
var providers = map[string]string{
	"openai": "openai", "anthropic": "anthropic", "gemini": "gemini", "openrouter": "openrouter",
	"deepseek": "deepseek", "groq": "groq", "mistral": "mistral", "together_ai": "together", "xai": "xai",
}

var (
	// otherTokens are models of which not each token is one of text, or that are priced by
	// something else, too.
	otherTokens = regexp.MustCompile(`audio|realtime|image|search|transcribe|tts|live|embed|moderation|computer-use|deep-research|ft:`)
	// tiered are fields of models whose price depends on the length of the request.
	tiered = regexp.MustCompile(`_above_[0-9]+k_tokens$`)
	// dated is the end of the name of a snapshot.
	dated = regexp.MustCompile(`-[0-9]{4}-?[0-9]{2}-?[0-9]{2}$`)
)

// takeFrom returns the entries of a source that belong into the list, as JSON.
func takeFrom(text []byte, asOf string) ([]byte, error) {
	if _, err := time.Parse(time.DateOnly, asOf); err != nil {
		return nil, fmt.Errorf("-as-of names the day of the list, such as 2026-11-29")
	}
	var source map[string]json.RawMessage
	if err := json.Unmarshal(text, &source); err != nil {
		return nil, err
	}
	list := known{AsOf: asOf, Models: map[string]entry{}}
	for name, raw := range source {
		var e entry
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &e) != nil || json.Unmarshal(raw, &fields) != nil {
			continue // the description of the fields, whose numbers are texts
		}
		if e.isListed(name, fields) {
			list.Models[name] = e
		}
	}
	for name, e := range list.Models { // a snapshot has the price of its model
		model := dated.ReplaceAllString(name, "")
		if of, ok := list.Models[model]; ok && model != name && of.Input == e.Input && of.Output == e.Output {
			delete(list.Models, name)
		}
	}
	if len(list.Models) == 0 {
		return nil, fmt.Errorf("no model of %s is in it", strings.Join(slices.Sorted(mapValues(providers)), ", "))
	}
	out, err := json.MarshalIndent(list, "", "  ")

	return append(out, '\n'), err
}

// mapValues returns the values of a map.
func mapValues(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, value := range m {
			if !yield(value) {
				return
			}
		}
	}
}

// isListed reports whether a model belongs into the list: it is asked for text, and each token has
// one price. Anthropic refuses longer requests where no one has asked for the dearer price.
func (e *entry) isListed(name string, fields map[string]json.RawMessage) bool {
	if _, ok := providers[e.Provider]; !ok || e.Mode != "chat" && e.Mode != "responses" || otherTokens.MatchString(name) {
		return false
	}
	for field := range fields {
		if tiered.MatchString(field) && e.Provider != "anthropic" {
			return false
		}
	}

	return e.Input > 0 && e.Output > 0
}

// tableOf returns the Go of the list.
func tableOf(text []byte) ([]byte, error) {
	var list known
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", knownFile, err)
	}
	type row struct {
		name string
		entry
	}
	var rows []row
	for name, e := range list.Models {
		id := strings.TrimPrefix(name, e.Provider+"/")
		rows = append(rows, row{providers[e.Provider] + ":" + id, e})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.name, b.name) })

	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by gen/internal/pricelist. DO NOT EDIT.\n\npackage model\n\n")
	fmt.Fprintf(&b, "// ListPricesDay is the day for which [ListPrice] is right.\nconst ListPricesDay = %q\n\n", list.AsOf)
	fmt.Fprintf(&b, "// listPrices are sorted by name.\nvar listPrices = []Price{\n")
	for i, r := range rows {
		if i > 0 && rows[i-1].name == r.name {
			return nil, fmt.Errorf("%s is in the list twice", r.name)
		}
		fmt.Fprintf(&b, "\t{Name: %q, Input: %d, Output: %d, Cached: %d, Stored: %d, Context: %d},\n", r.name, millionths(r.Input), millionths(r.Output),
			millionths(cmp.Or(r.Cached, r.Input)), millionths(cmp.Or(r.Stored, r.Input)), r.context())
	}
	b.WriteString("}\n")

	return format.Source(b.Bytes())
}

// millionths is a price in millionths of a dollar for a million tokens, from dollars for one.
func millionths(dollars float64) int64 { return int64(math.Round(dollars * 1e12)) }
