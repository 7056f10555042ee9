package nameindex

import "testing"

// TestFind: a name has its number, and a name that is not in the list has none.
func TestFind(t *testing.T) {
	list := []string{"", "on", "off"}
	var x Index
	for number, name := range list {
		if got, ok := x.Find(list, name); !ok || got != number {
			t.Errorf("Find(%q) = %d, %v, want %d", name, got, ok, number)
		}
	}
	if _, ok := x.Find(list, "dim"); ok {
		t.Error("a name that is not in the list was found")
	}
}

// TestFindAtTheSameTime: searches may run at the same time.
func TestFindAtTheSameTime(t *testing.T) {
	list := []string{"on", "off"}
	var x Index
	found := make(chan int)
	for range 8 {
		go func() {
			number, _ := x.Find(list, "off")
			found <- number
		}()
	}
	for range 8 {
		if number := <-found; number != 1 {
			t.Errorf("Find = %d, want 1", number)
		}
	}
}
