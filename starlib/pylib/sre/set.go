package sre

import "unicode"

// A Set is the characters that one place of a pattern takes.
type Set struct {
	low    [4]uint64 // those below 256, or 128 of text
	ranges []rune    // first, last, first, last: as they are written
	kinds  []kind
	negate bool
	flags  Flags
}

// A kind is one of \d, \s and \w, or its opposite.
type kind struct {
	name byte // d, s or w
	not  bool
}

// add adds the characters from lo to hi.
func (s *Set) add(lo, hi rune) { s.ranges = append(s.ranges, lo, hi) }

// bytes reports whether the pattern is of bytes.
func (f Flags) bytes() bool { return f&bytesFlag != 0 }

// ascii reports whether \w and its like, and case, are those of ASCII.
func (f Flags) ascii() bool { return f&(ASCII|bytesFlag) != 0 }

// done finishes the set: the low characters are looked up from then on.
func (s *Set) done() *Set {
	n := rune(128)
	if s.flags.bytes() {
		n = 256
	}
	for c := range n {
		if s.slow(c) {
			s.low[c>>6] |= 1 << (c & 63)
		}
	}
	return s
}

// has reports whether c is in the set.
func (s *Set) has(c rune) bool {
	if c < 128 || s.flags.bytes() {
		return s.low[c>>6&3]&(1<<(c&63)) != 0
	}
	return s.slow(c)
}

// slow is has by what the pattern says.
func (s *Set) slow(c rune) bool {
	found := s.written(c)
	if !found && s.flags&IgnoreCase != 0 {
		for x := nextCase(c, s.flags.ascii()); x != c && !found; x = nextCase(x, s.flags.ascii()) {
			found = s.written(x)
		}
	}
	return found != s.negate
}

func (s *Set) written(c rune) bool {
	for i := 0; i < len(s.ranges); i += 2 {
		if s.ranges[i] <= c && c <= s.ranges[i+1] {
			return true
		}
	}
	for _, k := range s.kinds {
		if isKind(k.name, c, s.flags.ascii()) != k.not {
			return true
		}
	}
	return false
}

// isKind reports whether c is one of \d, \s or \w.
func isKind(name byte, c rune, ascii bool) bool {
	if c < 128 || ascii {
		switch name {
		case 'd':
			return '0' <= c && c <= '9'
		case 's':
			return c == ' ' || '\t' <= c && c <= '\r' || !ascii && '\x1c' <= c && c <= '\x1f'
		}
		return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' && c < 128 || c == '_'
	}
	switch name {
	case 'd':
		return unicode.Is(unicode.Nd, c)
	case 's':
		return c == 0x85 || unicode.Is(unicode.Z, c)
	}
	return unicode.IsLetter(c) || unicode.IsNumber(c)
}

// nextCase goes round the characters that differ from c in case alone.
func nextCase(c rune, ascii bool) rune {
	if ascii {
		if c < 128 && 'a' <= c|0x20 && c|0x20 <= 'z' {
			return c ^ 0x20
		}
		return c
	}
	switch c { // Python takes the four for one letter, Unicode's simple folding does not
	case 'I':
		return 'i'
	case 'i':
		return 'İ'
	case 'İ':
		return 'ı'
	case 'ı':
		return 'I'
	}
	return unicode.SimpleFold(c)
}

// sameCase reports whether a and b differ in case at most.
func sameCase(a, b rune, ascii bool) bool {
	for x := nextCase(a, ascii); a != b && x != a; x = nextCase(x, ascii) {
		if x == b {
			return true
		}
	}
	return a == b
}
