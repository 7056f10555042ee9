// Package memo remembers the results of compilations, so that compiling unchanged sources only has
// to read them.
//
// Input: the input of [gen.Compile], and a folder of the user's cache. Output: the files, which is
// all that generate needs.
//
// Promises: a remembered result is used only if compiling again would give the same result. A
// compilation is a function of the compiler and of the answers of the project folder. So the
// compiler is identified by the version and the file of its executable, and each question to the
// folder is stored with a digest of its answer. A result counts only for the same compiler, and
// while each question has the same answer. Sources are always read completely; their times are not
// trusted. Only compilations without diagnostics are remembered. A damaged or unreadable entry is
// ignored, and the cache can be removed at any time.
package memo
