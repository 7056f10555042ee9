package model

// Prices are the prices of models.
type Prices struct {
	// AsOf is the day for which the prices were looked up, such as 2026-11-22.
	AsOf string
	// Models are sorted by name.
	Models []Price
}

// Price is the price of a model, in millionths of a US dollar for a million tokens: 3_000_000 is three dollars.
// Input, Output, Cached and Stored count as in [Usage]; Cached and Stored are equal to Input if the file does not set
// them.
type Price struct {
	// Name is provider:model; one that ends in * is for all models with that prefix that have no longer match.
	Name                          string
	Input, Output, Cached, Stored int64
	// Context bounds a request, in tokens: the provider refuses a longer one; 0 where that is not known.
	Context int
}
