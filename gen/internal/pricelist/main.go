// Pricelist generates the table of list prices of package runtime/model from a list of models in
// the JSON of LiteLLM's model_prices_and_context_window.json:
//
//	go run ./gen/internal/pricelist -as-of 2026-11-29 FILE|URL
//
// Run it in the root of the repository. It selects the text models of providers that list a price
// for each token, and writes two files: known.json in its own folder is the selected part of the
// list, and runtime/model/pricetable.go is known.json as Go. Without FILE it writes only the Go.
// Review the difference before you commit it: a wrong price is worse than none.
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

// listFile is the list in the form of its source, tableFile the same as Go.
const (
	listFile  = "gen/internal/pricelist/known.json"
	tableFile = "runtime/model/pricetable.go"
)

func main() {
	asOf := flag.String("as-of", "", "the day of the list, such as 2026-11-29")
	flag.Parse()
	if err := updateFiles(*asOf, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "pricelist:", err)
		os.Exit(1)
	}
}

// updateFiles writes both files from a source, or only the Go without one.
func updateFiles(asOf, source string) error {
	if source != "" {
		text, err := readSource(source)
		if err != nil {
			return err
		}
		known, err := selectEntries(text, asOf)
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		if err := os.WriteFile(listFile, known, 0o644); err != nil {
			return err
		}
	}
	known, err := os.ReadFile(listFile)
	if err != nil {
		return err
	}
	table, err := generateTable(known)
	if err != nil {
		return err
	}

	return os.WriteFile(tableFile, table, 0o644)
}

// readSource returns the text of a file or an https address.
func readSource(source string) ([]byte, error) {
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

// priceList is the list: its date, and the models by their names in the source.
type priceList struct {
	AsOf   string           `json:"as_of"`
	Models map[string]entry `json:"models"`
}

// entry is a model in the source, with prices in dollars for a token.
type entry struct {
	Provider string  `json:"litellm_provider"`
	Mode     string  `json:"mode"`
	Input    float64 `json:"input_cost_per_token"`
	Output   float64 `json:"output_cost_per_token"`
	Cached   float64 `json:"cache_read_input_token_cost,omitempty"`
	Stored   float64 `json:"cache_creation_input_token_cost,omitempty"`
	// Context is a number, or a text in the description of the fields.
	Context json.RawMessage `json:"max_input_tokens,omitempty"`
}

// maxContext returns the largest number of tokens of a request; 0 if unknown.
func (e *entry) maxContext() int {
	n := 0.0
	if json.Unmarshal(e.Context, &n) != nil || n < 0 || n > 1e9 {
		return 0
	}

	return int(n)
}

// providers maps providers of the source to their names in projects.
var providers = map[string]string{
	"openai": "openai", "anthropic": "anthropic", "gemini": "gemini", "openrouter": "openrouter",
	"deepseek": "deepseek", "groq": "groq", "mistral": "mistral", "together_ai": "together", "xai": "xai",
}

var (
	// otherTokens matches models with tokens other than text, or with further prices.
	otherTokens = regexp.MustCompile(`audio|realtime|image|search|transcribe|tts|live|embed|moderation|computer-use|deep-research|ft:`)
	// tiered matches fields of models whose price depends on the length of the request.
	tiered = regexp.MustCompile(`_above_[0-9]+k_tokens$`)
	// snapshotDate matches the end of the name of a snapshot.
	snapshotDate = regexp.MustCompile(`-[0-9]{4}-?[0-9]{2}-?[0-9]{2}$`)
)

// selectEntries returns the listed entries of a source as JSON.
func selectEntries(text []byte, asOf string) ([]byte, error) {
	if _, err := time.Parse(time.DateOnly, asOf); err != nil {
		return nil, fmt.Errorf("-as-of must be the date of the list, such as 2026-11-29")
	}
	var source map[string]json.RawMessage
	if err := json.Unmarshal(text, &source); err != nil {
		return nil, err
	}
	list := priceList{AsOf: asOf, Models: map[string]entry{}}
	for name, raw := range source {
		var e entry
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &e) != nil || json.Unmarshal(raw, &fields) != nil {
			continue // this is the description of the fields, whose values are texts
		}
		if e.isListed(name, fields) {
			list.Models[name] = e
		}
	}
	for name, e := range list.Models { // a snapshot has the price of its model
		model := snapshotDate.ReplaceAllString(name, "")
		if base, ok := list.Models[model]; ok && model != name && base.hasPrices(e) {
			delete(list.Models, name)
		}
	}
	if len(list.Models) == 0 {
		return nil, fmt.Errorf("it has no model of %s", strings.Join(slices.Sorted(mapValues(providers)), ", "))
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

// isListed reports whether a model belongs into the list: it answers with text, and all its tokens
// have one price. Anthropic refuses longer requests unless the higher price was accepted.
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

// generateTable returns the Go of the list.
func generateTable(text []byte) ([]byte, error) {
	var list priceList
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", listFile, err)
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
			millionths(cmp.Or(r.Cached, r.Input)), millionths(cmp.Or(r.Stored, r.Input)), r.maxContext())
	}
	b.WriteString("}\n")

	return format.Source(b.Bytes())
}

// millionths converts dollars for a token to millionths of a dollar for a million tokens.
func millionths(dollars float64) int64 { return int64(math.Round(dollars * 1e12)) }

// hasPrices reports whether two models have the same prices for input and output.
func (e entry) hasPrices(other entry) bool { return e.Input == other.Input && e.Output == other.Output }
