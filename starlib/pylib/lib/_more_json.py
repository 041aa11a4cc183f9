"""The classes of json."""
import json


class JSONEncoder:
    """Writes JSON text. Derived classes say in default what is written for values that JSON has not."""

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False, indent=None, separators=None, default=None):
        self.skipkeys, self.ensure_ascii, self.check_circular, self.allow_nan = skipkeys, ensure_ascii, check_circular, allow_nan
        self.sort_keys, self.indent, self.separators = sort_keys, indent, separators
        if default is not None:
            self.default = default

    def default(self, o):
        """What is written for a value that JSON has not."""
        raise TypeError("Object of type %s is not JSON serializable" % _name(o))

    def encode(self, o):
        """The JSON text of a value."""
        return json.dumps(o, skipkeys=self.skipkeys, ensure_ascii=self.ensure_ascii, allow_nan=self.allow_nan, sort_keys=self.sort_keys,
                          indent=self.indent, separators=self.separators, default=self.default)

    def iterencode(self, o, _one_shot=False):
        """The JSON text of a value, in parts."""
        yield self.encode(o)


class JSONDecoder:
    """Reads JSON text."""

    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True, object_pairs_hook=None):
        for name, given in [("parse_float", parse_float), ("parse_int", parse_int), ("parse_constant", parse_constant)]:
            if given is not None:
                raise TypeError("JSONDecoder: %s is not in Arignote: ints have no limit, and floats are of 64 bits" % name)
        self.object_hook, self.object_pairs_hook, self.strict = object_hook, object_pairs_hook, strict

    def decode(self, s):
        """The value of JSON text."""
        return json.loads(s, object_hook=self.object_hook, object_pairs_hook=self.object_pairs_hook)


def _name(o):
    return type(o).__name__
