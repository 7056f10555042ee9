package wording

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Spender names the owner of a budget: an agent, a step of a workflow, or if there is no name the
// run.
func Spender(agent, step string) string {
	switch {
	case agent == "":
		return "the run"
	case step == "":
		return "agent " + Quote(agent)
	}

	return "step " + Quote(step) + " of workflow " + Quote(agent)
}

// The names of limits in errors and events.
const (
	LimitTokens = "tokens"
	LimitUSD    = "usd"
	LimitCalls  = "calls"
	LimitTime   = "time"
)

// Amount is an amount of a limit for people: 3 calls, 1200 tokens, $0.25, 1m30s.
func Amount(limit string, amount int64) string {
	switch limit {
	case LimitUSD:
		return dollars(amount)
	case LimitTime:
		return time.Duration(amount).String()
	}
	if amount == 1 {
		return "1 " + strings.TrimSuffix(limit, "s")
	}

	return strconv.FormatInt(amount, 10) + " " + limit
}

// Money is what something has cost, in millionths of a dollar; "" for nothing. All amounts of a report have as many
// decimals.
func Money(micro int64) string {
	if micro == 0 {
		return ""
	}

	return fmt.Sprintf("$%d.%06d", micro/1e6, micro%1e6)
}

// Count is a number of things; "" for none.
func Count(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}

	return strconv.Itoa(n) + " " + many
}

// dollars writes millionths of a dollar, with as many digits as they need, but at least cents.
func dollars(micro int64) string {
	text := fmt.Sprintf("$%d.%06d", micro/1e6, micro%1e6)

	return text[:len(text)-4] + strings.TrimRight(text[len(text)-4:], "0")
}
