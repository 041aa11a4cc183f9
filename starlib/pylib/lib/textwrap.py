"""Text in lines of a width."""


def _words(text, hyphens):
    # The text as words and the spaces between them.
    chunks, word, space = [], "", ""
    for c in text:
        if c == " ":
            if word:
                chunks.append(word)
                word = ""
            space += c
        else:
            if space:
                chunks.append(space)
                space = ""
            word += c
            if hyphens and c == "-" and len(word) > 2 and word[-2].isalpha() and word[-3].isalpha():
                chunks.append(word)
                word = ""
    chunks.append(word or space)
    # A hyphen divides a word only if letters follow it.
    out = []
    for c in chunks:
        if out and out[-1].endswith("-") and out[-1].strip() and c.strip() and not (len(c) > 1 and c[0].isalpha() and c[1].isalpha()):
            out[-1] += c
        elif c:
            out.append(c)
    return out


class TextWrapper:
    """Wraps text by settings."""

    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None, placeholder=" [...]"):
        self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace, self.fix_sentence_endings = expand_tabs, replace_whitespace, fix_sentence_endings
        self.break_long_words, self.drop_whitespace, self.break_on_hyphens = break_long_words, drop_whitespace, break_on_hyphens
        self.tabsize, self.max_lines, self.placeholder = tabsize, max_lines, placeholder

    def wrap(self, text):
        """The lines of a text."""
        if self.width <= 0:
            raise ValueError("invalid width %d (must be > 0)" % self.width)
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            for c in "\t\n\x0b\x0c\r":
                text = text.replace(c, " ")
        chunks = _words(text, self.break_on_hyphens)
        lines, at = [], 0
        while at < len(chunks):
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and lines and not chunks[at].strip():
                at += 1
            line, n = [], 0
            while at < len(chunks) and n + len(chunks[at]) <= width:
                line.append(chunks[at])
                n += len(chunks[at])
                at += 1
            if at < len(chunks) and len(chunks[at]) > width:
                room = max(width - n, 1) if width >= 1 else 1
                if self.break_long_words:
                    if width - n > 0 or not line:
                        word = chunks[at]
                        line.append(word[:room])
                        n += len(word[:room])
                        chunks[at] = word[room:]
                elif not line:
                    line.append(chunks[at])
                    n += len(chunks[at])
                    at += 1
            if self.drop_whitespace and line and not line[-1].strip():
                n -= len(line.pop())
            if not line:
                continue
            rest = "".join(chunks[at:])
            last = self.max_lines is not None and len(lines) + 1 >= self.max_lines
            if last and (rest.strip() if self.drop_whitespace else rest):
                while line and not (line[-1].strip() and n + len(self.placeholder) <= width):
                    n -= len(line.pop())
                if line:
                    lines.append(indent + "".join(line) + self.placeholder)
                elif lines and len(lines[-1].rstrip()) + len(self.placeholder) <= self.width:
                    lines[-1] = lines[-1].rstrip() + self.placeholder
                else:
                    lines.append(indent + self.placeholder.lstrip())
                break
            lines.append(indent + "".join(line))
        return lines

    def fill(self, text):
        """The text in lines."""
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    """The lines of a text, of at most width characters."""
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    """The text in lines of at most width characters."""
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    """The text on one line, cut to a width."""
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    """The text without the whitespace that all its lines begin with."""
    margin = None
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if not line.strip():
            lines[i] = ""
            continue
        indent = line[:len(line) - len(line.lstrip())]
        if margin is None:
            margin = indent
        while not indent.startswith(margin):
            margin = margin[:-1]
    n = len(margin or "")
    return "\n".join([line[n:] for line in lines])


def indent(text, prefix, predicate=None):
    """The text with a prefix before its lines, but for empty ones."""
    def add(line):
        chosen = line.strip() if predicate is None else predicate(line)
        return prefix + line if chosen else line
    return "".join([add(line) for line in text.splitlines(True)])
