package nameindex

import "sync"

// Index finds the numbers of the names in one list. The first search builds it. Searches may run at
// the same time, and the same name always has the same number. The zero Index is ready for use.
type Index struct {
	once    sync.Once
	numbers map[string]int
}

// Find returns the number of a name in the list, which is the same one in each call. ok is false for
// a name that is not in it.
func (x *Index) Find(list []string, name string) (number int, ok bool) {
	x.once.Do(func() { x.numbers = numberNames(list) })
	number, ok = x.numbers[name]

	return number, ok
}

// numberNames returns the number of each name in a list.
func numberNames(list []string) map[string]int {
	numbers := make(map[string]int, len(list))
	for number, name := range list {
		numbers[name] = number
	}

	return numbers
}
