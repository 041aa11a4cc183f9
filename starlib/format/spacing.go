package format

import "github.com/arignote/arignote/starlib/parse"

// endsOperand says that a token of this kind may end an operand: what follows is a binary operator,
// a call or a subscript.
var endsOperand = map[parse.Kind]bool{
	parse.Ident: true, parse.Int: true, parse.Float: true, parse.String: true, parse.Bytes: true, parse.FString: true,
	parse.Ellipsis: true, parse.Rparen: true, parse.Rbrack: true, parse.Rbrace: true, parse.Load: true,
}

// signs are the operators that may stand before an operand, without space.
var signs = map[parse.Kind]bool{
	parse.Plus: true, parse.Minus: true, parse.Tilde: true, parse.Star: true, parse.StarStar: true, parse.Slash: true, parse.At: true,
}

// spaces says of each token of a line whether a space stands before it where it follows another on
// the same physical line.
func spaces(toks []parse.Token) []bool {
	out := make([]bool, len(toks))
	type bracket struct {
		subscript bool
		lambdas   int // whose colons are still to come
	}
	stack := []bracket{{}}
	tight := true // what comes next follows the token before without space
	before := parse.Newline
	for i, t := range toks {
		top := &stack[len(stack)-1]
		operand := endsOperand[before]
		next := false
		out[i] = !tight
		switch k := t.Kind; {
		case isOpen(k):
			out[i] = !tight && !(operand && k != parse.Lbrace)
			stack = append(stack, bracket{subscript: k == parse.Lbrack && operand})
			next = true
		case isClose(k):
			out[i] = false
			stack = stack[:len(stack)-1]
		case k == parse.Comma:
			out[i] = false
		case k == parse.Dot:
			out[i] = before == parse.Int || before == parse.Float // 1 .x is not 1.x
			next = true
		case k == parse.Lambda:
			top.lambdas++
		case k == parse.Colon:
			out[i] = !tight && before == parse.Comma                                       // x[0, :]
			if i+1 < len(toks) && toks[i+1].Kind == parse.Eq && toks[i+1].Start == t.End { // x := y
				out[i], next = true, true
			} else if top.lambdas > 0 {
				top.lambdas--
			} else {
				next = top.subscript
			}
		case signs[k]:
			next = !operand || k == parse.Tilde
			if k == parse.Minus && i+1 < len(toks) && toks[i+1].Kind == parse.Gt { // an arrow
				next = true
			}
		}
		tight, before = next, t.Kind
	}
	return out
}
