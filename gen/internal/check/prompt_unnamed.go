package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// reportUnnamedKey reports the first key with a row that the prompt never mentions, if the prompt
// names other keys or a similar word. It skips prompts that leave the key open, and prompts whose
// skills may mention the key.
func (p *prompt) reportUnnamedKey() {
	if !slices.ContainsFunc(p.uses.Sites, func(site *flow.Site) bool { return p.isOwn(site) && len(p.unmentionedKeys(site)) > 0 }) {
		return // true of most prompts; the remaining steps are slow
	}
	words := p.words()
	named := slices.DeleteFunc(namedKeysIn(p.text), func(k namedKey) bool { return k.form == withFinish })
	marked := markedWords(p.text)
	for _, site := range p.uses.Sites {
		if !p.isOwn(site) {
			continue
		}
		legal := p.offeredKeys(site)
		names := slices.ContainsFunc(named, func(k namedKey) bool { return k.form < alone && isKeyOf(k.key, legal) })
		for _, key := range p.unmentionedKeys(site) {
			if near, ok := nearWord(key, marked, legal); ok && !words.hasKey(key) {
				d := diag.New(diag.PromptKey, p.keySpan(near), "the prompt says %q but never the key %q, which %s routes", near.key, key, describeSite(site))
				p.u.report(noteSite(d, site, key).WithHint("did you mean %q?", key))
				return
			}
			if names && !words.mentionsKey(key) && !openKey.MatchString(p.text) {
				d := diag.New(diag.PromptKey, p.firstLine(), "the prompt of %s names keys of %s, but not %q", p.owner(), describeSite(site), key)
				p.u.report(noteSite(d, site, key).WithHint("say when to finish with %q", key))
				return
			}
		}
	}
}

// isOwn reports whether a state runs the prompt's agent and routes on its keys. In a flow another
// conversation may have the other keys.
func (p *prompt) isOwn(site *flow.Site) bool {
	return site.State != nil && site.State.Agent == p.agent && p.agent.Node == p.step.Node && p.offersChoice(site)
}

// unmentionedKeys returns the keys with a row that the prompt does not contain as a word.
func (p *prompt) unmentionedKeys(site *flow.Site) []string {
	return slices.DeleteFunc(slices.Clone(p.offeredKeys(site)), func(key string) bool { return containsKey(p.text, key) || p.rowsWithKey(key) == nil })
}

func isKeyOf(key string, legal []string) bool {
	return slices.ContainsFunc(legal, func(l string) bool { return ir.FoldKey(l) == ir.FoldKey(key) })
}

// markedWord matches a word that a prompt sets apart: in quotes, in bold, in a table cell, or in
// capitals.
var markedWord = regexp.MustCompile("[`\"“'*|]\\s?([\\p{L}][\\p{L}\\p{N}_-]{3,40})\\s?[`\"”'*|]|\\b(\\p{Lu}[\\p{Lu}_-]{3,40})\\b")

// markedWords returns the words that a prompt sets apart.
func markedWords(text string) []namedKey {
	var found []namedKey
	for at := 0; at < len(text); {
		m := markedWord.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		if m[2] < 0 {
			m[2], m[3] = m[4], m[5]
		}
		found = append(found, namedKey{start: at + m[2], end: at + m[3], key: text[at+m[2] : at+m[3]]})
		at += m[3]
	}

	return found
}

// nearWord returns the first marked word that is similar to the key but is not a key.
func nearWord(key string, marked []namedKey, legal []string) (namedKey, bool) {
	for _, word := range marked {
		near, ok := nearestMistyped(strings.ToLower(word.key), ir.Map(legal, strings.ToLower))
		if ok && near == strings.ToLower(key) && len(key) > 3 {
			return word, true
		}
	}

	return namedKey{}, false
}

// reportMissingLoopWord reports a prompt without the word on which its pattern routes: done in the
// judging step of a reflexion or plan-execute, parallel in a scatter. A react loop is offered the
// keys, so its prompt counts only if it names others.
func (p *prompt) reportMissingLoopWord() {
	f, ok := ir.PatternOf(p.agent.Node)
	if !ok || strings.TrimSpace(p.text) == "" || flow.NeverRuns(f, p.step) {
		return
	}
	key, does := loopWord(f, p.step)
	if key == "" || p.words().hasKey(key) {
		return
	}
	if p.react != nil && !slices.ContainsFunc(namedKeysIn(p.text), func(k namedKey) bool { return k.form.isCertain() }) {
		return // the tool finish lists the keys
	}
	p.u.report(diag.New(diag.PromptKey, p.firstLine(), "the prompt of %s never says %q, which %s", p.owner(), key, does).
		WithHint("say when to finish with %q", key))
}

// loopWord returns the word that a flow looks for in the result of a step, and its effect.
func loopWord(f *ir.Flow, step *ir.Step) (key, does string) {
	results := map[*ir.Output]bool{}
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		switch op := t.Do.(type) {
		case *ir.Run:
			if op.Step == step {
				results[t.Output] = true
			}
		case *ir.Branch:
			if says, isSays := op.Condition().(*ir.SaysDone); isSays && results[ir.OutputOf(says.X)] {
				key, does = ir.DoneKey, "ends the loop of pattern \""+f.Pattern()+"\""
			}
			test, isKey := ir.KeyTestOf(op.Condition())
			if !isKey || !results[test.Of] {
				return
			}
			key, does = test.Key, "ends the loop of pattern \""+f.Pattern()+"\""
			if test.Not {
				does = "hands out the work of pattern \"" + f.Pattern() + "\""
			}
		}
	})

	return key, does
}
