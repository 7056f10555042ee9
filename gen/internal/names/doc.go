// Package names is the one place where Go identifiers and file names of generated code come from.
//
// Input: names, keys and other texts of the ir. Output: identifiers. A name depends on its own text (and on that of the
// agent it belongs to) alone, so it never changes because something else is added, and it never gets a number to make it
// unique: two texts that become the same identifier are a [Collision], which the checks report.
//
// [Exported] makes the words; the other functions put them together, so that emission and reading back cannot disagree.
// [Of] lists every identifier of an output package with the text that it comes from.
package names
