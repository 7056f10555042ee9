package diff

import "strings"

// mostWords is how many words of each text are compared one by one, once what both begin and end with is left out.
const mostWords = 2000

// context is how many words around a change are shown.
const context = 4

// wordDiff is a text in which words that are gone are in [-…-], and new ones in {+…+}. What has not changed is cut.
func wordDiff(old, now string) string {
	a, b := strings.Fields(old), strings.Fields(now)
	var begin, end []string
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		begin, a, b = append(begin, a[0]), a[1:], b[1:]
	}
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	end, a, b = a[len(a)-n:], a[:len(a)-n], b[:len(b)-n]

	var out []string
	if len(begin) > context {
		begin = append([]string{"…"}, begin[len(begin)-context:]...)
	}
	out = append(out, begin...)
	if len(a) > mostWords || len(b) > mostWords {
		out = append(out, gone(a), come(b))
	} else {
		out = append(out, changedWords(a, b)...)
	}
	if len(end) > context {
		end = append(end[:context:context], "…")
	}

	return strings.Join(strings.Fields(strings.Join(append(out, end...), " ")), " ")
}

func gone(words []string) string { return bracketed("[-", words, "-]") }
func come(words []string) string { return bracketed("{+", words, "+}") }

func bracketed(open string, words []string, end string) string {
	if len(words) == 0 {
		return ""
	}

	return open + strings.Join(words, " ") + end
}

// changedWords compares words by their longest common subsequence.
func changedWords(a, b []string) (out []string) {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var same, minus, plus []string
	flush := func() {
		out = append(out, gone(minus), come(plus))
		minus, plus = nil, nil
	}
	keep := func() {
		if len(same) > 2*context+1 {
			same = append(append(same[:context:context], "…"), same[len(same)-context:]...)
		}
		out = append(out, same...)
		same = nil
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			flush()
			same = append(same, a[i])
			i, j = i+1, j+1
			continue
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			minus = append(minus, a[i])
			i++
		default:
			plus = append(plus, b[j])
			j++
		}
		keep()
	}
	flush()
	keep()

	return out
}
