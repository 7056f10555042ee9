// Package frontend is what the formats of source files and the loader of projects share: the project that is being read, the
// steps in which each format is read, and what all of them say alike of names, files and limits.
//
// A format is added as a package with a type that is a [Format], and a line in package loader.
package frontend
