// Package source holds the files of a project and positions in them.
//
// Input: a file system and a path. Output: a [File], whose bytes never change, and [Span] values
// that refer to it. A span is a pair of byte offsets. [File.Pos] computes lines and columns, in
// runes, from the offsets. Written paths are resolved inside the project; a path that leaves it, by
// its name or through a symbolic link, is refused. The package depends on no other package of the
// project.
package source
