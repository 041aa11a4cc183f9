/*
Package parse reads Starlark, and a syntax that extends it by what people write who come from
Python and NumPy. What it makes are trees of go.starlark.net/syntax, of standard nodes only, so
that upstream's resolver knows nothing of the extensions.

# Standard Starlark

Whatever upstream's parser accepts, File accepts too, and the trees are equal in every position
and value; tests compare the two. There are three differences. In the extended syntax x[a, b:c]
has two subscripts, while upstream takes it for a slice from (a, b). A NUL character is an error,
while upstream ends the text there. And nesting may be deeper.

A mistake is reported as an Error, whose Pos is that of upstream's. There, a token that should
have been another is reported at its end; Start is where it begins.

# The extended syntax

Each construct becomes calls of functions whose names begin with $, which no user can write. Whoever
runs a tree predeclares them; the variable Names has their arguments. Positions are those of the
source: what an error says of a call, it says of the operator.

	x ** y                    $pow(x, y), right associative; -x ** y is -(x ** y)
	x @ y                     $matmul(x, y), as tight as *
	x **= y, x @= y           x = $pow(x, y)
	x[a:b, c, ::2]            x[$bounds(a, b, None), c, $bounds(None, None, 2)]
	x[a,]                     x[(a,)]
	x[a:b:c]                  a SliceExpr, as upstream's, also where it is assigned to
	...                       $ellipsis
	f"a{x!r:.3f}{y=}"         $fstring("a", $field(x, "r", ".3f"), "y=", $field(y, "r", ""))
	f"{x:{w}d}"               $fstring($field(x, "", $fstring($field(w, "", ""), "d")))
	"a" f"{x}" "b"            $fstring("a", $field(x, "", ""), "b")
	"a" "b", u"ab", f"ab"     "ab"
	R"a", bR"a", BR"a"        r"a", rb"a", rb"a"
	x is y, x is not y        $is(x, y), not $is(x, y)
	a < b < c                 a < b and b < c
	a < f() < c               (lambda $x, $y: $x < $y and $y < c)(a, f())
	a = b = x                 a, b = $repeat(x, 2)
	a, *b, c = x              a, b, c = $unstar(x, 1, 1)
	a, *b = c = x             (a, b), c = (lambda $x: ($unstar($x, 1, 0), $x))(x)
	a, (b, *c) = x            a, (b, c) = $unstar(x, 2, -1, 1, (1, 0))
	f(*x, y, *z)              f(*$concat(x, [y], z))
	f(**x, a=y, **z)          f(**$keywords(x, {"a": y}, z))
	for a, *b in x            for a, b in $unstar_each(x, 1, 0)
	[*x, y], (*x, y)          $concat(x, [y]), ($tuple($concat(x, [y])))
	{x, y}, {x for ...}       $set([x, y]), $set([x for ...])
	f(x for ...), (x for ...) f([x for ...]), [x for ...]
	1_000, 0x_ff              1000, 0xff
	import a.b as c           c = $import("a.b", "")
	import a.b                $import("a.b", ""), then a = $import("a", "")
	from a import b as c      c = $import("a", "b")
	from a import *           $import_all("a")
	from __future__ import x  pass
	x: t = y, x: t            x = y, pass
	def f(x: t, /) -> t       def f(x)
	@g before def f           the def, then f = g(f); of several decorators the last comes first
	assert x, y               if not x: $assert(y)
	{a: b, **c}               $merge({a: b}, c)

The parameters $x and $y are bound by the trees themselves. As assert is an ordinary name in
Starlark, in a text that binds it it begins a statement only before what could not follow a name:
there assert (x) is a call, elsewhere it is Python's.

Statements of Python that need more than a call are encoded in trees by Marks, which package compile knows: try, raise, class, with,
del, global, nonlocal, yield, loops with an else, (x := y), and x[i] **= y.
*/
package parse
