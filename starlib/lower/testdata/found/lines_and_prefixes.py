# Lines end where Python says, and prefixes of strings have capitals.
s = "a\nb\r\nc\rd\x0be\x0cf\x1cg\x1dh\x1ei\u0085j\u2028k\u2029l\n\r\n"
print([x for x in map(ord, "|".join(s.splitlines()))], [len(x) for x in s.splitlines(True)], [len(x) for x in s.splitlines(keepends=True)])
print("".splitlines(), len("\n".splitlines()), len("\r".splitlines()), len("\n\r".splitlines()), len("a\r\r\nb".splitlines()))
print("\v".splitlines(), "a\x1fb".splitlines(), "a\r".splitlines(True), "\u2028\u2029".splitlines(), "\r\n\n\r".splitlines(True))
print([R"\d", r"\d", u"a", U"\u00e9", rb"\d" == Rb"\d" == rB"\d" == RB"\d" == br"\d" == Br"\d" == bR"\d" == BR"\d", b"q" == B"q", F"{1}", f"{1}"])
x = 2
print([fr"\{x}" == Fr"\{x}" == fR"\{x}" == FR"\{x}" == rf"\{x}" == Rf"\{x}" == rF"\{x}" == RF"\{x}", R"""a\
b""", U'c' R'\d' F'{x}'])
