// Package source holds the files of a project and the places in them.
//
// Input: a file system and a path. Output: a [File], whose bytes never change, and [Span] values that point into it.
// A span is a pair of byte offsets; lines and columns, in runes, are computed from the offsets by [File.Pos], so there is one truth about a
// place and no conversion is done twice. Paths as people write them become paths inside of the project; one that leads out, by its name or
// through a symbolic link, does not. The package depends on nothing else of the project.
package source
