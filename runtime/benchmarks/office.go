package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// officeProject is a project of about n agents as people write them, in groups of five: three react agents, one oneshot agent, and
// the machine that routes between them. Two groups share a skill with two typed tools. Prompts differ with the seed.
func officeProject(n int, seed uint64) project {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	p := make(project)
	for group := range max(n/5, 1) {
		skill := fmt.Sprintf("library-%d", group/2)
		if group%2 == 0 {
			p["skills/"+skill+"/SKILL.md"] = fmt.Sprintf(officeSkill, skill, group/2, group/2, prose(random, 4))
		}
		p.officeGroup(group, skill, random)
	}

	return p
}

func (p project) officeGroup(group int, skill string, random *rand.Rand) {
	name := func(role string) string { return fmt.Sprintf("%s-%d", role, group) }
	body := func(ending string) string {
		return "You are one of several clerks. Call start() to get the case.\n\n" + prose(random, 10) + "\n" + ending + "\n"
	}

	p.agent(name("intake"), "Reads a case and says how urgent it is.", "react",
		"keys: [urgent, normal, unclear]\n",
		body(`Call finish(key="urgent"), finish(key="normal") or finish(key="unclear") with the case as value.`))
	p.agent(name("research"), "Collects what is known about a case.", "react",
		"max_iter: 20\ncall:\n  uses: ["+skill+"]\n",
		body(`Read the skill, search, and call finish(key="done") with the case and what you found.`))
	p.agent(name("draft"), "Writes an answer to a case.", "oneshot",
		"call:\n  model: {role: worker, temperature: 0.3}\n",
		"Write the answer to the case that follows.\n\n"+prose(random, 8))
	p.agent(name("review"), "Judges an answer.", "react",
		"keys: [approve, revise, reject]\n",
		body(`Call finish(key="approve"), finish(key="revise") or finish(key="reject") with the answer as value.`))
	p.agent(name("flow"), fmt.Sprintf("Handles the cases of desk %d.", group), "fsm",
		strings.ReplaceAll(officeStates, "N", fmt.Sprint(group)), "")
}

// officeStates is the frontmatter of the machine of group N.
const officeStates = `initial: intake-N
states:
  intake-N:
    - urgent: research-N
    - normal: draft-N
    - unclear: research-N
  research-N: draft-N
  draft-N: review-N
  review-N:
    - approve: done
    - revise: draft-N # another round
    - reject: intake-N
  done: ~
`

// officeSkill is a skill with two typed tools; it takes its name, two numbers for the tools' names, and a body.
const officeSkill = `---
name: %s
description: Searches the archive.
tools:
  - name: search_archive_%d
    description: Searches the archive for cases.
    effect: read
    input:
      type: object
      properties:
        query: {type: string, description: What to search for., minLength: 1}
        limit: {type: integer, minimum: 1, maximum: 50, default: 10}
        since: {type: string, pattern: "^[0-9]{4}$"}
      required: [query]
    output:
      type: array
      items:
        type: object
        properties:
          title: {type: string}
          state: {type: string, enum: [open, closed]}
        required: [title]
  - name: read_case_%d
    description: Reads one case.
    effect: read
    input:
      type: object
      properties:
        title: {type: string}
      required: [title]
---

%s`

// words are what prose is made of.
var words = strings.Fields(`the a case answer person date letter account order return ticket amount claim rule desk page reason name
	is was has needs asks says shows wants before after with without under for of and or not never always first last whole short
	plain exact open late early once again`)

// prose returns sentences of words in lines.
func prose(random *rand.Rand, sentences int) string {
	var b strings.Builder
	for range sentences {
		for i := range 8 + random.IntN(8) {
			word := words[random.IntN(len(words))]
			if i == 0 {
				word = strings.ToUpper(word[:1]) + word[1:]
			} else {
				b.WriteString(" ")
			}
			b.WriteString(word)
		}
		b.WriteString(".\n")
	}

	return b.String()
}
