// Package frontend is shared by the formats of source files and the loader of projects: the project
// that is being read, the stages of a format, and common rules for names, files and limits.
//
// To add a format, add a package with a type that implements [Format], and a line in package
// loader.
package frontend
