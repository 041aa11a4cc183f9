package kernel

import "sync"

// queue holds the shell requests that wait. It is unbounded, so that shell is
// always read: an interrupt must see the cells of a "run all".
type queue struct {
	mu     sync.Mutex
	wake   *sync.Cond
	items  []*Message
	last   uint64 // the number of the last message put in
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.wake = sync.NewCond(&q.mu)
	return q
}

// put numbers a message and adds it.
func (q *queue) put(m *Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last++
	m.seq = q.last
	q.items = append(q.items, m)
	q.wake.Signal()
}

// take waits for the next message; it is false when the queue is closed.
func (q *queue) take() (*Message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.wake.Wait()
	}
	if q.closed {
		return nil, false
	}
	m := q.items[0]
	q.items[0] = nil
	q.items = q.items[1:]
	return m, true
}

// newest is the number of the last message that was put in.
func (q *queue) newest() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake.Broadcast()
}
