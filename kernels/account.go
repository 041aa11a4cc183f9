package kernels

// An Account is told of the memory that kernels hold beyond their operands: so many bytes more or,
// below 0, fewer. What a kernel keeps for its next run stays counted. Several threads may call it;
// nil counts nothing.
type Account func(bytes int)

// Add tells a, if it is not nil.
func (a Account) Add(bytes int) {
	if a != nil {
		a(bytes)
	}
}

// With returns sets whose kernels tell a.
func (s Sets) With(a Account) Sets {
	told := make(Sets, len(s))
	for i, set := range s {
		told[i] = set.With(a)
	}
	return told
}

// A loan is memory of a kernel's for a while, which it gives back all at once.
type loan struct {
	account Account
	bytes   int
}

func (l *loan) take(bytes int) {
	l.bytes += bytes
	l.account.Add(bytes)
}

func (l *loan) end() {
	if l.bytes > 0 {
		l.account.Add(-l.bytes)
	}
}
