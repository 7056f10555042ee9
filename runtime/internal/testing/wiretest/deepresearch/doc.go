// Command deepresearch is the world of a program that researches: a server on loopback that is a model, speaking chat completions, and
// that has a few pages to search and to read, for the caller who shows the key. It prints what to set so that the program asks it, and serves
// until it is stopped:
//
//	go run ./runtime/internal/testing/wiretest/deepresearch
//
// The model is not clever, but it works with what tools give it: it reads what a search has found, quotes the pages, and counts sources.
// It also tries what it should not: the address at which clouds give out keys, and a file outside of the folder.
package main
