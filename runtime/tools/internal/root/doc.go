// Package root checks files.root, the folder in which tools for files and commands work.
package root
