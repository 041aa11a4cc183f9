"""Local time and its parts."""
import datetime
import time
from collections import namedtuple

_fields = ["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"]


class struct_time(namedtuple("struct_time", _fields)):
    """The parts of a time."""

    def __new__(cls, parts):
        if len(parts) < 9:
            raise TypeError("time.struct_time() takes an at least 9-sequence (%d-sequence given)" % len(parts))
        return super().__new__(cls, *list(parts)[:9])

    def __repr__(self):
        return "time.struct_time(" + ", ".join(["%s=%d" % pair for pair in zip(_fields, self)]) + ")"


def _parts(moment):
    return struct_time(moment.timetuple()[:8] + (0,))


def localtime(seconds=None):
    """The parts of the local time."""
    return _parts(datetime.datetime.fromtimestamp(time.time() if seconds is None else seconds))


def gmtime(seconds=None):
    """The parts of the time in Greenwich."""
    return _parts(datetime.datetime.fromtimestamp(time.time() if seconds is None else seconds, datetime.timezone.utc))


def mktime(t):
    """Seconds since 1970 of the parts of a local time."""
    return float(int(datetime.datetime(*t[:6]).timestamp()))


def _west(month):
    # Seconds that the local time is west of Greenwich in a month of this year.
    year = gmtime().tm_year
    return int(datetime.datetime(year, month, 1).timestamp() - datetime.datetime(year, month, 1, tzinfo=datetime.timezone.utc).timestamp())


timezone = max(_west(1), _west(7))


def asctime(t=None):
    """Parts of a time as text."""
    return time.strftime("%a %b %e %H:%M:%S %Y", localtime() if t is None else t)


def strptime(string, format="%a %b %d %H:%M:%S %Y"):
    """The parts of a time that is written in a format."""
    return struct_time(datetime.datetime.strptime(string, format).timetuple()[:8] + (-1,))
