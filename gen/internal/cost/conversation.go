package cost

import (
	"cmp"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Text that the runtime and providers add, in tokens. The property test uses these numbers, too.
const (
	// perRequest, perTool and perMessage are added to a request with tools, to each tool, and to
	// each message.
	perRequest, perTool, perMessage = 800, 16, 16
	// perCall is the minimal size of a tool call in a reply.
	perCall = 8
	// maxCalls is the number of calls in one turn that are executed. Each further call is answered
	// with overflowSize tokens.
	maxCalls, overflowSize = 100, 60

	// reactFrame is the prompt of a react loop with its own tools. skillsFrame is added by skills.
	reactFrame, skillsFrame = 800, 1300
	// listFrame describes the notation of a list, adviceFrame the problem of a reply, wrongCall the
	// problem of a tool call. maxQuoted bounds the quoted part of a reply, each token of which may
	// become quoteGrowth tokens.
	listFrame, adviceFrame, wrongCall, maxQuoted, quoteGrowth = 400, 250, 80, 2000, 4
	// maxRemark is added to a truncated result.
	maxRemark = 700
	// maxError is the size of an error. The error of a group has maxListed of them.
	maxError, maxListed = 2500, 5

	// defaultResultSize is how much of a tool's result a model sees, in bytes, and skillFileSize
	// how much of a skill's file.
	defaultResultSize, skillFileSize = 20_000, 20_000
)

// conversation is a conversation with a model at one of its places.
type conversation struct {
	label string
	step  *ir.Step
	// settings is the field that contains max_tokens, unless that is call.model.
	settings string
	// system and input are the sizes of the prompt and the input. keys is the size of the legal
	// keys.
	system, input, keys Amount
}

// boundConversation returns the bound of a conversation, and the size of its value.
func (x *analysis) boundConversation(t conversation) (bound, Amount) {
	chain := x.modelChain(t.step.Call)
	reply := Amount(0)
	for _, m := range chain {
		reply = max(reply, m.reply)
	}
	var b bound
	switch node := t.step.Node.(type) {
	case *ir.React:
		b = x.boundReact(t, node, chain, reply)
	case *ir.Oneshot:
		b = x.boundOneshot(t, node, chain, reply)
	}
	b.fail = amount.Of(maxError).Plus(t.keys)

	return b, reply
}

// boundOneshot bounds one call, and one more after each invalid reply.
func (x *analysis) boundOneshot(t conversation, node *ir.Oneshot, chain []*model, reply Amount) bound {
	schema, list, quote := Amount(0), Amount(0), quotedReply(reply)
	switch {
	case node.List != nil:
		list = listFrame
	case node.Output != nil:
		schema = size(node.Output.JSON)
		quote = faultsSize(node.Output, reply)
	default:
		quote = 0
	}
	first := amount.Sum(t.system, t.input, schema, list, 2*perMessage)
	again := amount.Sum(reply, quote, schema, list, adviceFrame, 2*perMessage)

	return x.boundTurns(t, chain, first, []growth{{amount.Of(node.Repair).Plus(1), again}}, 0)
}

// boundReact bounds the calls until the model finishes, at most max_iter.
func (x *analysis) boundReact(t conversation, node *ir.React, chain []*model, reply Amount) bound {
	kit := x.newToolkit(node, reply)
	list := Amount(0)
	if node.List != nil {
		list = amount.Of(listFrame).Plus(size(node.List.Key).Times(2))
	}
	schema := Amount(0)
	if node.Output != nil {
		schema = size(node.Output.JSON).Times(2) // references in it may become longer
	}
	keys := t.keys.Plus(amount.Sum(ir.Map(ir.Values(node.Keys), quotedKeySize)...))
	first := amount.Sum(t.system, reactFrame, perRequest, kit.toolsSize, list, schema, keys, 3*perMessage)

	calls := min(maxCalls, reply/perCall)
	result := max(t.input, kit.resultSize, kit.namesSize.Plus(wrongCall)).Plus(perMessage)
	beyond := reply/perCall - calls // nothing of these is quoted
	results := amount.Sum(reply, perMessage, calls.Times(result), beyond.Times(overflowSize+perMessage-perCall*quoteGrowth), reply.Times(quoteGrowth), 200)
	advice := amount.Sum(adviceFrame, keys, list, perMessage)
	fault := max(quotedReply(reply), faultsSize(node.Output, reply))
	again := Amount(overflowSize)
	if node.Gate != nil { // the gate refuses each call
		again = kit.namesSize.Plus(wrongCall)
	}
	finishes := amount.Sum(reply, perMessage, fault, advice, (reply / perCall).Times(again.Plus(perMessage)))
	text := amount.Sum(reply, perMessage, fault, advice)
	faulty := max(results, finishes, text)
	repairs := min(amount.Of(node.Repair), amount.Of(node.MaxIter))
	tools := Amount(0)
	if kit.hasTools {
		tools = calls
	}

	return x.boundTurns(t, chain, first, []growth{{repairs, faulty}, {amount.Of(node.MaxIter) - repairs, results}}, tools)
}

// quotedReply returns how much of a reply a message quotes.
func quotedReply(reply Amount) Amount { return min(reply.Times(quoteGrowth), maxQuoted) }

func quotedKeySize(key string) Amount { return size(key).Times(2).Plus(8) }

// growth is a number of turns, and how much each of them adds to the conversation.
type growth struct{ turns, by Amount }

// boundTurns adds up the calls of a conversation with a first input that grows with each turn.
func (x *analysis) boundTurns(t conversation, chain []*model, first Amount, grows []growth, tools Amount) bound {
	b := bound{traits: traits{limits: limits{width: 1}}}
	last := first
	n := Amount(0)
	for _, g := range grows {
		if g.turns > 0 {
			n, last = n.Plus(g.turns), last.Plus(g.by.Times(g.turns-1))
		}
	}
	x.recordUnboundedInput(t, chain, last)
	for _, m := range chain {
		one, total := m.requestSpend(x.attempts, last), Spend{}
		for at, g := 0, first; at < len(grows); at++ {
			total = total.add(m.requestsSpend(x.attempts, g, grows[at]))
			g = g.Plus(grows[at].by.Times(grows[at].turns))
		}
		b.isCapped = b.isCapped || last > m.context
		if x.only != "" && x.only != m.name {
			continue
		}
		b.turn, b.most = b.turn.add(one), b.most.add(total)
		b.rate = max(b.rate, m.highestPrice())
	}
	if x.only == "" || len(chain) > 0 && chain[0].name == x.only {
		b.most.Calls, b.turn.Calls = n, 1
		b.most.Tools, b.turn.Tools = n.Times(tools), tools
	}
	b = b.withoutFailure()
	b.main = term{text: t.label, spend: b.most}
	if n > 1 {
		b.main.text += " × " + n.String() + " turns"
	}

	return b
}

// toolkit is what skills add to the conversation of a react loop.
type toolkit struct {
	// toolsSize is the size of all tools and of the descriptions of skills, resultSize the longest
	// result of a call, and namesSize the names in the answer to a wrong call.
	toolsSize, resultSize, namesSize Amount
	// hasTools is set if there are tools that the engine runs.
	hasTools bool
}

// newToolkit adds up the skills of a react loop. All of them may be read at once.
func (x *analysis) newToolkit(node *ir.React, reply Amount) toolkit {
	kit := toolkit{}
	if node.Gate != nil { // a gate explains what it refuses, and what is possible instead
		kit.namesSize = 600
	}
	if len(node.Uses) == 0 {
		return kit
	}
	kit.toolsSize, kit.namesSize = skillsFrame+3*perTool, kit.namesSize+300
	for _, use := range node.Uses {
		x.addSkill(&kit, use.Skill, reply)
	}

	return kit
}

func (x *analysis) addSkill(kit *toolkit, skill *ir.Skill, reply Amount) {
	name := size(skill.Name.Value)
	kit.toolsSize = amount.Sum(kit.toolsSize, name.Times(2), size(skill.Description.Value), 16)
	kit.namesSize = amount.Sum(kit.namesSize, name, 4)
	body := amount.Sum(name, size(skill.Body.Value), 16)
	if len(skill.Files) > 0 {
		body = amount.Sum(body, name, 200)
		kit.resultSize = max(kit.resultSize, skillFileSize+maxRemark)
	}
	for _, f := range skill.Files {
		body = amount.Sum(body, size(f.Path), 4)
		kit.namesSize = amount.Sum(kit.namesSize, size(f.Path), 4)
	}
	kit.resultSize = max(kit.resultSize, body)
	shown := cmp.Or(amount.Of(int(x.program.Limits.ToolResult)), defaultResultSize)
	for _, ref := range skill.Tools {
		description, schema, wrong := "", "", Amount(0)
		if spec := rt.Builtin(ref.Builtin); spec != nil {
			description, schema = spec.Description, spec.Input
			wrong = amount.Sum(reply, size(schema).Times(2), 200) // each parameter is named once or twice
		} else if ref.Tool != nil && ref.Tool.Input != nil {
			description, schema = ref.Tool.Description.Value, ref.Tool.Input.JSON
			wrong = faultsSize(ref.Tool.Input, reply)
		}
		if ref.Value == "read_result" { // the whole result is shown, because nothing offers the rest of a long one
			shown = Unbounded
		}
		kit.hasTools = true
		kit.toolsSize = amount.Sum(kit.toolsSize, size(ref.Value, description, schema), perTool)
		kit.namesSize = amount.Sum(kit.namesSize, size(ref.Value), 4)
		kit.resultSize = max(kit.resultSize, shown.Plus(maxRemark), amount.Sum(size(ref.Value), wrong, maxQuoted, wrongCall))
	}
}
