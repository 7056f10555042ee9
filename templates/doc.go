// Package templates holds what `agentc init` and `agentc add` write: a project, its program, an agent of each
// pattern, and skills.
//
// A template is a txtar archive beside this file. Input: its name, and a value for each placeholder {{word}} in its
// paths and contents. Output: files in memory, with paths relative to the project folder. A value is put in as it is
// and is not read again, so the caller hands in names that were checked, and Go identifiers and paths made of them.
package templates
