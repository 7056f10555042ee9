// Package files has the tools files_read and files_write, which work below one folder, the project's files.root, and nowhere
// else: the operating system is asked for each path relative to the open folder, so that neither .. nor a link leads out, also
// where somebody changes the folder meanwhile.
//
// A path is relative, with forward slashes, and each of its names can stand on any system, so that a project behaves the same
// on all of them. Names that begin with a dot are out of reach, in every spelling that some file system takes for one: they are
// where keys, repositories and runs lie. Only regular files are opened. A file is read whole or not at all, and replaced whole
// or not at all.
package files
