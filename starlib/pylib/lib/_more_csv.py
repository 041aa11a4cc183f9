"""Dialects of tables."""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


def _error():
    import csv
    try:
        csv.reader([], "")
    except Exception as e:
        return type(e)


Error = _error()  # the class of what module csv raises


class Dialect:
    """What separates fields and rows: a base of classes."""

    delimiter = ","
    quotechar = '"'
    doublequote = True
    escapechar = None
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL
    skipinitialspace = False


class excel(Dialect):
    """The tables of spreadsheets."""


class excel_tab(excel):
    """The same, with tabs."""

    delimiter = "\t"


class unix_dialect(Dialect):
    """Rows that end in a newline."""

    lineterminator = "\n"
    quoting = QUOTE_ALL


def list_dialects():
    """The names of dialects."""
    return ["excel", "excel-tab", "unix"]


class Sniffer:
    """Finds out what separates the fields of a table."""

    preferred = [",", "\t", ";", " ", ":"]

    def sniff(self, sample, delimiters=None):
        """A dialect whose delimiter stands as often in each line."""
        lines = [line for line in sample.splitlines() if line]
        known = [d for d in (delimiters or self.preferred + ["|"])]
        best = None
        for d in known:
            counts = [self._outside(line, d) for line in lines]
            if counts and counts[0] > 0 and min(counts) == max(counts) and (best is None or counts[0] > best[1]):
                best = (d, counts[0])
        if best is None:
            raise Error("Could not determine delimiter")

        class dialect(Dialect):
            delimiter = best[0]
            skipinitialspace = all([d + " " in line for line in lines for d in [best[0]]])
        return dialect

    def _outside(self, line, delimiter):
        count, quoted = 0, False
        for c in line:
            if c == '"':
                quoted = not quoted
            elif c == delimiter and not quoted:
                count += 1
        return count

    def has_header(self, sample):
        """Whether the first row is names: the fields below are numbers where it has none."""
        import csv
        rows = list(csv.reader(sample.splitlines(), self.sniff(sample)))
        votes = 0
        for i, name in enumerate(rows[0]):
            below = [_is_number(row[i]) for row in rows[1:20] if len(row) == len(rows[0])]
            if below and all(below):
                votes += -1 if _is_number(name) else 1
        return votes > 0


def _is_number(text):
    try:
        complex(text)
        return True
    except ValueError:
        return False
