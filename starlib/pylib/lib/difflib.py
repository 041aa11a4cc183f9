"""Differences of sequences and texts."""
from collections import namedtuple as _namedtuple

Match = _namedtuple("Match", "a b size")


class SequenceMatcher:
    """Compares two sequences by their longest common pieces, and the longest on both sides of these."""

    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        """Sets both sequences."""
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        """Sets the first sequence."""
        self.a, self._blocks, self._codes = a, None, None

    def set_seq2(self, b):
        """Sets the second sequence, of which the elements are looked up."""
        self.b, self._blocks, self._codes = b, None, None
        places = {}
        for i, x in enumerate(b):
            places.setdefault(x, []).append(i)
        self.bjunk, self.bpopular = set(), set()
        if self.isjunk is not None:
            self.bjunk = set([x for x in places if self.isjunk(x)])
        n = len(b)
        if self.autojunk and n >= 200:
            self.bpopular = set([x for x, at in places.items() if x not in self.bjunk and len(at) > n // 100 + 1])
        self.b2j = {x: at for x, at in places.items() if x not in self.bjunk and x not in self.bpopular}

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        """The longest common piece within bounds, the first of several."""
        a, b = self.a, self.b
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        best_a, best_b, best = alo, blo, 0
        ends = {}
        for i in range(alo, ahi):
            now = {}
            for j in self.b2j.get(a[i], ()):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                k = now[j] = ends.get(j - 1, 0) + 1
                if k > best:
                    best_a, best_b, best = i - k + 1, j - k + 1, k
            ends = now
        for junk in (False, True):
            while best_a > alo and best_b > blo and (b[best_b - 1] in self.bjunk) == junk and a[best_a - 1] == b[best_b - 1]:
                best_a, best_b, best = best_a - 1, best_b - 1, best + 1
            while best_a + best < ahi and best_b + best < bhi and (b[best_b + best] in self.bjunk) == junk and a[best_a + best] == b[best_b + best]:
                best += 1
        return Match(best_a, best_b, best)

    def get_matching_blocks(self):
        """The common pieces in their order, and an empty one at the end."""
        if self._blocks is None:
            found, todo = [], [(0, len(self.a), 0, len(self.b))]
            while todo:
                alo, ahi, blo, bhi = todo.pop()
                i, j, k = self.find_longest_match(alo, ahi, blo, bhi)
                if k:
                    found.append((i, j, k))
                    if alo < i and blo < j:
                        todo.append((alo, i, blo, j))
                    if i + k < ahi and j + k < bhi:
                        todo.append((i + k, ahi, j + k, bhi))
            joined = []
            for i, j, k in sorted(found):
                if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                    joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + k)
                else:
                    joined.append((i, j, k))
            joined.append((len(self.a), len(self.b), 0))
            self._blocks = [Match(*m) for m in joined]
        return self._blocks

    def get_opcodes(self):
        """What makes the second of the first: tuples of a word and of bounds in both."""
        if self._codes is None:
            self._codes = []
            i = j = 0
            for ai, bj, size in self.get_matching_blocks():
                tag = "replace" if i < ai and j < bj else "delete" if i < ai else "insert" if j < bj else ""
                if tag:
                    self._codes.append((tag, i, ai, j, bj))
                i, j = ai + size, bj + size
                if size:
                    self._codes.append(("equal", ai, i, bj, j))
        return self._codes

    def get_grouped_opcodes(self, n=3):
        """get_opcodes in groups with n equal elements around each."""
        codes = list(self.get_opcodes()) or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = (tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2)
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = (tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n))
        groups, group = [], []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                groups.append(group)
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            groups.append(group)
        return iter(groups)

    def ratio(self):
        """How alike they are: 1.0 if they are equal."""
        return _part(sum([m.size for m in self.get_matching_blocks()]), len(self.a) + len(self.b))

    def quick_ratio(self):
        """At least the ratio: of the elements without their order."""
        left = {}
        for x in self.b:
            left[x] = left.get(x, 0) + 1
        n = 0
        for x in self.a:
            if left.get(x, 0) > 0:
                left[x] -= 1
                n += 1
        return _part(n, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        """At least the ratio: of the lengths."""
        return _part(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def _part(matches, length):
    return 2.0 * matches / length if length else 1.0


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    """The n most alike to a word, the nearest first."""
    if not n > 0:
        raise ValueError("n must be > 0: %s" % repr(n))
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError("cutoff must be in [0.0, 1.0]: %s" % repr(cutoff))
    found = []
    s = SequenceMatcher()
    s.set_seq2(word)
    for x in possibilities:
        s.set_seq1(x)
        if s.real_quick_ratio() >= cutoff and s.quick_ratio() >= cutoff and s.ratio() >= cutoff:
            found.append((s.ratio(), x))
    return [x for _, x in sorted(found, reverse=True)[:n]]


def _range(start, stop, context):
    first, n = start + 1, stop - start
    if context:
        if not n:
            first -= 1
        return str(first) if n <= 1 else "%d,%d" % (first, first + n - 1)
    if n == 1:
        return str(first)
    if not n:
        first -= 1
    return "%d,%d" % (first, n)


def _dated(date):
    return "\t" + date if date else ""


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    """The lines of a unified diff."""
    begun = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not begun:
            begun = True
            yield "--- %s%s%s" % (fromfile, _dated(fromfiledate), lineterm)
            yield "+++ %s%s%s" % (tofile, _dated(tofiledate), lineterm)
        first, last = group[0], group[-1]
        yield "@@ -%s +%s @@%s" % (_range(first[1], last[2], False), _range(first[3], last[4], False), lineterm)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
                continue
            if tag in ("replace", "delete"):
                for line in a[i1:i2]:
                    yield "-" + line
            if tag in ("replace", "insert"):
                for line in b[j1:j2]:
                    yield "+" + line


def context_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    """The lines of a context diff."""
    begun = False
    prefix = {"insert": "+ ", "delete": "- ", "replace": "! ", "equal": "  "}
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not begun:
            begun = True
            yield "*** %s%s%s" % (fromfile, _dated(fromfiledate), lineterm)
            yield "--- %s%s%s" % (tofile, _dated(tofiledate), lineterm)
        first, last = group[0], group[-1]
        yield "***************" + lineterm
        yield "*** %s ****%s" % (_range(first[1], last[2], True), lineterm)
        if any([g[0] in ("replace", "delete") for g in group]):
            for tag, i1, i2, _, _ in group:
                if tag != "insert":
                    for line in a[i1:i2]:
                        yield prefix[tag] + line
        yield "--- %s ----%s" % (_range(first[3], last[4], True), lineterm)
        if any([g[0] in ("replace", "insert") for g in group]):
            for tag, _, _, j1, j2 in group:
                if tag != "delete":
                    for line in b[j1:j2]:
                        yield prefix[tag] + line


def IS_LINE_JUNK(line):
    """Whether a line is blank, or a # alone."""
    return line.strip() in ("", "#")


def IS_CHARACTER_JUNK(ch, ws=" \t"):
    """Whether a character is a space or a tab."""
    return ch in ws


class Differ:
    """Compares lines, and within lines that are alike the characters."""

    def __init__(self, linejunk=None, charjunk=None):
        self.linejunk, self.charjunk = linejunk, charjunk

    def compare(self, a, b):
        """The lines of both, with - before those of the first, + before those of the second, and ? before marks."""
        for tag, alo, ahi, blo, bhi in SequenceMatcher(self.linejunk, a, b).get_opcodes():
            if tag == "replace":
                for line in self._replaced(a, alo, ahi, b, blo, bhi):
                    yield line
                continue
            for line in (b[blo:bhi] if tag == "insert" else a[alo:ahi]):
                yield {"delete": "- ", "insert": "+ ", "equal": "  "}[tag] + line

    def _plain(self, a, alo, ahi, b, blo, bhi):
        out = [("- ", a[alo:ahi]), ("+ ", b[blo:bhi])]
        if bhi - blo < ahi - alo:
            out.reverse()
        return [mark + line for mark, lines in out for line in lines]

    def _replaced(self, a, alo, ahi, b, blo, bhi):
        best, cutoff, at, equal = 0.74, 0.75, None, None
        s = SequenceMatcher(self.charjunk)
        for j in range(blo, bhi):
            s.set_seq2(b[j])
            for i in range(alo, ahi):
                if a[i] == b[j]:
                    if equal is None:
                        equal = (i, j)
                    continue
                s.set_seq1(a[i])
                if s.real_quick_ratio() > best and s.quick_ratio() > best and s.ratio() > best:
                    best, at = s.ratio(), (i, j)
        same = False
        if best < cutoff:
            if equal is None:
                return self._plain(a, alo, ahi, b, blo, bhi)
            at, same = equal, True
        i, j = at
        out = self._around(a, alo, i, b, blo, j)
        if same:
            out.append("  " + a[i])
        else:
            marks_a = marks_b = ""
            s.set_seqs(a[i], b[j])
            for tag, i1, i2, j1, j2 in s.get_opcodes():
                la, lb = i2 - i1, j2 - j1
                marks_a += {"replace": "^", "delete": "-", "insert": "", "equal": " "}[tag] * la
                marks_b += {"replace": "^", "delete": "", "insert": "+", "equal": " "}[tag] * lb
            out += self._marked(a[i], b[j], marks_a, marks_b)
        return out + self._around(a, i + 1, ahi, b, j + 1, bhi)

    def _around(self, a, alo, ahi, b, blo, bhi):
        if alo < ahi and blo < bhi:
            return list(self._replaced(a, alo, ahi, b, blo, bhi))
        return ["- " + line for line in a[alo:ahi]] + ["+ " + line for line in b[blo:bhi]]

    def _marked(self, line_a, line_b, marks_a, marks_b):
        out = ["- " + line_a]
        for line, marks, lead in ((line_a, marks_a, None), (line_b, marks_b, "+ ")):
            if lead is not None:
                out.append(lead + line)
            text = "".join([c if m == " " and c.isspace() else m for c, m in zip(line, marks)]).rstrip()
            if text:
                out.append("? " + text + "\n")
        return out


def ndiff(a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK):
    """What Differ gives."""
    return Differ(linejunk, charjunk).compare(a, b)


def restore(delta, which):
    """The lines of the first or the second text, of what ndiff gives."""
    if which not in (1, 2):
        raise ValueError("unknown delta choice (must be 1 or 2): %s" % repr(which))
    for line in delta:
        if line[:2] in ("  ", "- " if which == 1 else "+ "):
            yield line[2:]
