package sre

// bits is a set of bytes.
type bits [4]uint64

func (b *bits) has(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }

func (b *bits) merge(other *bits) {
	for i := range b {
		b[i] |= other[i]
	}
}

// from adds all bytes from c on.
func (b *bits) from(c int) {
	for ; c < 256; c++ {
		b[c>>6] |= 1 << (c & 63)
	}
}

// firstOf is the bytes that a text can begin with which nodes take, and whether it can be empty.
func firstOf(nodes []node) (first *bits, empty bool) {
	first = new(bits)
	for _, n := range nodes {
		one, skipped := firstOfNode(n)
		first.merge(one)
		if !skipped {
			return first, false
		}
	}
	return first, true
}

func firstOfNode(n node) (*bits, bool) {
	b := new(bits)
	switch n.form {
	case literal, set:
		if plain(n) {
			c := encoded(n)[0]
			b[c>>6] |= 1 << (c & 63)
			return b, false
		}
		s := one(n).set
		copy(b[:], s.low[:])
		if !n.flags.bytes() {
			b.from(128)
		}
		return b, false
	case any_, all:
		b.from(0)
		return b, false
	case branch:
		empty := false
		for _, part := range n.parts {
			one, skipped := firstOf(part)
			b.merge(one)
			empty = empty || skipped
		}
		return b, empty
	case group, atomic:
		return firstOf(n.parts[0])
	case repeat:
		one, skipped := firstOf(n.parts[0])
		return one, skipped || n.min == 0
	case back, test:
		b.from(0)
		return b, true
	}
	return b, true // at, look: nothing is taken
}

// prefix is the text that nodes begin with, and whether that is all that they take.
func prefix(nodes []node) (text string, whole bool) {
	for _, n := range nodes {
		switch {
		case plain(n):
			text += encoded(n)
			continue
		case n.form == group:
			part, all := prefix(n.parts[0])
			if text += part; all {
				continue
			}
		case n.form == repeat && n.min > 0:
			part, _ := prefix(n.parts[0])
			text += part
		}
		return text, false
	}
	return text, true
}
