// Package source holds the files of a project and the places in them.
//
// Input: a file system and a path. Output: a [File], whose bytes never change, and [Span] values that point into it.
// A span is a pair of byte offsets; everything that a person or an editor reads (lines, columns in runes, columns in
// UTF-16 code units) is computed from the offsets by [File.Pos] and [File.UTF16Column], so there is one truth about a
// place and no conversion is done twice. Paths as people write them become paths inside of the project; one that leads out, by its name or
// through a symbolic link, does not. The package depends on nothing else of the project.
package source
