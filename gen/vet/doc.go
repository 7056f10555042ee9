// Package vet finds what a user's Go gets wrong about the Go that agentc generated: analyzers for go vet.
//
// Input: one type-checked package at a time, and the facts of the packages that it imports. Output: findings of go vet at
// their places, with a suggested fix where it is certain. The program that go vet calls is cmd/agentc-vet.
//
// [Analyzers] lists the analyzers. Generated types are known by facts, which the analysis of the generated package itself
// exports, so that a type is known wherever it is used, and nothing is guessed from its name. What is reported is certain:
// nothing in generated files, nothing about a value whose machine is not known.
package vet
