// Package memo remembers what a compilation gave, so that compiling unchanged sources again costs
// no more than reading them.
//
// Input: what [gen.Compile] takes, and a folder of the user's cache. Output: what it gives, as far
// as generate needs it.
//
// Promises: what is remembered is used only if compiling again would give the same. A compilation
// is a function of the compiler and of what it asks the project folder; so the compiler is named by
// the version and the file of its executable, every question of the compilation is written down
// with a digest of the answer, and a remembered result counts only for the same compiler and while
// every question still has the same answer. The sources are read whole each time: no time stamp of
// theirs is trusted. Only compilations without diagnostics are remembered. An entry that cannot be
// read, or is damaged, is none; the cache can be removed at any time.
package memo
