// Package expr reads the expressions of workflows and of guards, and templates, and checks them against what is known at
// their place.
//
// Input: a text with its place, and a [Scope]: the names that exist there, their types, and which steps have run.
// Output: an [ir.Formula], an [ir.Template], an [ir.Datum] or an [ir.ContextPath], and diagnostics. The promise: what
// comes out needs no further check of names and types; every node has its exact place in the file, also in quoted,
// folded and block scalars; nothing in a text is executed, here or at run time; and no text is too deep or too long
// for it. Expressions are a part of Starlark, a dialect of Python,
// but for fields that are called as one of its words.
//
// # Expressions
//
// An expression is written in `when`, `condition_expression` and `exit_expression`:
//
//	output.event == 'success' and (context.score > 5 or 'urgent' in steps.triage.tags)
//
//	expression = all { "or" all }
//	all        = single { "and" single }
//	single     = { "not" } comparison
//	comparison = value [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in") value ]
//	value      = ( path | TEXT | "(" expression ")" ) { method } | NUMBER | "True" | "False" | "None" | list
//	path       = NAME { "." NAME | "[" TEXT "]" | ".get(" TEXT [ "," value ] ")" }
//	method     = ".lower()" | ".upper()" | ".strip()" | ".startswith(" value ")" | ".endswith(" value ")"
//	list       = "[" { value "," } "]" | "(" { value "," } ")"
//
// A path begins with a name of the place: context, steps, previous_step, and in guards output; in the guards of an fsm
// or a gate key, value, data, input, steps and visits, where value is a text that is not compared with numbers, since
// data is what it says as JSON. What is missing is None, and so is what is reached from None. `steps.draft` is the
// newest output of step draft; so are `steps.draft.output`, `.result` and `.value` unless the output has such a field.
// `previous_step` has these names too where the output is a text, a number or a boolean.
// `steps["set-next"]` is that of a step whose name has a hyphen. `context.draft` is that output too where the context has no such field; where no step
// writes one, it is deprecated-form. `context.scratchpad.x` and `context.import_artifacts.x` are `context.x`. A number
// may be negative; a text is written in single or double quotes, with the escapes of Python.
//
// Meaning, where it is not plain:
//
//   - None, False, 0, and an empty text, list or object do not hold. `and`, `or` and `not` give True or False.
//   - A text counts as a number if it is compared with one and reads as one: '5' == 5. Two texts are compared as texts.
//     True and False are equal to themselves alone. `<` and its kin hold between two numbers or two texts only.
//   - `in` looks for a text in a text, an item in a list, a name in an object.
//   - lower, upper and strip of None are None.
//
// A condition has three values. A comparison, `in`, startswith and endswith are unknown where a value is missing or null, and so is an
// order between values that have none. `x == None`, `x != None` and a default, `x.get("name", 0)`, say what a missing one means. A member
// alone is false where it is missing. `and`, `or` and `not` follow the logic of Kleene. What would come only because a condition before it
// is unknown is not taken: a row without a guard behind its row, a branch, the default branch, next_state. The run fails with
// MissingValueError. A loop goes on.
//
// In the guards of rows of an fsm, `data` is what others have sent. What reads it is unknown too where a member is of another kind than
// the expression needs: between two values of different kinds every comparison is, but for one with None.
//
// There is nothing else: no arithmetic, no index, no slice, no function, no conditional expression, no chain of
// comparisons and no `is`. Each of these is unsupported-expression, with what to write instead, and --fix writes it
// where that is certain.
//
// What cannot be right is found before anything runs: names, fields and steps that do not exist (undefined-variable,
// undefined-step-output), steps that cannot have run (unread-before-written), operations that a type does not have
// (guard-type), a text that is compared with a number (numeric-text), and conditions, or parts of them, that are
// always true or never (constant-guard): `kind == 'dnoe'` where the schema of kind has done, or `score > 5 and score
// < 3`.
//
// # Templates
//
// A template is written in `input`, in messages for people and in prompts from files:
//
//	Dear {{ context.name or 'friend' }}: {{#if steps.draft.text}}{{ steps.draft.text | upper }}{{/if}}
//	{{#each steps.search.hits}}- {{ this.title }} ({{ this.tags | join(', ') }})
//	{{/each}}
//
//	placeholder = "{{" choice { "|" filter } "}}"
//	choice      = value { "or" value }
//	value       = path | TEXT | NUMBER | "True" | "False" | "None"
//	path        = NAME { "." NAME | "[" TEXT "]" | ".get(" TEXT [ "," value ] ")" }
//	filter      = "upper" | "lower" | "length" | "tojson" | "join(" TEXT ")" | "default(" value ")"
//	block       = "{{#if" path "}}" … "{{/if}}" | "{{#each" path "}}" … "{{/each}}"
//
// Of a choice the first value counts that is neither None nor an empty text. Names may have digits and hyphens: {{
// steps.set-next }}. In {{#each}}, `this` is the item; blocks may be in each other. Two braces that are text are
// written \{{. Lone braces, }} and {# are text. A text in quotes has the escapes \\ \' \" \n \r \t.
//
// None is rendered as nothing, a text as it is, True and False so, numbers as short as possible, lists and objects as
// compact JSON. What was rendered is data, whatever is in it. Inside of lists and mappings, a text that is one
// placeholder keeps the type of its value; everywhere else the result is a text.
//
// Anything else in braces is template-syntax, as is {% %}; a filter that does not exist is unknown-filter.
package expr
