package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pageGoals are what the page of a run has to be, by the names that the tests of runtime/inspect/page/web print.
var pageGoals = map[string]goal{
	"page of 1000 effects, size":                                 {atMost, 3},
	"page of 1000 effects, until it is interactive":              {atMost, 1000},
	"page of 20000 effects, until it is interactive":             {atMost, 3000},
	"page of 20000 effects, frames a second when it is scrolled": {atLeast, 50},
	"page that is live, from event to pixel, the median of 10":   {atMost, 200},
	"server with 20 live pages of a run of 10 MB, heap":          {atMost, 300},
	"poll of the page of 4000 turns, nothing new":                {atMost, 50},
	"page of 4000 turns, as against 1000":                        {atMost, 6},
	"agentc dev, from a save to the diagnostics":                 {atMost, 150},
}

// pageTests are what prints those values: arguments of go test, and the folder.
var pageTests = [][]string{
	{"../inspect/page/web", "-run", "^(TestLarge|TestLive)$", "-v"},
	{"../servers/serve", "-run", "^TestLivePages$", "-v"},
	{"../servers/serve", "-run", "^$", "-bench", "^BenchmarkPage$", "-benchtime", "10x"},
	{"../../gen/command", "-run", "^$", "-bench", "^BenchmarkDev$", "-benchtime", "20x"},
}

// measuredLine is how those tests print a value.
var measuredLine = regexp.MustCompile(`(?m)^measured: (.+) = (\S+) (\S*)$`)

// measurePages measures the page of a run in Chromium, which is left out where there is none, its server and agentc dev.
func (b *bench) measurePages() {
	if b.small {
		return // its tests are those of runtime/inspect/page/web
	}
	b.progress.say("page")
	for _, test := range pageTests {
		b.measurePage(test[0], test[1:]...)
	}
}

// measurePage adds the values that go test prints.
func (b *bench) measurePage(dir string, args ...string) {
	out, _, err := execute(b.ctx, dir, nil, slices.Concat([]string{"go", "test", "-count=1"}, args, []string{"."})...)
	check(err)
	if strings.Contains(string(out), "--- SKIP") {
		b.progress.say("page: there is no Chromium")
		return
	}
	for _, m := range measuredLine.FindAllStringSubmatch(string(out), -1) {
		unit := m[3]
		if unit != "" {
			unit = " " + unit
		}
		b.add(m[1], must(strconv.ParseFloat(m[2], 64)), unit, pageGoals[m[1]])
	}
}
