package model

// Prices are what models cost.
type Prices struct {
	// AsOf is the day on which they were looked up, such as 2026-11-22.
	AsOf string
	// Models are sorted by name.
	Models []Price
}

// Price is what a model costs, in millionths of a US dollar for a million tokens: 3_000_000 is three dollars. Input, Output, Cached
// and Stored are those of [Usage]; Cached and Stored are Input where the file does not say them.
type Price struct {
	// Name is provider:model; one that ends in * stands for all models that begin so and have no longer entry.
	Name                          string
	Input, Output, Cached, Stored int64
}
