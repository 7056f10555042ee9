package yamldoc

import (
	"encoding/json"
	"math/big"
	"strings"
)

// jsonNumber respells a number of YAML or TOML (`+1`, `007`, `.5`, `5.`, `0x1F`, `1_000`) as JSON writes it.
func jsonNumber(text string) json.Number {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "+"), "_", "")
	if len(text) > 2 && text[0] == '0' && strings.IndexByte("xob", text[1]) >= 0 {
		if i, ok := new(big.Int).SetString(text, 0); ok {
			return json.Number(i.String())
		}
	}

	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}

	return json.Number(sign + whole + exponent)
}
