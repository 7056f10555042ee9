package compiled

// Spender is what is known of an agent's money before it runs.
type Spender struct {
	Name string
	// Conversations are the names of the agent's own conversations with models.
	Conversations []string
	// Contains are the names of the agents that it runs directly.
	Contains []string
	// IsLimited reports whether a budget of the agent limits money.
	IsLimited bool
	// Priced are the names of conversations and agents for which a budget of a step limits money.
	Priced []string
}

// Spender returns what is known of the agent's money.
func (a *Agent) Spender() Spender {
	s := Spender{
		Name: a.Name, Contains: a.Contains, IsLimited: a.Budget != nil && a.Budget.USD > 0, Priced: a.Priced,
	}
	for _, c := range a.Conversations() {
		s.Conversations = append(s.Conversations, c.Name)
	}

	return s
}

// LimitsMoney reports whether the agent has a budget of money, or a workflow with a step that has one.
func (a *Agent) LimitsMoney() bool {
	return a.Budget != nil && a.Budget.USD > 0 || len(a.Priced) > 0
}

// LimitedConversations returns the names of the conversations whose cost some budget limits: that
// of the run, that of an agent, for all that the agent reaches, or that of a step. The spenders are
// all that a run reaches, and isRunLimited reports whether the budget of the run limits money.
func LimitedConversations(isRunLimited bool, spenders []Spender) map[string]bool {
	places := map[string]int{}
	for i := range spenders {
		places[spenders[i].Name] = i
	}
	limited, seen := map[string]bool{}, map[string]bool{}
	var limit func(agent string)
	limit = func(agent string) {
		place, isReached := places[agent]
		if !isReached || seen[agent] {
			return
		}
		seen[agent] = true
		s := &spenders[place]
		for _, conversation := range s.Conversations {
			limited[conversation] = true
		}
		for _, inner := range s.Contains {
			limit(inner)
		}
	}

	for i := range spenders {
		s := &spenders[i]
		if isRunLimited || s.IsLimited {
			limit(s.Name)
		}
		for _, name := range s.Priced {
			limited[name] = true
			limit(name)
		}
	}

	return limited
}
