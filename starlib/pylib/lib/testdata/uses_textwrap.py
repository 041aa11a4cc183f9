import textwrap, statistics, pprint
text = "The quick brown fox jumps over the lazy dog, and the well-known dog sleeps on. Supercalifragilisticexpialidocious words are broken   where they must be."
for width in [10, 20, 33, 70, 200]:
    print("\n".join(textwrap.wrap(text, width)))
    print("--")
print(textwrap.fill(text, 40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(text, 30), textwrap.shorten("short", 30), textwrap.shorten(text, 40, placeholder="..."))
print(textwrap.dedent("""
    a
      b

    c
"""))
print(textwrap.indent("a\n\nb\n", "> "), textwrap.wrap(""), textwrap.wrap("a b", 1, break_long_words=False) == ["a", "b"])
print(textwrap.fill("aaaaaaaaaaaaaaa bbb", 6, break_long_words=False))
print(textwrap.dedent("  x\n y"), textwrap.fill("one two three four", 9, max_lines=2))
