package check

import (
	"regexp"
	"strings"
	"testing"
)

// The keys that are legal in these tests are approved, needs-work and rework. What is found stands between marks; in a text
// without marks nothing is.
var keyPhrases = []string{
	// A call, however it is written.
	`Call finish(key="|refused|", value=<the text>).`,
	"Call `finish(key=\"|refused|\", value=\"…\")`.",
	"Call finish(key='|refused|').",
	"Call finish(key=`|refused|`, value=text).",
	"`finish`(key=\"|refused|\")",
	"**finish**(key = \"|refused|\", value=\"\")",
	`finish( key : "|refused|", value : "" )`,
	`finish(value="a (short) text", key="|refused|")`,
	`finish(value="a \"quoted)\" text", key="approved")`,
	`finish({"key": "|refused|", "value": "…"})`,
	`finish({key: '|refused|', value: '…'})`,
	"finish(\n  key=\"|refused|\",\n  value=<the text>\n)",
	"finish(key=“|refused|”, value=…)",
	"If it is good:\n  Call finish(key=\"approved\", value=\"\")\n\nElse:\n  Call finish(key=\"|refused|\", value=<why>)",
	`End by calling finish(key="|refused|").`,
	`FINISH(KEY="|refused|")`,
	`You may finish(key="|refused|") at any time.`,
	`Finish(key="Approved") or finish(key=" needs-work")`,
	`finish(key="approved|needs-work", value="")`,
	`finish(key="approved|` + `|refused|` + `", value="")`,
	`finish(key="approved" | "needs-work")`,
	`finish(key="approved" or "|refused|")`,
	`finish(key="approved"/"|refused|", value="")`,
	`finish(key=approved) or finish(key=|refused|)`,
	`finish(key=|aproved|, value=text)`,

	// Placeholders, variables and what is left open.
	`finish(key="<category>", value="<one sentence>")`,
	`finish(key=<category>, value=<text>)`,
	`finish(key="{key}", value="{value}"), finish(key=$KEY), finish(key="…"), finish(key="...")`,
	`finish(key="key", value="value")`,
	`finish(key="your-key", value=…), finish(key="CATEGORY"), finish(key="the key")`,
	`finish(key=decision, value=text)`,
	`finish(key=route_key)`,
	`finish(key, value)`,
	`finish(<key>, <value>), finish()`,
	`finish(value=<the text>)`,
	`finish(key=reject_or_accept)`,

	// A sentence.
	`When it is done, call finish with key "|refused|".`,
	"When it is done, call `finish` with the key `|refused|` and the text as the value.",
	"call finish with\nkey '|refused|'.",
	`Finish with key="|refused|".`,
	`Finish with key=|refused| and the text.`,
	`Finish with key: |refused|.`,
	`Finish with key |refused|.`,
	`Finish with key |refused| if it is bad, with key approved otherwise.`,
	`finish with key |refused| and the value`,
	`Call finish with the text as the value and key **|refused|**.`,
	`Call finish with the text as the value and key “|refused|”.`,
	`Call finish using key "|refused|", value "why".`,
	`End by finishing with the key "|refused|"`,
	"Call finish with key `approved` when it is good, or key `|refused|` when it is not.",
	`Call finish with key "approved" or "|refused|".`,
	"finish with `|refused|` as the key",
	`finish with key set to "|refused|"`,
	"Call `finish()` with key \"|refused|\".",
	"- good: finish with key `approved`\n- wrong: finish with key `|refused|`",
	`If it fails, finish (key "|refused|") and say why.`,
	"- good: finish with key `approved`\n- bad: finish with key `|refused|`",
	`Finish with key "|needs work|".`,

	// English.
	`Finish with key takeaways.`,
	`Finish with key findings and sources.`,
	`Finish with key evidence.`,
	`Finish with key insights, and with open questions.`,
	`Finish with key points if there are any.`,
	`Call finish with key quotes from the text.`,
	`Finish with the key message.`,
	`Finish with the key to the riddle.`,
	`Once you finish the first part, note the key "C major" of the piece.`,
	`Call finish with the report and its key "Sources" section.`,
	`The key is to finish early.`,
	`Finish the key chapters first.`,
	`Finish on a key that the audience knows, "C major" say.`,
	`Call finish with key, value and nothing else.`,
	`Call finish; the description of finish tells which keys can be chosen here.`,
	`Call finish with the key of the category.`,
	`Call finish with the right key.`,
	`call finish with "I am done" as the value`,
	`Finish with "Best regards".`,
	`Finish with a summary titled "refused".`,
	`This is key. "refused" is what it says.`,

	// JSON.
	"Call finish with {\"key\": \"|refused|\", \"value\": \"…\"}.",
	"Call finish like this:\n\n```json\n{\"key\": \"|refused|\", \"value\": \"…\"}\n```",
	`{"name": "finish", "arguments": {"key": "|refused|", "value": ""}}`,
	`Answer with {"key": "refused", "value": 1}.`,
	`Store it with mem_set({"key": "refused", "value": "x"}). Then finish.`,
	`Call finish with the report. Save it with {"key": "refused", "value": "x"}.`,
	`Finish when memory_set({"key": "refused"}) has worked.`,

	`Call finish with a list of settings: [{"key": "theme", "value": "dark"}]`,
	`Call finish with your report. An entry looks like {"key": "theme", "value": "dark"}.`,
	"Call finish(key=\"approved\", value=\"{\\\"key\\\": \\\"refused\\\"}\").",
	`finish(key="approved", value=<a list of key: "value" pairs>)`,
	`finish(value="the key: 'refused' was found", key="approved")`,

	// A key alone: only where another one is a key to finish with, or where it is nearly one.
	"Use key `approved` for good ones and key `|refused|` for bad ones.",
	`- key "approved": it is good` + "\n" + `- key "|refused|": it is bad`,
	"If it is good, the key is `approved`. If it is bad, the key is `|refused|`.",
	"Choose key `|aproved|`.",
	"Use key `refused`.",
	"The key `q` ends the program.",
	"Press key `q`. Then call finish with key `approved`.",
	"First, read memory key `retries`. Count how many entries are stored there. Then call finish(key=\"approved\").",
	"retrieve the report from memory key `report` and call `finish(key=\"approved\", value=<report content>)`",
	"Use the memory skill to read key `task`.\nWrite the current input to memory key `task`, and finish.",
	"Store the full report content in memory under key `report`. Call finish with the full report content as the value.",
	"Write it to memory key `aproved`.",
	"Call finish with what memory holds under key `report`.",
	"Call finish when you have stored the notes under key \"notes\".",
	"Call finish with a JSON object with the key `title`.",
	"Finish with an object that has the keys `title` and `body`.",
	"Set the environment variable API_KEY and the api-key \"refused\", then finish.",
	"The primary key \"refused\" of the table; finish with key \"approved\".",
	"Call finish with key \"approved\". The config key `retries` says how often.",
	"a config with the key `model`, and finish(key=\"approved\")",

	// Lists.
	"call finish with the message as the value and one of these keys:\n\n- approved: it is good\n- |refused|: it is bad\n\nOther words:\n\n- done: no",
	"Keys:\n* **approved** — it is good\n* **|refused|** — it is bad\n",
	"The keys are:\n1. `approved`\n2. `|refused|`\n   whatever\n3. `needs-work`",
	"Choose one of the keys `approved`, `needs-work` or `|refused|`.",
	"keys: \"approved\", \"|refused|\"",
	"one of the keys (`approved` | `|refused|`)",
	"Choose one of the keys `yes` and `no`.",
	"Finish with one of `approved`, `needs-work` or `|refused|`.",
	"Finish with `approved` or `|refused|`.",
	"Finish with `ok` or `refused`.",
	"Return the keys `title` and `body`. Then finish.",
	"Answer with an object with these keys:\n- approved: boolean\n- reason: why",
	"Classify it into exactly one category:\n- **refused** — no\n- **approved** — yes\n",
	"Keys to the city:\n- the old one (approved)\n- refused",
	"These keys matter:\n\nA paragraph.\n\n- approved\n- refused",

	// What the model is told not to do, and what others do.
	`Never call finish(key="refused").`,
	`Do not finish with key "refused".`,
	`If you are not sure, do not call finish(key="refused"); call finish(key="approved").`,
	`Don't use key "refused"; use key "approved".`,
	`There is no key "refused" any more, only the key "approved".`,
	`Finish with key "approved", never with key "refused".`,
	`The editor calls finish(key="refused") when it is bad.`,
	`A worker that called finish(key="refused") is out.`,
	`The editor may call finish(key="refused").`,
	`The workers finish with key "refused", most agents finish(key="refused").`,
	`Wait for the worker to finish with key "refused".`,
	`Call finish(key="approved") instead of finish(key="refused").`,
	`The editor finished with key "refused".`,
	`It finishes with key "refused" if nothing came.`,
	`race.finish(key="refused"), on_finish(key="refused"), re-finish(key="refused")`,

	// No words at all, and quotes that do not close.
	``,
	`key`,
	`finish(key="`,
	`finish(key="refused`,
	`finish with key "`,
	"finish with key `refused\nand so on`",
	`finish with key ""`,
	"keys:\n- ",
	"keys:\n",
}

func TestNamedKeys(t *testing.T) {
	legal := []string{"approved", "needs-work", "rework"}
	mark := regexp.MustCompile(`\|([^|\n]+)\|`)
	for _, phrase := range keyPhrases {
		marked := phrase
		var want []string
		for {
			at := markedAt(mark, marked)
			if at == nil {
				break
			}
			want = append(want, marked[at[2]:at[3]])
			marked = marked[:at[0]] + marked[at[2]:at[3]] + marked[at[1]:]
		}
		var got []string
		for _, k := range illegal(marked, legal) {
			got = append(got, k.key)
			if marked[k.start:k.end] != k.key {
				t.Errorf("%s\nfound %q at %q", phrase, k.key, marked[k.start:k.end])
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s\nfound %q, want %q", marked, got, want)
		}
	}
}

// markedAt returns the first mark: a | that is not part of an alternative.
func markedAt(mark *regexp.Regexp, text string) []int {
	for _, at := range mark.FindAllStringSubmatchIndex(text, -1) {
		switch text[at[2]:at[3]] {
		case "refused", "aproved", "needs work":
			return at
		}
	}

	return nil
}

// Whatever a prompt holds, the keys that it names stand where they are said to stand.
func FuzzNamedKeys(f *testing.F) {
	for _, phrase := range keyPhrases {
		f.Add(phrase)
	}
	f.Add("finish(" + strings.Repeat("x", maxArgs-1) + " key key=\"x\"")
	f.Add("finish(" + strings.Repeat("x", maxArgs-1) + "\"key\": \"x\"")
	f.Fuzz(func(t *testing.T, prompt string) {
		last := -1
		for _, k := range namedKeys(prompt) {
			if k.start <= last || k.end > len(prompt) || prompt[k.start:k.end] != k.key || k.key == "" {
				t.Errorf("%q at %d to %d of %q", k.key, k.start, k.end, prompt)
			}
			last = k.start
		}
	})
}
