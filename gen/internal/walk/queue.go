package walk

// queue has the configurations that have not been looked at, those with the fewest turns first, and of equals the
// older.
type queue []queued

type queued struct{ turns, count, config int }

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].turns != q[j].turns {
		return q[i].turns < q[j].turns
	}

	return q[i].count < q[j].count
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(v any) { *q = append(*q, v.(queued)) }

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]

	return last
}
