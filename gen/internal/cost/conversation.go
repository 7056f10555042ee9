package cost

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// What the runtime and providers put around texts, in tokens. The property test counts with them, too.
const (
	// perRequest, perTool and perMessage are around a request with tools, each of them, and each message.
	perRequest, perTool, perMessage = 800, 16, 16
	// perCall is the least that a call of a tool is in a reply.
	perCall = 8
	// mostCalls is how many calls of one turn are executed; each one beyond them is answered with overflow tokens.
	mostCalls, overflow = 100, 60

	// reactFrame is around the prompt of a react loop, and its own tools; skillsFrame is what skills add.
	reactFrame, skillsFrame = 800, 1300
	// listFrame says how a list is written, adviceFrame what was wrong with a reply, wrongCall what was with a call of a tool. mostQuoted
	// bounds what of a reply is quoted there, of which each token may become quoteGrowth.
	listFrame, adviceFrame, wrongCall, mostQuoted, quoteGrowth = 400, 250, 80, 2000, 4
	// mostRemark is below a result that was cut.
	mostRemark = 700
	// mostError is the text of an error. That of a group has mostListed of them.
	mostError, mostListed = 2500, 5

	// defaultShown is how much of a result of a tool a model is shown, in bytes, and skillFileShown of a file of a skill.
	defaultShown, skillFileShown = 20_000, 20_000
)

// talk is a conversation with a model, at one of its places.
type talk struct {
	label string
	step  *ir.Step
	// settings is the field that max_tokens belongs to, unless that is call.model.
	settings string
	// system and input are what the model is given, in tokens; keys are the texts of the keys that it may finish with.
	system, input, keys Amount
}

// conversation returns the bound of a conversation, and the size of its value.
func (x *analysis) conversation(t talk) (bound, Amount) {
	chain := x.chain(t.step.Call)
	reply := Amount(0)
	for _, m := range chain {
		reply = max(reply, m.reply)
	}
	var b bound
	switch node := t.step.Node.(type) {
	case *ir.React:
		b = x.react(t, node, chain, reply)
	case *ir.Oneshot:
		b = x.oneshot(t, node, chain, reply)
	}
	b.fail = amount.Of(mostError).Plus(t.keys)

	return b, reply
}

// oneshot asks once, and again after each faulty reply.
func (x *analysis) oneshot(t talk, node *ir.Oneshot, chain []*model, reply Amount) bound {
	schema, list, quote := Amount(0), Amount(0), quoted(reply)
	switch {
	case node.List != nil:
		list = listFrame
	case node.Output != nil:
		schema = size(node.Output.JSON)
		quote = faults(node.Output, reply)
	default:
		quote = 0
	}
	first := amount.Sum(t.system, t.input, schema, list, 2*perMessage)
	again := amount.Sum(reply, quote, schema, list, adviceFrame, 2*perMessage)

	return x.turns(t, chain, first, []growth{{amount.Of(node.Repair).Plus(1), again}}, 0)
}

// react asks until the model finishes, at most max_iter times.
func (x *analysis) react(t talk, node *ir.React, chain []*model, reply Amount) bound {
	kit := x.toolkit(node, reply)
	list := Amount(0)
	if node.List != nil {
		list = amount.Of(listFrame).Plus(size(node.List.Key).Times(2))
	}
	schema := Amount(0)
	if node.Output != nil {
		schema = size(node.Output.JSON).Times(2) // references in it may become longer
	}
	keys := t.keys.Plus(amount.Sum(ir.Map(ir.Values(node.Keys), quotedKey)...))
	first := amount.Sum(t.system, reactFrame, perRequest, kit.offered, list, schema, keys, 3*perMessage)

	calls := min(mostCalls, reply/perCall)
	result := max(t.input, kit.result, kit.known.Plus(wrongCall)).Plus(perMessage)
	beyond := reply/perCall - calls // of which nothing is quoted
	results := amount.Sum(reply, perMessage, calls.Times(result), beyond.Times(overflow+perMessage-perCall*quoteGrowth), reply.Times(quoteGrowth), 200)
	advice := amount.Sum(adviceFrame, keys, list, perMessage)
	fault := max(quoted(reply), faults(node.Output, reply))
	again := Amount(overflow)
	if node.Gate != nil { // which refuses each of them
		again = kit.known.Plus(wrongCall)
	}
	finishes := amount.Sum(reply, perMessage, fault, advice, (reply / perCall).Times(again.Plus(perMessage)))
	text := amount.Sum(reply, perMessage, fault, advice)
	faulty := max(results, finishes, text)
	repairs := min(amount.Of(node.Repair), amount.Of(node.MaxIter))
	tools := Amount(0)
	if kit.tools {
		tools = calls
	}

	return x.turns(t, chain, first, []growth{{repairs, faulty}, {amount.Of(node.MaxIter) - repairs, results}}, tools)
}

// quoted is what a message quotes of a reply.
func quoted(reply Amount) Amount { return min(reply.Times(quoteGrowth), mostQuoted) }

func quotedKey(key string) Amount { return size(key).Times(2).Plus(8) }

// growth says of some turns by how much each of them makes the conversation longer.
type growth struct{ turns, by Amount }

// turns adds up the calls of a conversation that begins with some input and grows with each turn.
func (x *analysis) turns(t talk, chain []*model, first Amount, grows []growth, tools Amount) bound {
	b := bound{traits: traits{width: 1}}
	last := first
	n := Amount(0)
	for _, g := range grows {
		if g.turns > 0 {
			n, last = n.Plus(g.turns), last.Plus(g.by.Times(g.turns-1))
		}
	}
	x.unboundedInput(t, chain, last)
	for _, m := range chain {
		one, total := m.request(x.attempts, last), Spend{}
		for at, g := 0, first; at < len(grows); at++ {
			total = total.plus(m.requests(x.attempts, g, grows[at]))
			g = g.Plus(grows[at].by.Times(grows[at].turns))
		}
		b.capped = b.capped || last > m.context
		if x.only != "" && x.only != m.name {
			continue
		}
		b.turn, b.most = b.turn.plus(one), b.most.plus(total)
		b.rate = max(b.rate, m.rate())
	}
	if x.only == "" || len(chain) > 0 && chain[0].name == x.only {
		b.most.Calls, b.turn.Calls = n, 1
		b.most.Tools, b.turn.Tools = n.Times(tools), tools
	}
	b = b.settled()
	b.main = term{text: t.label, spend: b.most}
	if n > 1 {
		b.main.text += " × " + n.String() + " turns"
	}

	return b
}

// toolkit is what the skills of a react loop add to its conversation.
type toolkit struct {
	// offered is the size of all tools and of what the prompt says of skills, result the longest answer of a call, known what an
	// answer to a wrong call names.
	offered, result, known Amount
	// tools says that there are tools which the engine runs.
	tools bool
}

// toolkit adds up the skills of a react loop whose replies have a bound. All of them may be read at once.
func (x *analysis) toolkit(node *ir.React, reply Amount) toolkit {
	kit := toolkit{}
	if node.Gate != nil { // which says what it refuses, and what is possible instead
		kit.known = 600
	}
	if len(node.Uses) == 0 {
		return kit
	}
	kit.offered, kit.known = skillsFrame+3*perTool, kit.known+300
	for _, use := range node.Uses {
		x.addSkill(&kit, use.Skill, reply)
	}

	return kit
}

func (x *analysis) addSkill(kit *toolkit, skill *ir.Skill, reply Amount) {
	name := size(skill.Name.Value)
	kit.offered = amount.Sum(kit.offered, name.Times(2), size(skill.Description.Value), 16)
	kit.known = amount.Sum(kit.known, name, 4)
	body := amount.Sum(name, size(skill.Body.Value), 16)
	if len(skill.Files) > 0 {
		body = amount.Sum(body, name, 200)
		kit.result = max(kit.result, skillFileShown+mostRemark)
	}
	for _, f := range skill.Files {
		body = amount.Sum(body, size(f.Path), 4)
		kit.known = amount.Sum(kit.known, size(f.Path), 4)
	}
	kit.result = max(kit.result, body)
	shown := cmp.Or(amount.Of(int(x.program.Limits.ToolResult)), defaultShown)
	for _, ref := range skill.Tools {
		description, schema, wrong := "", "", Amount(0)
		if spec := rt.Builtin(ref.Builtin); spec != nil {
			description, schema = spec.Description, spec.Input
			wrong = amount.Sum(reply, size(schema).Times(2), 200) // each parameter is named once or twice
		} else if ref.Tool != nil && ref.Tool.Input != nil {
			description, schema = ref.Tool.Description.Value, ref.Tool.Input.JSON
			wrong = faults(ref.Tool.Input, reply)
		}
		if ref.Value == "read_result" { // then nothing offers the rest of a long result, and all of it is shown
			shown = Unbounded
		}
		kit.tools = true
		kit.offered = amount.Sum(kit.offered, size(ref.Value, description, schema), perTool)
		kit.known = amount.Sum(kit.known, size(ref.Value), 4)
		kit.result = max(kit.result, shown.Plus(mostRemark), amount.Sum(size(ref.Value), wrong, mostQuoted, wrongCall))
	}
}
