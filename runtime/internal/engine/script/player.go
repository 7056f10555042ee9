package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Path is the branch numbers that lead to a branch, outermost first; nil outside of parallel
// groups. It leaves out at which effect a group began, so that a branch that is entered again
// continues its lists.
type Path []int

// key identifies the branch in maps.
func (p Path) key() string {
	var b strings.Builder
	for _, branch := range p {
		b.WriteString(strconv.Itoa(branch))
		b.WriteByte('.')
	}

	return b.String()
}

// nearestBranch returns the branch of the nearest parallel group; -1 outside of one.
func (p Path) nearestBranch() int {
	if len(p) == 0 {
		return -1
	}

	return p[len(p)-1]
}

// Player plays a script in one run. It is safe for concurrent use.
type Player struct {
	script *Script

	mu sync.Mutex
	// next is the index of the next item of a list in a branch.
	next map[spot]int
	// played is how much of a list some branch has played.
	played map[*head]int
	// began is, for an agent's run in a branch, what its tools had answered there before.
	began map[entry]map[spot]int
	// failedLast reports whether the last item played was a failed call.
	failedLast map[spot]bool
	// signalling are the newest turns of agents whose signals have not come yet.
	signalling map[entry]given
}

// spot is a list in a branch.
type spot struct {
	list *head
	path string
}

// entry is an agent in a branch.
type entry struct {
	agent, path string
}

// Play starts the script from its beginning.
func (s *Script) Play() *Player {
	return &Player{
		script: s, next: map[spot]int{}, played: map[*head]int{},
		began: map[entry]map[spot]int{}, failedLast: map[spot]bool{}, signalling: map[entry]given{},
	}
}

// Model answers a request. attempt counts the repetitions of one request, from 0: each takes a turn
// of its own, but a list that ends with an error goes on to fail.
func (p *Player) Model(request model.Request, path Path, attempt int) (model.Reply, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if request.Turn == 0 && attempt == 0 {
		p.recordEntry(request.Agent, path)
	}
	l := findList(p.script.agents, request.Agent, path)
	if l == nil {
		l = p.script.anyone
	}
	if l == nil {
		return model.Reply{}, &runtime.ScriptError{
			Name: request.Agent, Problem: "there are no turns for this agent, and none under \"*\"" + inBranch(path),
		}
	}

	at := spot{&l.head, path.key()}
	if l == p.script.anyone {
		at.path += request.Agent
		if request.Turn == 0 && attempt == 0 {
			p.next[at] = 0
		}
	}
	i := p.next[at]
	if i == len(l.items) && attempt > 0 && p.failedLast[at] {
		i--
	}
	if i >= len(l.items) {
		return model.Reply{}, p.ranOut(l, request, path)
	}
	p.advanceTo(at, i)
	p.failedLast[at] = l.items[i].failed != nil
	delete(p.signalling, entry{request.Agent, path.key()})
	if l.items[i].signals != nil {
		p.signalling[entry{request.Agent, path.key()}] = given{l, i}
	}

	return turnReply(l, i, request)
}

// recordEntry records how often the tools had answered in the branch before the agent began.
func (p *Player) recordEntry(agent string, path Path) {
	before := map[spot]int{}
	for _, l := range p.script.tools {
		at := spot{&l.head, path.key()}
		before[at] = p.next[at]
	}
	p.began[entry{agent, path.key()}] = before
}

func (p *Player) advanceTo(at spot, i int) {
	p.next[at] = max(p.next[at], i+1)
	p.played[at.list] = max(p.played[at.list], i+1)
}

func (p *Player) ranOut(l *list[turn], request model.Request, path Path) error {
	problem := fmt.Sprintf("ran out: the list has %s, and agent %q asks for one more", wording.Amount("turns", int64(len(l.items))), request.Agent)
	if last := lastProblem(request); last != "" {
		problem += fmt.Sprintf("; the last message to it was %q", last)
	}

	return l.errorAt(0, problem+inBranch(path))
}

// lastProblem is what was reported to the agent last, if that was a problem: it is why a script
// runs out most often.
func lastProblem(request model.Request) string {
	if request.Turn == 0 || len(request.Messages) == 0 {
		return ""
	}
	last := request.Messages[len(request.Messages)-1]
	if last.Role != model.RoleUser && !last.Failed {
		return ""
	}

	return wording.Start(last.Text)
}

// Tool answers a call; ok is false when no section does. path is the branch in which the agent
// runs.
func (p *Player) Tool(c runtime.ToolCall, path Path) (result runtime.ToolResult, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	l := findTool(p.script.tools, c.Tool.Name, path)
	if l == nil {
		return runtime.ToolResult{}, false, nil
	}
	at := spot{&l.head, path.key()}
	i := p.next[at]
	if before, ok := p.began[entry{c.Agent, at.path}]; ok {
		i = before[at] + c.Nth
	}
	if i >= len(l.items) {
		return runtime.ToolResult{}, true, l.errorAt(0, fmt.Sprintf("ran out: the list has %s, and agent %q calls the tool once more",
			wording.Amount("answers", int64(len(l.items))), c.Agent)+inBranch(path))
	}
	p.advanceTo(at, i)
	answer := l.items[i]

	return runtime.ToolResult{Text: answer.result, JSON: answer.json, Problem: answer.problem}, true, nil
}

// Call answers for a function; ok is false when no section does. An argument that the function
// could not read is an error, as it is without a script, and takes no answer.
func (p *Player) Call(c runtime.FuncCall, path Path) (result runtime.FuncResult, ok bool, err error) {
	l := findList(p.script.funcs, c.Name, path)
	if l == nil {
		return runtime.FuncResult{}, false, nil
	}
	if c.CheckArgs != nil {
		if err := c.CheckArgs(c.Args); err != nil {
			return runtime.FuncResult{}, true, fmt.Errorf("%s%w", wording.FuncFailed(c.Name), err)
		}
	}
	i, err := p.takeNext(&l.head, path)
	if err != nil {
		return runtime.FuncResult{}, true, err
	}
	answer := l.items[i]
	switch {
	case answer.problem != "":
		return runtime.FuncResult{}, true, errors.New(wording.FuncFailed(c.Name) + answer.problem)
	case answer.json:
		return runtime.FuncResult{Value: json.RawMessage(answer.result)}, true, nil
	}
	text, err := json.Marshal(answer.result)

	return runtime.FuncResult{Value: text}, true, err
}

// Ask answers a question; ok is false when no section does. The question's id ends in @branch where
// there is one.
func (p *Player) Ask(q runtime.Question, path Path) (answer runtime.Answer, ok bool, err error) {
	base, _, _ := strings.Cut(q.ID, "@")
	l, i, err := takeItem(p, p.script.asks, base, path)
	if l == nil || err != nil {
		return runtime.Answer{}, l != nil, err
	}
	if q.Timeout > 0 && l.items[i] == timeoutAnswer {
		return runtime.Answer{}, true, ErrTimeout
	}
	value, fits := q.Choose(l.items[i])
	if !fits {
		return runtime.Answer{}, true, l.errorAt(i+1, fmt.Sprintf("the answer %q is not one of %q", l.items[i], q.Choices))
	}

	return runtime.Answer{Value: value, By: "script"}, true, nil
}

// timeoutAnswer is the answer in a script with which the time of a question is over, as JSON.
const timeoutAnswer = `{"timeout":true}`

// ErrTimeout is the error of a question whose time is over, as the script says.
var ErrTimeout = errors.New("the script lets the question time out")

// Guard answers for a guard; ok is false when no section does.
func (p *Player) Guard(c runtime.GuardCall, path Path) (verdict runtime.Verdict, ok bool, err error) {
	l, i, err := takeItem(p, p.script.guards, c.Name, path)
	if l == nil || err != nil {
		return runtime.Verdict{}, l != nil, err
	}

	return l.items[i], true, nil
}

// takeItem takes the next item of the list of a name, and returns the list and the item's index.
func takeItem[T any](p *Player, lists []*list[T], name string, path Path) (l *list[T], i int, err error) {
	l = findList(lists, name, path)
	if l == nil {
		return nil, 0, nil
	}
	i, err = p.takeNext(&l.head, path)

	return l, i, err
}

// takeNext takes the next item of a list and returns its index.
func (p *Player) takeNext(l *head, path Path) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := spot{l, path.key()}
	i := p.next[at]
	if i >= l.size {
		return 0, l.errorAt(0, "ran out: the list has "+wording.Amount("answers", int64(l.size))+", and one more is asked for"+inBranch(path))
	}
	p.advanceTo(at, i)

	return i, nil
}

// findList returns the list of a name: the list for the branch of the nearest parallel group, else
// the one for every branch.
func findList[T any](lists []*list[T], name string, path Path) *list[T] {
	var all *list[T]
	for _, l := range lists {
		if l.base != name {
			continue
		}
		if l.branch == -1 {
			all = l
		} else if l.branch == path.nearestBranch() {
			return l
		}
	}

	return all
}

// findTool is find for a canonical name, where the script may have written the older one.
func findTool(lists []*list[toolAnswer], name string, path Path) *list[toolAnswer] {
	if l := findList(lists, name, path); l != nil {
		return l
	}
	if rt.Builtin(name) == nil {
		return nil
	}

	return findList(lists, "tama_"+name, path)
}

func inBranch(path Path) string {
	if len(path) == 0 {
		return ""
	}

	return fmt.Sprintf(" (in branch %d)", path.nearestBranch())
}
