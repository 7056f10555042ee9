// Package projectfs answers questions about files of a project that only their paths can answer.
//
// Input: a file system whose root is the project folder, and paths as people write them. Output: paths inside of it. A
// path that leads out, be it by its name or through a symbolic link, is told from one that does not.
package projectfs
