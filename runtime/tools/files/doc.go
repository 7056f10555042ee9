// Package files has the tools files_read and files_write, which are confined to one folder, the project's files.root:
// the operating system resolves each path relative to the open folder, so that neither .. nor a link leads out of it,
// even if another process changes the folder meanwhile.
//
// A path is relative, with forward slashes, and each of its names is valid on every operating system, so that a
// project behaves the same on all of them. Names that begin with a dot are refused, in every spelling that some file
// system treats as one: keys, repositories and runs are in such files. Only regular files are opened. A file is read
// completely or not at all, and replaced completely or not at all.
package files
