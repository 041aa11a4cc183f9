package sre

import "strings"

// Glob is the pattern of what the shell means by a name with *, ? and [...] in it.
func Glob(name string) string {
	var parts []string // "*" stands for any text
	chars := []rune(name)
	for i := 0; i < len(chars); i++ {
		switch c := chars[i]; c {
		case '*':
			if len(parts) == 0 || parts[len(parts)-1] != "*" {
				parts = append(parts, "*")
			}
		case '?':
			parts = append(parts, ".")
		case '[':
			set, end := globSet(chars, i)
			parts, i = append(parts, set), end
		default:
			parts = append(parts, Escape(string(c)))
		}
	}
	var b strings.Builder
	b.WriteString("(?s:")
	for i := 0; i < len(parts); i++ {
		if parts[i] != "*" {
			b.WriteString(parts[i])
			continue
		}
		fixed := ""
		for ; i+1 < len(parts) && parts[i+1] != "*"; i++ {
			fixed += parts[i+1]
		}
		if i+1 < len(parts) { // what comes first will do: the next star takes the rest
			b.WriteString("(?>.*?" + fixed + ")")
		} else {
			b.WriteString(".*" + fixed)
		}
	}
	return b.String() + `)\Z`
}

// globSet is the set that begins at a place, and where it ends.
func globSet(chars []rune, at int) (set string, end int) {
	end = at + 1
	for end < len(chars) && (chars[end] != ']' || end == at+1 || end == at+2 && chars[at+1] == '!') {
		end++
	}
	if end == len(chars) {
		return `\[`, at
	}
	members := chars[at+1 : end]
	not := members[0] == '!'
	if not {
		members = members[1:]
	}
	var b strings.Builder
	for i := 0; i < len(members); i++ {
		lo := escapeMember(members[i])
		if i+2 < len(members) && members[i+1] == '-' {
			if members[i] <= members[i+2] {
				b.WriteString(lo + "-" + escapeMember(members[i+2]))
			}
			i += 2
			continue
		}
		b.WriteString(lo)
	}
	switch {
	case b.Len() == 0 && not:
		return ".", end
	case b.Len() == 0:
		return "(?!)", end
	case not:
		return "[^" + b.String() + "]", end
	}
	return "[" + b.String() + "]", end
}

func escapeMember(c rune) string {
	if strings.ContainsRune(`\]^[&~|-`, c) {
		return `\` + string(c)
	}
	return string(c)
}

// special are the characters that have, or may get, a meaning in patterns.
const special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"

// Escape is a text in which no character has a meaning for patterns.
func Escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(special, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
