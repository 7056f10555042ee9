// Package expr parses the expressions of workflows and guards, and templates, and checks them
// against the names and types of their scope.
//
// Input: a text with its span, and a [Scope]: the available names, their types, and the steps that
// have run. Output: an [ir.Formula], an [ir.Template], an [ir.Datum] or an [ir.ContextPath], and
// diagnostics. The output needs no further check of names and types. Every node has its exact span
// in the file, also in quoted, folded and block scalars. No text is executed, here or at run time,
// and no text is too deep or too long. Expressions are a subset of Starlark, a dialect of Python.
// In addition, a keyword may be the name of a field, and comparisons form chains as in Python.
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
//	comparison = sum { ("==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in") sum }
//	sum        = product { ("+" | "-") product }
//	product    = sign { ("*" | "/" | "%") sign }
//	sign       = [ "-" ] value
//	value      = ( path | TEXT | "(" expression ")" ) { method } | NUMBER | "True" | "False" | "None" | list
//	           | ( "len(" | "any(" | "all(" ) value ")"
//	path       = NAME { "." NAME | "[" TEXT "]" | ".get(" TEXT [ "," value ] ")" }
//	method     = ".lower()" | ".upper()" | ".strip()" | ".startswith(" value ")" | ".endswith(" value ")"
//	list       = "[" { value "," } "]" | "(" { value "," } ")"
//
// A path begins with a name of the scope: context, steps, previous_step, and in guards output; in
// the guards of an fsm or a gate key, value, data, input, steps and visits. There value is a text,
// which is not compared with numbers; data is its content as JSON. A missing value is None, and so
// is a field of None. `steps.draft` is the latest output of step draft. So are
// `steps.draft.output`, `.result` and `.value` unless the output has a field of this name.
// `previous_step` has these names too if the output is a text, a number or a boolean.
// `steps["set-next"]` is the output of a step with a hyphen in its name. `context.draft` is that
// output too if the context has no such field; if no step writes one, it is deprecated-form.
// `context.scratchpad.x` and `context.import_artifacts.x` are `context.x`. A number may be
// negative; a text is written in single or double quotes, with the escapes of Python.
//
// The meaning differs from Python in a few points:
//
//   - None, False, 0, and an empty text, list or object are false. `and`, `or` and `not` result in
//     True or False.
//   - A text that is compared with a number counts as a number if it has the form of one: '5' == 5.
//     Two texts are compared as texts. True and False equal only themselves. `<`, `<=`, `>` and `>=`
//     compare two numbers or two texts only.
//   - `in` looks for a text in a text, an item in a list, a name in an object.
//   - lower, upper and strip of None are None, and so is arithmetic with None, and len(None).
//   - `x < y < z` is `x < y and y < z`.
//   - Arithmetic takes numbers only. The operators of two integers result in an integer of 64 bits,
//     except `/`, which is the exact quotient. `%` has the sign of the divisor. A division by zero,
//     an integer beyond 64 bits, a number beyond those of float64, and an operand of another kind
//     have no result.
//   - `any` and `all` of a list report whether an item, or each, is true. `any([x, y])` is
//     `x or y`. They are unknown for anything but a list.
//
// A condition has three values. A comparison, `in`, startswith and endswith are unknown if a value
// is missing or null or has no result, and so is an order between values without one. `x == None`, `x != None` and a
// default, `x.get("name", 0)`, handle a missing value. A field without a comparison is false if it
// is missing. `and`, `or` and `not` follow the logic of Kleene. A result that would follow only
// because an earlier condition is unknown is not taken: a later row without a guard, a branch, the
// default branch, next_state. The run fails with MissingValueError. A loop continues.
//
// In the guards of rows of an fsm, `data` is external input. An expression that reads it is also
// unknown if a member has an unexpected type: between values of different types every comparison is
// unknown, except one with None.
//
// There is nothing else: no power, no bits, no index, no slice, no other function, no conditional
// expression and no `is`. Each of these is unsupported-expression with an alternative, and --fix
// applies a certain alternative.
//
// Mistakes are found at compile time: undefined names, fields and steps (undefined-variable,
// undefined-step-output), steps that cannot have run (unread-before-written), operations that a
// type does not have (guard-type), arithmetic that never has a result (no-result), a text that is
// compared with a number (numeric-text), and conditions, or parts of them, that are always or never
// true (constant-guard): `kind == 'dnoe'` if the schema of kind has done, or
// `score > 5 and score < 3`.
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
//	choice      = sum { "or" sum }
//	sum         = product { ("+" | "-") product }
//	product     = value { ("*" | "/" | "%") value }
//	value       = path | TEXT | NUMBER | "True" | "False" | "None" | "(" sum ")" | ( "len(" | "any(" | "all(" ) sum ")"
//	path        = NAME { "." NAME | "[" TEXT "]" | ".get(" TEXT [ "," value ] ")" }
//	filter      = "upper" | "lower" | "trim" | "replace(" TEXT "," TEXT ")" | "truncate(" NUMBER ")"
//	            | "join(" TEXT ")" | "first" | "last" | "length" | "round" [ "(" NUMBER ")" ] | "tojson"
//	            | "default(" literal ")"
//	block       = "{{#if" expression "}}" … { "{{elif" expression "}}" … } [ "{{else}}" … ] "{{/if}}"
//	            | "{{#each" path "}}" … [ "{{else}}" … ] "{{/each}}"
//
// A choice results in the first value that is neither None nor an empty text, list or object; so
// does `default`. `truncate(80)` keeps 80 characters, the last of which is an ellipsis if it cuts.
// `round(2)` rounds the decimal notation of a number to two digits after the point, half a digit away
// from zero. `first` and `last` result in an item of a list. Names may have digits and hyphens: {{ steps.set-next }}, so that a minus needs white space before it. In {{#each}},
// `this` is the item, `@index` its number from 0 on, and `@first` and `@last` report whether it is
// the first or the last one. The {{else}} of {{#each}} is for a value that is missing or empty.
// Blocks may be nested. {{else if}} is {{elif}}.
//
// A condition of a block that is unknown does not hold. If something follows {{else}} or {{elif}},
// it is not rendered only because of that: the step fails with MissingValueError. So does a block
// whose condition is unknown and has arithmetic that may have no result. Arithmetic without a
// result fails the step with ArithmeticError.
//
// Two literal braces are written \{{. Single braces, }} and {# are text. A text in quotes has the
// escapes \\ \' \" \n \r \t.
//
// None is rendered as nothing, a text as it is, booleans as True and False, numbers as short as
// possible, lists and objects as compact JSON. The result is data, whatever it contains. In lists
// and mappings, a text that is one placeholder keeps the type of its value; everywhere else the
// result is a text.
//
// Anything else in braces is template-syntax, as is {% %}; a filter that does not exist is
// unknown-filter.
package expr
