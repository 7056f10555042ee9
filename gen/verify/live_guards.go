package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// memoryFields are what the live machine remembers besides its state.
func (m *machine) memoryFields() string {
	room := fmt.Sprintf("[%d]", len(m.ir.States)+1)
	var fields []string
	for _, f := range []struct {
		holds bool
		field string
	}{
		{m.asked.named, "guards Guards"},
		{m.asked.visits, "visits " + room + "int64"},
		{len(m.asked.steps) > 0, "values " + room + "string"},
		{len(m.ir.Live.Timers) > 0, "deadline time.Time"},
	} {
		if f.holds {
			fields = append(fields, f.field)
		}
	}

	return strings.Join(fields, "; ")
}

// liveJudge compares how a live machine asks its guards, and which keys lead where.
func (m *machine) liveJudge() {
	judge := names.LiveMemory(m.name) + ".judge"
	if !m.ir.Guarded() {
		m.absent(judge)
		m.absent(m.method("toward"))

		return
	}
	args, before := `""`, ""
	if m.asked.named {
		args += ", runtime.AskGuard, m.guards"
	}
	if m.asked.visits {
		before = "g.Visits = &m.visits\n"
	}
	if len(m.asked.steps) > 0 {
		before += `for state, kept := range m.values {
			if kept != "" { g.Steps.keep(` + m.stateType() + `(state), kept) }
		}
`
	}
	m.writtenFunc(judge, fmt.Sprintf(`func (m *%s) judge(s %s, key %s, value string) (next %[2]s, judge *runtime.Judge, ok bool) {
		g := %[4]s(%[5]s)
		%[6]sg.Begin(s, key, value)
		next, ok = s.Next(key, g)
		return next, &g.Judge, ok
	}`, names.LiveMemory(m.name), m.stateType(), m.keyType(), names.NewGuards(m.name), args, before))
	m.writtenFunc(m.method("toward"), "func (s "+m.stateType()+") toward(to "+m.stateType()+") []"+m.keyType()+
		" { switch s {\n"+m.towardCases()+"}\nreturn nil }")
}

// towardCases are the cases of toward: of the states, and in them of those to which their rows lead.
func (m *machine) towardCases() string {
	var b strings.Builder
	for _, s := range m.ir.States {
		var order []string
		found := map[string][]string{}
		note := func(to *ir.State, key string) {
			name := names.State(m.name, to.Name.Value)
			if found[name] == nil {
				order = append(order, name)
			}
			if !slices.Contains(found[name], key) { // else it is another row of the key
				found[name] = append(found[name], key)
			}
		}
		if s.Always != nil {
			note(s.Always.State, `"*"`)
		}
		for _, key := range append(s.Keys(), anyKey) {
			written := `"*"`
			if key != anyKey {
				written = names.Key(m.name, key)
			}
			for _, row := range s.Try(key) {
				if !row.End {
					note(row.To.State, written)
				}
			}
		}
		if order == nil {
			continue
		}
		fmt.Fprintf(&b, "case %s: switch to {\n", names.State(m.name, s.Name.Value))
		for _, to := range order {
			fmt.Fprintf(&b, "case %s: return []%s{%s}\n", to, m.keyType(), strings.Join(found[to], ", "))
		}
		b.WriteString("}\n")
	}

	return b.String()
}
