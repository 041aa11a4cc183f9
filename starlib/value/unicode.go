package value

import (
	"strings"
	"unicode"
)

// What a character is, and what case makes of it, as Python says it: Go's unicode has the
// categories and the properties, and the mappings of one character to one. What it has not stands
// here.

// specialCases are the letters whose upper case has several characters: "letter=upper=title",
// without a title that is as the upper case. Those of Greek letters with an iota below stand in
// iotas.
const specialCases = "" +
	"\u00df=SS=Ss \u0149=\u02bcN \u01f0=J\u030c \u0390=\u0399\u0308\u0301" +
	" \u03b0=\u03a5\u0308\u0301 \u0587=\u0535\u0552=\u0535\u0582 \u1e96=H\u0331 \u1e97=T\u0308" +
	" \u1e98=W\u030a \u1e99=Y\u030a \u1e9a=A\u02be \u1f50=\u03a5\u0313 \u1f52=\u03a5\u0313\u0300" +
	" \u1f54=\u03a5\u0313\u0301 \u1f56=\u03a5\u0313\u0342 \u1fb2=\u1fba\u0399=\u1fba\u0345" +
	" \u1fb3=\u0391\u0399=\u1fbc \u1fb4=\u0386\u0399=\u0386\u0345 \u1fb6=\u0391\u0342" +
	" \u1fb7=\u0391\u0342\u0399=\u0391\u0342\u0345 \u1fbc=\u0391\u0399=\u1fbc" +
	" \u1fc2=\u1fca\u0399=\u1fca\u0345 \u1fc3=\u0397\u0399=\u1fcc \u1fc4=\u0389\u0399=\u0389\u0345" +
	" \u1fc6=\u0397\u0342 \u1fc7=\u0397\u0342\u0399=\u0397\u0342\u0345 \u1fcc=\u0397\u0399=\u1fcc" +
	" \u1fd2=\u0399\u0308\u0300 \u1fd3=\u0399\u0308\u0301 \u1fd6=\u0399\u0342" +
	" \u1fd7=\u0399\u0308\u0342 \u1fe2=\u03a5\u0308\u0300 \u1fe3=\u03a5\u0308\u0301" +
	" \u1fe4=\u03a1\u0313 \u1fe6=\u03a5\u0342 \u1fe7=\u03a5\u0308\u0342" +
	" \u1ff2=\u1ffa\u0399=\u1ffa\u0345 \u1ff3=\u03a9\u0399=\u1ffc \u1ff4=\u038f\u0399=\u038f\u0345" +
	" \u1ff6=\u03a9\u0342 \u1ff7=\u03a9\u0342\u0399=\u03a9\u0342\u0345 \u1ffc=\u03a9\u0399=\u1ffc" +
	" \ufb00=FF=Ff \ufb01=FI=Fi \ufb02=FL=Fl \ufb03=FFI=Ffi \ufb04=FFL=Ffl \ufb05=ST=St" +
	" \ufb06=ST=St \ufb13=\u0544\u0546=\u0544\u0576 \ufb14=\u0544\u0535=\u0544\u0565" +
	" \ufb15=\u0544\u053b=\u0544\u056b \ufb16=\u054e\u0546=\u054e\u0576" +
	" \ufb17=\u0544\u053d=\u0544\u056d"

// A cased is what case makes of such a letter.
type cased struct{ upper, title string }

var casedSpecially = map[rune]cased{}

// iotas are the Greek letters with an iota below, eight each in lower case and in title case, by
// the first letter without it in upper case.
var iotas = map[rune]rune{0x1f80: 0x1f08, 0x1f90: 0x1f28, 0x1fa0: 0x1f68}

func init() {
	for _, row := range strings.Fields(specialCases) {
		parts := strings.Split(row, "=")
		casedSpecially[[]rune(parts[0])[0]] = cased{parts[1], parts[len(parts)-1]}
	}
	for first, base := range iotas {
		for i := range rune(16) {
			casedSpecially[first+i] = cased{string(base+i%8) + "\u0399", string(first + 8 + i%8)}
		}
	}
}

// upperOf, titleOf, lowerOf and foldedOf write a character in a case.
func upperOf(b *strings.Builder, r rune) {
	if c, ok := casedSpecially[r]; ok {
		b.WriteString(c.upper)
		return
	}
	b.WriteRune(unicode.ToUpper(r))
}

func titleOf(b *strings.Builder, r rune) {
	if c, ok := casedSpecially[r]; ok {
		b.WriteString(c.title)
		return
	}
	b.WriteRune(unicode.ToTitle(r))
}

func lowerOf(b *strings.Builder, r rune) {
	if r == 'İ' {
		b.WriteString("i\u0307")
		return
	}
	b.WriteRune(unicode.ToLower(r))
}

func foldedOf(b *strings.Builder, r rune) {
	switch {
	case r == 'ẞ':
		b.WriteString("ss")
	case r == 'ı':
		b.WriteRune(r)
	case unicode.Is(unicode.Cherokee, r):
		b.WriteRune(unicode.ToUpper(r))
	default:
		var upper strings.Builder
		upperOf(&upper, r)
		for _, u := range upper.String() {
			b.WriteRune(unicode.ToLower(u))
		}
	}
}

// lowerAt writes the character of a text at i in lower case: a sigma at the end of a word is
// another.
func lowerAt(b *strings.Builder, text []rune, i int) {
	if text[i] == 'Σ' && endsWord(text, i) {
		b.WriteRune('ς')
		return
	}
	lowerOf(b, text[i])
}

// endsWord reports whether letters precede the character at i, and none follows.
func endsWord(text []rune, i int) bool {
	before, after := i-1, i+1
	for before >= 0 && isIgnorable(text[before]) {
		before--
	}
	for after < len(text) && isIgnorable(text[after]) {
		after++
	}
	return before >= 0 && isCased(text[before]) && (after == len(text) || !isCased(text[after]))
}

func isLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }
func isUpper(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }
func isCased(r rune) bool { return isLower(r) || isUpper(r) || unicode.IsTitle(r) }

// isIgnorable reports whether a character does not end a word, such as an apostrophe or an accent.
func isIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
}

// IsSpace reports whether a character is white space: also the separators of ASCII.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// isDigitRune reports whether a character is a digit, also one above or in a circle.
func isDigitRune(r rune) bool { return unicode.IsDigit(r) || unicode.Is(otherDigits, r) }

// isNumeric reports whether a character has a value as a number.
func isNumeric(r rune) bool { return unicode.IsNumber(r) || strings.ContainsRune(numerals, r) }

func isAlnumRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// beginsName and continuesName report whether a name may have a character.
func beginsName(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) && !unicode.In(r, composed, composedMarks)
}

func continuesName(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd,
		unicode.Pc, unicode.Other_ID_Continue) && !unicode.Is(composed, r)
}

// otherDigits are the digits that are no decimal digits.
var otherDigits = ranges(
	0xb2, 0xb3, 0xb9, 0xb9, 0x1369, 0x1371, 0x19da, 0x19da, 0x2070, 0x2070, 0x2074, 0x2079,
	0x2080, 0x2089, 0x2460, 0x2468, 0x2474, 0x247c, 0x2488, 0x2490, 0x24ea, 0x24ea,
	0x24f5, 0x24fd, 0x24ff, 0x24ff, 0x2776, 0x277e, 0x2780, 0x2788, 0x278a, 0x2792,
	0x10a40, 0x10a43, 0x10e60, 0x10e68, 0x11052, 0x1105a, 0x1f100, 0x1f10a,
)

// composed are letters that are written as what no name may have.
var composed = ranges(
	0x37a, 0x37a, 0x2e2f, 0x2e2f, 0x309b, 0x309c, 0xfc5e, 0xfc63, 0xfdfa, 0xfdfb, 0xfe70, 0xfe70,
	0xfe72, 0xfe72, 0xfe74, 0xfe74, 0xfe76, 0xfe76, 0xfe78, 0xfe78, 0xfe7a, 0xfe7a,
	0xfe7c, 0xfe7c, 0xfe7e, 0xfe7e,
)

// composedMarks are letters that are written with a mark first, which begins no name.
var composedMarks = ranges(
	0xe33, 0xe33, 0xeb3, 0xeb3, 0xff9e, 0xff9f,
)

// numerals are the characters of words that are numbers.
const numerals = "㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零" +
	"\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3\uf9fd\U00020001\U00020064\U000200e2\U00020121" +
	"\U0002092a\U00020983\U0002098c\U0002099c\U00020aea\U00020afd\U00020b19\U00022390\U00022998" +
	"\U00023b1b\U0002626d\U0002f890"

// ranges is a table of characters: first, last, first, last and so on.
func ranges(ends ...uint32) *unicode.RangeTable {
	t := new(unicode.RangeTable)
	for i := 0; i < len(ends); i += 2 {
		t.R32 = append(t.R32, unicode.Range32{Lo: ends[i], Hi: ends[i+1], Stride: 1})
	}
	return t
}
