package check

import "testing"

func TestPromptWords(t *testing.T) {
	words := newPromptWords("Approve it, or say that it needs some work; 请通过它. Ok?")
	for key, want := range map[string]bool{
		"approved": true, "APPROVE": true, "approval": true, "needs-work": true, "work": true, "通过": true, "ok": true, "-": true,
		"rejected": false, "needs-time": false, "o": false, "okay": false, "拒绝": false, "worldly": false, "rapprove": false,
	} {
		if got := words.mentionsKey(key); got != want {
			t.Errorf("%q is mentioned: %v", key, got)
		}
	}
	for text, want := range map[string]bool{
		"Finish it.": true, "call `finish`": true, "when finished": true, "the finale is finite": false, "": false,
	} {
		if got := newPromptWords(text).mentionsFinish(); got != want {
			t.Errorf("%q has finish: %v", text, got)
		}
	}
}
