package pricing

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

	"github.com/agentc-dev/agentc/runtime/internal/engine/modelname"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// maxFile is the largest size of a file of prices, in bytes.
const maxFile = 1 << 20

// ReadFile reads a file of prices: the prices.yaml of a project as JSON.
func ReadFile(name string) (*model.Prices, error) {
	file, err := os.Open(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err // the message names the file
		}

		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, errors.New("it cannot be read")
	case len(text) > maxFile:
		return nil, fmt.Errorf("it is larger than %d bytes", maxFile)
	}

	return parse(text)
}

func parse(text []byte) (*model.Prices, error) {
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
			prices.AsOf, err = parseDay(m.Value)
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

func parseDay(value json.RawMessage) (string, error) {
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
	if _, _, ok := modelname.Split(name); !ok || strings.Contains(strings.TrimSuffix(name, "*"), "*") {
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
			*into, err = parseDollars(part.Value)
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

// parseDollars reads an amount of dollars as millionths of one.
func parseDollars(amount json.RawMessage) (int64, error) {
	n, err := strconv.ParseFloat(string(amount), 64)
	if err != nil || !(n >= 0 && n <= 1e6) {
		return 0, fmt.Errorf("%s is not a number of dollars for a million tokens", amount)
	}

	return int64(math.Round(n * 1e6)), nil
}
