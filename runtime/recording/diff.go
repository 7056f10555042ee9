package recording

import (
	"unicode/utf8"
)

// context is how many equal lines a hunk has around what differs.
const context = 2

// maxTable bounds the table with which differing lines are paired: where it would be larger they are shown as wholly other.
const maxTable = 1 << 20

// edit is a line that stays, goes or comes.
type edit struct {
	kind byte // one of ' ', '-', '+'
	text string
}

// diff shows where two texts differ, as lines of a unified diff.
func diff(before, after []string) []string {
	edits := edits(before, after)
	near := make([]bool, len(edits))
	for i, e := range edits {
		if e.kind != ' ' {
			for j := max(0, i-context); j <= min(len(edits)-1, i+context); j++ {
				near[j] = true
			}
		}
	}
	var lines []string
	for i := 0; i < len(edits); {
		switch {
		case !near[i]:
			if i > 0 && near[i-1] {
				lines = append(lines, "@@")
			}
			i++
		case edits[i].kind == ' ':
			lines = append(lines, " "+clipped(edits[i].text, 0))
			i++
		default:
			end := i
			for end < len(edits) && edits[end].kind != ' ' {
				end++
			}
			lines = append(lines, changed(edits[i:end])...)
			i = end
		}
	}
	if n := len(lines); n > 0 && lines[n-1] == "@@" { // nothing differs behind it
		lines = lines[:n-1]
	}

	return lines
}

// changed shows lines that go and lines that come. Of a pair of long ones it shows the place where they differ.
func changed(edits []edit) []string {
	var gone, come []string
	for _, e := range edits {
		if e.kind == '-' {
			gone = append(gone, e.text)
		} else {
			come = append(come, e.text)
		}
	}
	lines := make([]string, 0, len(edits))
	for i, text := range gone {
		lines = append(lines, "-"+clipped(text, differ(text, come, i)))
	}
	for i, text := range come {
		lines = append(lines, "+"+clipped(text, differ(text, gone, i)))
	}

	return lines
}

// differ is the first byte at which a line is another than its counterpart; 0 if it has none.
func differ(text string, others []string, i int) int {
	if i >= len(others) {
		return 0
	}
	at := 0
	for at < len(text) && at < len(others[i]) && text[at] == others[i][at] {
		at++
	}

	return at
}

// clipped is a line that is not too long, with the place at.
func clipped(text string, at int) string {
	if utf8.RuneCountInString(text) <= maxWidth {
		return text
	}
	before := ""
	if from := at - maxWidth/4; from > 0 {
		for !utf8.RuneStart(text[from]) {
			from--
		}
		before, text = "…", text[from:]
	}
	count := 0
	for i := range text {
		if count++; count > maxWidth {
			return before + text[:i] + "…"
		}
	}

	return before + text
}

// edits turns one text into another, with as few lines as it takes that go or come.
func edits(before, after []string) []edit {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	var all []edit
	for _, text := range before[:start] {
		all = append(all, edit{' ', text})
	}
	all = append(all, middle(before[start:len(before)-end], after[start:len(after)-end])...)
	for _, text := range before[len(before)-end:] {
		all = append(all, edit{' ', text})
	}

	return all
}

// middle is edits for texts that have neither beginning nor end in common.
func middle(before, after []string) []edit {
	var all []edit
	a, b := 0, 0
	if len(before) < maxTable/(len(after)+1) {
		common := table(before, after)
		for a < len(before) && b < len(after) {
			switch {
			case before[a] == after[b]:
				all = append(all, edit{' ', before[a]})
				a, b = a+1, b+1
			case common[a+1][b] >= common[a][b+1]:
				all = append(all, edit{'-', before[a]})
				a++
			default:
				all = append(all, edit{'+', after[b]})
				b++
			}
		}
	}
	for ; a < len(before); a++ {
		all = append(all, edit{'-', before[a]})
	}
	for ; b < len(after); b++ {
		all = append(all, edit{'+', after[b]})
	}

	return all
}

// table has, for each rest of two texts, how many lines they have in common in the same order.
func table(before, after []string) [][]int32 {
	common := make([][]int32, len(before)+1)
	for a := range common {
		common[a] = make([]int32, len(after)+1)
	}
	for a := len(before) - 1; a >= 0; a-- {
		for b := len(after) - 1; b >= 0; b-- {
			if before[a] == after[b] {
				common[a][b] = common[a+1][b+1] + 1
			} else {
				common[a][b] = max(common[a+1][b], common[a][b+1])
			}
		}
	}

	return common
}
