"""Options of a command line, in the older manner: argparse is the newer one."""
import os
import sys
import textwrap

NO_DEFAULT = ("NO", "DEFAULT")
SUPPRESS_HELP = "SUPPRESSHELP"
SUPPRESS_USAGE = "SUPPRESSUSAGE"


class OptParseError(Exception):
    def __init__(self, msg):
        self.msg = msg

    def __str__(self):
        return self.msg


class OptionError(OptParseError):
    """An option is declared in a way that makes no sense."""

    def __init__(self, msg, option):
        self.msg = msg
        self.option_id = str(option)

    def __str__(self):
        return "option %s: %s" % (self.option_id, self.msg) if self.option_id else self.msg


class OptionConflictError(OptionError):
    """Two options have the same name."""


class OptionValueError(OptParseError):
    """A value is not of its option's type."""


class BadOptionError(OptParseError):
    """The command line has an option that there is not."""

    def __init__(self, opt_str):
        self.opt_str = opt_str

    def __str__(self):
        return "no such option: %s" % self.opt_str


class AmbiguousOptionError(BadOptionError):
    """The beginning of an option's name may be that of several."""

    def __init__(self, opt_str, possibilities):
        self.opt_str, self.possibilities = opt_str, possibilities

    def __str__(self):
        return "ambiguous option: %s (%s?)" % (self.opt_str, ", ".join(self.possibilities))


def _whole(text):
    for prefix, base in (("0x", 16), ("0b", 2)):
        if text[:2].lower() == prefix:
            return int(text[2:] or text, base)
    return int(text, 8) if text[:1] == "0" and len(text) > 1 else int(text)


def _converted(kind, what, option, opt, value):
    try:
        return kind(value)
    except ValueError:
        raise OptionValueError("option %s: invalid %s value: '%s'" % (opt, what, value)) from None


def _chosen(option, opt, value):
    if value in option.choices:
        return value
    raise OptionValueError("option %s: invalid choice: '%s' (choose from %s)" % (opt, value, ", ".join(["'%s'" % c for c in option.choices])))


_TYPES = {
    "string": lambda option, opt, value: value,
    "int": lambda option, opt, value: _converted(_whole, "integer", option, opt, value),
    "long": lambda option, opt, value: _converted(_whole, "integer", option, opt, value),
    "float": lambda option, opt, value: _converted(float, "floating-point", option, opt, value),
    "choice": _chosen,
}
_TAKE_A_VALUE = ("store", "append")
_ACTIONS = ("store", "store_const", "store_true", "store_false", "append", "append_const", "count", "callback", "help", "version")


class Option:
    """One option: its names, and what it does."""

    def __init__(self, *opts, action=None, type=None, dest=None, default=NO_DEFAULT, nargs=None, const=None, choices=None, callback=None, callback_args=None,
                 callback_kwargs=None, help=None, metavar=None):
        names = [o for o in opts if o]
        if not names:
            raise TypeError("at least one option string must be supplied")
        self._short_opts, self._long_opts = [], []
        for o in names:
            if len(o) < 2:
                raise OptionError("invalid option string %r: must be at least two characters long" % o, self)
            if len(o) == 2:
                if o[0] != "-" or o[1] == "-":
                    raise OptionError("invalid short option string %r: must be of the form -x, (x any non-dash char)" % o, self)
                self._short_opts.append(o)
            else:
                if o[:2] != "--" or o[2] == "-":
                    raise OptionError("invalid long option string %r: must start with --, followed by non-dash" % o, self)
                self._long_opts.append(o)
        self.action = action or "store"
        if self.action not in _ACTIONS:
            raise OptionError("invalid action: %r" % action, self)
        self.type = {str: "string", int: "int", float: "float"}.get(type, type) if type is not None else None
        if self.type is None and self.action in _TAKE_A_VALUE:
            self.type = "choice" if choices is not None else "string"
        if self.type is not None and self.type not in _TYPES:
            raise OptionError("invalid option type: %r" % self.type, self)
        if self.type is not None and self.action not in _TAKE_A_VALUE and self.action != "callback":
            raise OptionError("must not supply a type for action %r" % self.action, self)
        if self.type == "choice" and choices is None:
            raise OptionError("must supply a list of choices for type 'choice'", self)
        self.dest = dest
        if dest is None and (self.type is not None or self.action in ("store_const", "store_true", "store_false", "append_const", "count")):
            self.dest = self._long_opts[0][2:].replace("-", "_") if self._long_opts else self._short_opts[0][1]
        if self.action == "callback" and not callable(callback):
            raise OptionError("callback not callable: %r" % callback, self)
        self.default, self.const, self.choices, self.help, self.metavar = default, const, choices, help, metavar
        self.nargs = nargs if nargs is not None or self.type is None else 1
        self.callback, self.callback_args, self.callback_kwargs = callback, callback_args or (), callback_kwargs or {}

    def __str__(self):
        return "/".join(self._short_opts + self._long_opts)

    def takes_value(self):
        return self.type is not None

    def get_opt_string(self):
        return self._long_opts[0] if self._long_opts else self._short_opts[0]

    def process(self, opt, value, values, parser):
        """Does what the option is for."""
        if value is not None:
            check = _TYPES[self.type]
            value = check(self, opt, value) if self.nargs == 1 else tuple([check(self, opt, v) for v in value])
        if self.action == "store":
            setattr(values, self.dest, value)
        elif self.action == "store_const":
            setattr(values, self.dest, self.const)
        elif self.action == "store_true":
            setattr(values, self.dest, True)
        elif self.action == "store_false":
            setattr(values, self.dest, False)
        elif self.action in ("append", "append_const"):
            held = getattr(values, self.dest, None)
            if held is None:
                held = []
                setattr(values, self.dest, held)
            held.append(value if self.action == "append" else self.const)
        elif self.action == "count":
            setattr(values, self.dest, (getattr(values, self.dest, None) or 0) + 1)
        elif self.action == "callback":
            self.callback(self, opt, value, parser, *self.callback_args, **self.callback_kwargs)
        elif self.action == "help":
            parser.print_help()
            parser.exit()
        elif self.action == "version":
            parser.print_version()
            parser.exit()


make_option = Option


class Values:
    """What the options were."""

    def __init__(self, defaults=None):
        for name, value in (defaults or {}).items():
            setattr(self, name, value)

    def __str__(self):
        return str(self.__dict__)

    __repr__ = __str__

    def __eq__(self, other):
        if isinstance(other, Values):
            return self.__dict__ == other.__dict__
        return self.__dict__ == other if isinstance(other, dict) else NotImplemented

    def ensure_value(self, attr, value):
        if getattr(self, attr, None) is None:
            setattr(self, attr, value)
        return getattr(self, attr)


class _Container:
    # Options that are declared together.

    def _begin(self, description, conflicts):
        self.option_list, self.description, self.conflict_handler = [], description, conflicts
        self._short_opt, self._long_opt, self.defaults = {}, {}, {}

    def add_option(self, *args, **kwargs):
        """Declares an option: an Option, or the arguments of one."""
        option = args[0] if len(args) == 1 and not kwargs and isinstance(args[0], Option) else Option(*args, **kwargs)
        clash = [o for o in option._short_opts if o in self._short_opt] + [o for o in option._long_opts if o in self._long_opt]
        if clash and self.conflict_handler == "error":
            raise OptionConflictError("conflicting option string(s): %s" % ", ".join(clash), option)
        for o in clash:
            old = self._short_opt.pop(o, None) or self._long_opt.pop(o)
            (old._short_opts if o in old._short_opts else old._long_opts).remove(o)
            if not old._short_opts and not old._long_opts and old in self.option_list:
                self.option_list.remove(old)
        self.option_list.append(option)
        option.container = self
        for o in option._short_opts:
            self._short_opt[o] = option
        for o in option._long_opts:
            self._long_opt[o] = option
        if option.dest is not None:
            if option.default is not NO_DEFAULT:
                self.defaults[option.dest] = option.default
            elif option.dest not in self.defaults:
                self.defaults[option.dest] = None
        return option

    def add_options(self, option_list):
        for option in option_list:
            self.add_option(option)

    def get_option(self, opt_str):
        return self._short_opt.get(opt_str) or self._long_opt.get(opt_str)

    def has_option(self, opt_str):
        return opt_str in self._short_opt or opt_str in self._long_opt

    def remove_option(self, opt_str):
        option = self.get_option(opt_str)
        if option is None:
            raise ValueError("no such option %r" % opt_str)
        for o in option._short_opts:
            del self._short_opt[o]
        for o in option._long_opts:
            del self._long_opt[o]
        option.container.option_list.remove(option)


class OptionGroup(_Container):
    """Options below a title of their own."""

    def __init__(self, parser, title, description=None):
        self._begin(description, parser.conflict_handler)
        self.parser, self.title = parser, title
        self._short_opt, self._long_opt, self.defaults = parser._short_opt, parser._long_opt, parser.defaults


class OptionParser(_Container):
    """Reads a command line."""

    def __init__(self, usage=None, option_list=None, option_class=Option, version=None, conflict_handler="error", description=None, formatter=None, add_help_option=True,
                 prog=None, epilog=None):
        self._begin(description, conflict_handler)
        self.prog, self.version, self.epilog = prog, version, epilog
        self.option_groups, self.allow_interspersed_args = [], True
        self.set_usage(usage)
        if option_list:
            self.add_options(option_list)
        if version:
            self.add_option("--version", action="version", help="show program's version number and exit")
        if add_help_option:
            self.add_option("-h", "--help", action="help", help="show this help message and exit")

    def set_usage(self, usage):
        if usage is None:
            usage = "%prog [options]"
        self.usage = None if usage is SUPPRESS_USAGE else usage[7:] if usage.lower().startswith("usage: ") else usage

    def set_defaults(self, **kwargs):
        self.defaults.update(kwargs)

    def set_default(self, dest, value):
        self.defaults[dest] = value

    def enable_interspersed_args(self):
        self.allow_interspersed_args = True

    def disable_interspersed_args(self):
        self.allow_interspersed_args = False

    def add_option_group(self, *args, **kwargs):
        group = args[0] if isinstance(args[0], OptionGroup) else OptionGroup(self, *args, **kwargs)
        self.option_groups.append(group)
        return group

    def get_default_values(self):
        values = Values(self.defaults)
        for option in self.option_list + [o for g in self.option_groups for o in g.option_list]:
            held = self.defaults.get(option.dest)
            if isinstance(held, str) and option.type is not None:
                setattr(values, option.dest, _TYPES[option.type](option, option.get_opt_string(), held))
        return values

    def parse_args(self, args=None, values=None):
        """The values of the options, and the arguments that are none."""
        self.rargs = list(sys.argv[1:] if args is None else args)
        self.values = values or self.get_default_values()
        self.largs = []
        try:
            while self.rargs:
                arg = self.rargs[0]
                if arg == "--":
                    del self.rargs[0]
                    break
                elif arg[:2] == "--":
                    self._long(self.rargs.pop(0))
                elif arg[:1] == "-" and len(arg) > 1:
                    self._shorts(self.rargs.pop(0))
                elif self.allow_interspersed_args:
                    self.largs.append(self.rargs.pop(0))
                else:
                    break
        except (BadOptionError, OptionValueError) as e:
            self.error(str(e))
        return self.values, self.largs + self.rargs

    def _take(self, option, opt):
        n = option.nargs
        if len(self.rargs) < n:
            self.error("%s option requires %d argument%s" % (opt, n, "" if n == 1 else "s"))
        value = self.rargs[0] if n == 1 else tuple(self.rargs[:n])
        del self.rargs[:n]
        return value

    def _match(self, opt):
        if opt in self._long_opt:
            return opt
        near = sorted([o for o in self._long_opt if o.startswith(opt)])
        if len(near) == 1:
            return near[0]
        if near:
            raise AmbiguousOptionError(opt, near)
        raise BadOptionError(opt)

    def _long(self, arg):
        name, equals, given = arg.partition("=")
        opt = self._match(name)
        option = self._long_opt[opt]
        value = None
        if option.takes_value():
            if equals:
                self.rargs.insert(0, given)
            value = self._take(option, opt)
        elif equals:
            self.error("%s option does not take a value" % opt)
        option.process(opt, value, self.values, self)

    def _shorts(self, arg):
        for i, c in enumerate(arg[1:], 2):
            opt = "-" + c
            option = self._short_opt.get(opt)
            if not option:
                raise BadOptionError(opt)
            if option.takes_value():
                if i < len(arg):
                    self.rargs.insert(0, arg[i:])
                option.process(opt, self._take(option, opt), self.values, self)
                return
            option.process(opt, None, self.values, self)

    def get_prog_name(self):
        return self.prog if self.prog is not None else os.path.basename(sys.argv[0])

    def expand_prog_name(self, s):
        return s.replace("%prog", self.get_prog_name())

    def get_usage(self):
        return "Usage: %s\n" % self.expand_prog_name(self.usage) if self.usage else ""

    def get_version(self):
        return self.expand_prog_name(self.version) if self.version else ""

    def print_usage(self, file=None):
        if self.usage:
            print(self.get_usage(), file=file or sys.stdout)

    def print_version(self, file=None):
        if self.version:
            print(self.get_version(), file=file or sys.stdout)

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file or sys.stdout)

    def exit(self, status=0, msg=None):
        if msg:
            print(msg, end="", file=sys.stderr)
        sys.exit(status)

    def error(self, msg):
        self.print_usage(sys.stderr)
        self.exit(2, "%s: error: %s\n" % (self.get_prog_name(), msg))

    # The layout: names in a column as wide as the widest, up to 24, beside what they are for.

    def _names(self, option):
        if not option.takes_value():
            return ", ".join(option._short_opts + option._long_opts)
        what = option.metavar or option.dest.upper()
        return ", ".join(["%s %s" % (o, what) for o in option._short_opts] + ["%s=%s" % (o, what) for o in option._long_opts])

    def _rows(self, options, indent):
        return [(indent, self._names(o), o) for o in options if o.help is not SUPPRESS_HELP]

    def format_option_help(self, formatter=None):
        rows = self._rows(self.option_list, 2)
        groups = [(g, self._rows(g.option_list, 4)) for g in self.option_groups]
        every = rows + [r for _, more in groups for r in more]
        column = min(max([i + len(names) for i, names, _ in every], default=0) + 2, 24)
        out = "Options:\n" + "".join([self._row(r, column) for r in rows])
        for g, more in groups:
            out += "\n  %s:\n" % g.title
            if g.description:
                out += textwrap.fill(g.description, self._width() - 4, initial_indent="    ", subsequent_indent="    ") + "\n\n"
            out += "".join([self._row(r, column) for r in more])
        return out

    def _width(self):
        return int(os.environ.get("COLUMNS", "80")) - 2

    def _row(self, row, column):
        indent, names, option = row
        width = column - indent - 2
        fits = len(names) <= width
        out = " " * indent + (names.ljust(width) + "  " if fits else names + "\n")
        if not option.help:
            return out.rstrip(" ") + ("\n" if fits else "") if not fits else " " * indent + names.ljust(width) + "  \n"
        value = self.defaults.get(option.dest)
        text = option.help.replace("%default", "none" if value is None or value is NO_DEFAULT else str(value))
        lines = textwrap.wrap(text, max(self._width() - column, 11))
        first = out + lines[0] if fits else out + " " * column + lines[0]
        return "\n".join([first] + [" " * column + line for line in lines[1:]]) + "\n"

    def format_help(self, formatter=None):
        out = self.get_usage() + "\n" if self.usage else ""
        if self.description:
            out += textwrap.fill(self.expand_prog_name(self.description), self._width()) + "\n\n"
        out += self.format_option_help()
        if self.epilog:
            out += "\n" + textwrap.fill(self.epilog, self._width()) + "\n"
        return out
