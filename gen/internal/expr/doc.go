// Package expr parses the expressions of workflows and guards, and templates, and checks them
// against the names and types of their scope. The page schema/expressions describes the language.
//
// Input: a text with its span, and a [Scope]: the available names, their types, and the steps that
// have run. Output: an [ir.Formula], an [ir.Template], an [ir.Datum] or an [ir.ContextPath], and
// diagnostics. The output needs no further check of names and types. Every node has its exact span
// in the file, also in quoted, folded and block scalars. No text is executed, here or at run time,
// and no text is too deep or too long. Expressions are a subset of Starlark, a dialect of Python.
// In addition, a keyword may be the name of a field, and comparisons form chains as in Python.
package expr
