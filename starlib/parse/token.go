package parse

import "go.starlark.net/syntax"

// A Kind is a sort of token. Upstream's token numbers do not suffice, as it has none for
// comments, f-strings, @ and the like.
type Kind uint8

// The kinds of tokens. Signs stand from Plus to AtEq, keywords from And on.
const (
	EOF Kind = iota
	Newline
	Indent
	Outdent
	Comment
	Mistake // what cannot be scanned, in a text of which all mistakes are asked
	Ident
	Reserved // a word that Starlark keeps from use: import, class, ...
	Int
	Float
	String
	Bytes
	FString

	Plus
	Minus
	Star
	Slash
	SlashSlash
	Percent
	Amp
	Pipe
	Caret
	LtLt
	GtGt
	Tilde
	StarStar
	At
	Dot
	Ellipsis
	Comma
	Eq
	Semi
	Colon
	Lparen
	Rparen
	Lbrack
	Rbrack
	Lbrace
	Rbrace
	Lt
	Gt
	Ge
	Le
	EqEq
	Ne
	PlusEq
	MinusEq
	StarEq
	SlashEq
	SlashSlashEq
	PercentEq
	AmpEq
	PipeEq
	CaretEq
	LtLtEq
	GtGtEq
	StarStarEq
	AtEq

	And
	Break
	Continue
	Def
	Elif
	Else
	For
	If
	In
	Lambda
	Load
	Not
	NotIn // never scanned: the parser makes it of two words
	Or
	Pass
	Return
	While

	numKinds
)

// kinds names each kind, and gives the token that stands for it in a tree where there is one.
var kinds = [numKinds]struct {
	name string
	tok  syntax.Token
}{
	EOF: {"end of file", syntax.EOF}, Newline: {"newline", syntax.NEWLINE}, Indent: {"indent", syntax.INDENT},
	Outdent: {"outdent", syntax.OUTDENT}, Comment: {"comment", 0},
	Mistake: {"mistake", 0}, Ident: {"identifier", syntax.IDENT},
	Reserved: {"reserved word", 0}, Int: {"int literal", syntax.INT}, Float: {"float literal", syntax.FLOAT},
	String: {"string literal", syntax.STRING}, Bytes: {"bytes literal", syntax.BYTES}, FString: {"f-string", 0},

	Plus: {"+", syntax.PLUS}, Minus: {"-", syntax.MINUS}, Star: {"*", syntax.STAR}, Slash: {"/", syntax.SLASH},
	SlashSlash: {"//", syntax.SLASHSLASH}, Percent: {"%", syntax.PERCENT}, Amp: {"&", syntax.AMP}, Pipe: {"|", syntax.PIPE},
	Caret: {"^", syntax.CIRCUMFLEX}, LtLt: {"<<", syntax.LTLT}, GtGt: {">>", syntax.GTGT}, Tilde: {"~", syntax.TILDE},
	StarStar: {"**", syntax.STARSTAR}, At: {"@", 0}, Dot: {".", syntax.DOT}, Ellipsis: {"...", 0}, Comma: {",", syntax.COMMA},
	Eq: {"=", syntax.EQ}, Semi: {";", syntax.SEMI}, Colon: {":", syntax.COLON}, Lparen: {"(", syntax.LPAREN},
	Rparen: {")", syntax.RPAREN}, Lbrack: {"[", syntax.LBRACK}, Rbrack: {"]", syntax.RBRACK}, Lbrace: {"{", syntax.LBRACE},
	Rbrace: {"}", syntax.RBRACE}, Lt: {"<", syntax.LT}, Gt: {">", syntax.GT}, Ge: {">=", syntax.GE}, Le: {"<=", syntax.LE},
	EqEq: {"==", syntax.EQL}, Ne: {"!=", syntax.NEQ}, PlusEq: {"+=", syntax.PLUS_EQ}, MinusEq: {"-=", syntax.MINUS_EQ},
	StarEq: {"*=", syntax.STAR_EQ}, SlashEq: {"/=", syntax.SLASH_EQ}, SlashSlashEq: {"//=", syntax.SLASHSLASH_EQ},
	PercentEq: {"%=", syntax.PERCENT_EQ}, AmpEq: {"&=", syntax.AMP_EQ}, PipeEq: {"|=", syntax.PIPE_EQ},
	CaretEq: {"^=", syntax.CIRCUMFLEX_EQ}, LtLtEq: {"<<=", syntax.LTLT_EQ}, GtGtEq: {">>=", syntax.GTGT_EQ},
	StarStarEq: {"**=", 0}, AtEq: {"@=", 0},

	And: {"and", syntax.AND}, Break: {"break", syntax.BREAK}, Continue: {"continue", syntax.CONTINUE}, Def: {"def", syntax.DEF},
	Elif: {"elif", syntax.ELIF}, Else: {"else", syntax.ELSE}, For: {"for", syntax.FOR}, If: {"if", syntax.IF},
	In: {"in", syntax.IN}, Lambda: {"lambda", syntax.LAMBDA}, Load: {"load", syntax.LOAD}, Not: {"not", syntax.NOT},
	NotIn: {"not in", syntax.NOT_IN}, Or: {"or", syntax.OR}, Pass: {"pass", syntax.PASS}, Return: {"return", syntax.RETURN},
	While: {"while", syntax.WHILE},
}

// String names the kind as messages do: words bare, signs in quotes.
func (k Kind) String() string {
	name := kinds[k].name
	if Plus <= k && k <= AtEq {
		return "'" + name + "'"
	}
	return name
}

// words are the keywords and the reserved words.
var words = func() map[string]Kind {
	m := make(map[string]Kind)
	for k := And; k < numKinds; k++ {
		if k != NotIn {
			m[kinds[k].name] = k
		}
	}
	for _, w := range []string{"as", "async", "await", "class", "del", "except", "finally", "from", "global", "import", "is",
		"nonlocal", "raise", "try", "with", "yield"} {
		m[w] = Reserved
	}
	return m
}()

// A Place is a position in a text: a line and a column from 1, the column in runes, and an offset
// in bytes from 0.
type Place struct{ Line, Col, Offset int32 }

// A Token is a piece of a text, from Start up to End. Indents, outdents and the end of the file
// have no width; so has the newline that the end of a block at the end of a text stands for.
type Token struct {
	Kind       Kind
	Start, End Place
}

// Text returns the token's text in the text that was scanned.
func (t Token) Text(text string) string { return text[t.Start.Offset:t.End.Offset] }
