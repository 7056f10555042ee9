// Package pricing computes what the turns of models cost. A [Price] comes from Go code, from a file
// that [ReadFile] reads, from the program, or from the list of common models: [Lookup] searches the
// given prices, and then the list.
package pricing
