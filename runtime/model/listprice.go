package model

import (
	"slices"
	"strings"
)

// ListPrice returns the list price of a model, provider:model, as it was on [ListPricesDay], for common models; ok is
// false for any other, and for those whose price depends on more than tokens. Engines use it where neither the project
// nor its environment names a price. A snapshot such as openai:gpt-5-2025-08-07 has the price of its model, unless it
// has one of its own.
func ListPrice(name string) (price Price, ok bool) {
	if id, isGoogle := strings.CutPrefix(name, "google:"); isGoogle {
		name = "gemini:" + id
	}
	price, ok = findListPrice(name)
	if ok {
		return price, true
	}
	for _, form := range []string{"-2006-01-02", "-20060102"} {
		if start := len(name) - len(form); start > 0 && isDate(name[start:], form) {
			return findListPrice(name[:start])
		}
	}

	return Price{}, false
}

// isDate reports whether a text has the form of a date: digits where the form has digits.
func isDate(text, form string) bool {
	for i := range len(form) {
		isDigit := '0' <= text[i] && text[i] <= '9'
		if isDigit != (form[i] != '-') || !isDigit && text[i] != '-' {
			return false
		}
	}

	return true
}

func findListPrice(name string) (price Price, ok bool) {
	i, ok := slices.BinarySearchFunc(listPrices, name, func(p Price, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return Price{}, false
	}

	return listPrices[i], true
}
