package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// pricesVariable names a file whose prices replace those with which the program was built: prices
// change more often than programs.
const pricesVariable = "AGENTC_PRICES"

// findPrices finds the prices of a run: those of Go code, else of the file that the environment
// names, else of the program. List prices are for models that these do not have.
func (r *run) findPrices() error {
	if r.priceOf != nil {
		return nil
	}
	prices := &model.Prices{}
	if r.program != nil && r.program.Prices != nil {
		prices = r.program.Prices
	}
	if file, ok := r.engine.config.Env(pricesVariable); ok && file != "" {
		var err error
		prices, err = readPrices(file)
		if err != nil {
			return &runtime.BadSettingError{Name: pricesVariable, Value: file, Problem: "cannot be used: " + err.Error()}
		}
	}
	r.priceOf = PriceIn(prices.Models)

	return nil
}

// PriceIn returns a function that looks up prices by the names of models. List prices are for
// models without one.
func PriceIn(models []model.Price) func(name string) (price Price, known bool) {
	return func(name string) (Price, bool) {
		if price, known := priceIn(models, name); known {
			return price, true
		}
		listed, known := model.ListPrice(name)
		price := priceOf(&listed)
		price.Listed = known

		return price, known
	}
}

// priceIn returns the price of a model: its own entry, else the entry with the longest prefix of
// its name, which ends in *.
func priceIn(models []model.Price, name string) (price Price, known bool) {
	longest := -1
	for i := range models {
		m := &models[i]
		start, open := strings.CutSuffix(m.Name, "*")
		switch {
		case !open && m.Name == name:
			return priceOf(m), true
		case open && strings.HasPrefix(name, start) && len(start) > longest:
			price, known, longest = priceOf(m), true, len(start)
		}
	}

	return price, known
}

// priceOf is a price with all of its parts.
func priceOf(m *model.Price) Price {
	said := func(n int64) int64 {
		if n == 0 {
			return -1
		}

		return n
	}

	return Price{Input: m.Input, Output: m.Output, Cached: said(m.Cached), Stored: said(m.Stored)}
}

// maxPrices is the largest size of a file of prices, in bytes.
const maxPrices = 1 << 20

// readPrices reads a file of prices: the prices.yaml of a project as JSON.
func readPrices(name string) (*model.Prices, error) {
	file, err := os.Open(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err // the message names the file
		}

		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPrices+1))
	switch {
	case err != nil:
		return nil, errors.New("it cannot be read")
	case len(text) > maxPrices:
		return nil, fmt.Errorf("it is larger than %d bytes", maxPrices)
	}

	return parsePrices(text)
}

func parsePrices(text []byte) (*model.Prices, error) {
	prices := &model.Prices{}
	members, err := jsontext.Members(text)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.Name] {
			return nil, fmt.Errorf("%q is there twice", m.Name)
		}
		seen[m.Name] = true
		if m.Name == "as_of" {
			prices.AsOf, err = dayOf(m.Value)
		} else {
			var price model.Price
			price, err = parsePrice(m.Name, m.Value)
			prices.Models = append(prices.Models, price)
		}
		if err != nil {
			return nil, err
		}
	}

	return prices, nil
}

func dayOf(value json.RawMessage) (string, error) {
	var day string
	if json.Unmarshal(value, &day) == nil {
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			return day, nil
		}
	}

	return "", fmt.Errorf("as_of: %s is not a day such as \"2026-11-22\"", value)
}

// parsePrice reads an entry. Cached input without a price costs what other input does.
func parsePrice(name string, value json.RawMessage) (model.Price, error) {
	m := model.Price{Name: name}
	if _, _, ok := splitModelName(name); !ok || strings.Contains(strings.TrimSuffix(name, "*"), "*") {
		return m, fmt.Errorf("%q is not a model: write provider:model, or the beginning of one and *", name)
	}
	parts := map[string]*int64{"input": &m.Input, "output": &m.Output, "cached_input": &m.Cached, "cache_write": &m.Stored}
	said := map[string]bool{}
	members, err := jsontext.Members(value)
	for _, part := range members {
		into := parts[part.Name]
		switch {
		case err != nil, part.Name == "context": // which is for what is computed before a run
		case into == nil || said[part.Name]:
			err = fmt.Errorf("%q is not one of input, output, cached_input and cache_write, once each", part.Name)
		default:
			said[part.Name] = true
			*into, err = dollars(part.Value)
		}
	}
	switch {
	case err != nil:
		return m, fmt.Errorf("%s: %w", name, err)
	case !said["input"] || !said["output"]:
		return m, fmt.Errorf("%s: input and output are both needed", name)
	}
	if !said["cached_input"] {
		m.Cached = m.Input
	}
	if !said["cache_write"] {
		m.Stored = m.Input
	}

	return m, nil
}

// dollars reads an amount of dollars as millionths of one.
func dollars(amount json.RawMessage) (int64, error) {
	n, err := strconv.ParseFloat(string(amount), 64)
	if err != nil || !(n >= 0 && n <= 1e6) {
		return 0, fmt.Errorf("%s is not a number of dollars for a million tokens", amount)
	}

	return int64(math.Round(n * 1e6)), nil
}
