# Programs with datetime that print the same in CPython and here.
# %% timedelta
from datetime import timedelta
import datetime
for d in [timedelta(), timedelta(1), timedelta(-1), timedelta(hours=30, minutes=-5), timedelta(days=0.1), timedelta(seconds=1.5, milliseconds=2, microseconds=3.7), timedelta(weeks=2, hours=-1),
          timedelta(microseconds=-1), timedelta(days=-1, seconds=86399, microseconds=999999), timedelta(microseconds=0.5), timedelta(microseconds=1.5), timedelta.max, timedelta.min, timedelta.resolution]:
    print(repr(d), "|", d, "|", d.days, d.seconds, d.microseconds, d.total_seconds(), bool(d), repr(-d) if d != timedelta.max and d != timedelta.min else "", f"{d}")
a, b = timedelta(hours=5, seconds=7), timedelta(minutes=90, microseconds=3)
print(a + b, a - b, a * 3, 2.5 * b, a / 2, a // 3, a / b, a // b, a % b, b - a, abs(b - a), -a, +b, a / 0.7, a * -1)
print(a == b, a != b, a < b, a <= b, a > b, a >= b, a == timedelta(seconds=18007), sum([a, b, a], timedelta()), max([b, a, b]), sorted([a, b, -a])[0], {a: 1}[timedelta(hours=5, seconds=7)], divmod(a, b)[0], divmod(a, b)[1])
for f in [lambda: timedelta(days=10**9), lambda: a / 0, lambda: a // timedelta(), lambda: a + 1, lambda: a < 1, lambda: timedelta("x"), lambda: a * "x", lambda: timedelta(days=float("nan"))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
print(a == 1, a != "x", isinstance(a, timedelta), type(a) == timedelta, type(a).__name__, datetime.timedelta)
# %% date
from datetime import date, timedelta, datetime
import json
for d in [date(2024, 2, 29), date(1, 1, 1), date(9999, 12, 31), date(2021, 1, 3), date(2020, 12, 31), date(1970, 1, 1), date(2000, 3, 1)]:
    print(repr(d), d, d.year, d.month, d.day, d.weekday(), d.isoweekday(), tuple(d.isocalendar()), d.toordinal(), d.ctime(), d.isoformat(), tuple(d.timetuple())[:8], date.fromordinal(d.toordinal()) == d)
    print(d.strftime("%a %A %b %B %d %e %j %m %y %Y %U %W %w %u %V %G %x %D %F %% %H"), f"{d:%d/%m}", "{:%Y}".format(d), f"{d}", str(d))
d = date(2024, 2, 28)
print(d + timedelta(days=2), timedelta(1) + d, d - timedelta(weeks=9), d - date(2023, 2, 28), (date(2024, 12, 25) - d).days, d.replace(year=2023), d.replace(day=1, month=1), d < date(2024, 3, 1), d == date(2024, 2, 28), max(d, date.min))
print(date.fromisoformat("2024-03-10"), date.fromisoformat("20240310"), date.fromisoformat("2024-W10-7"), date.fromisoformat("2024W107"), date.fromisocalendar(2020, 53, 5), date.min, date.max, date.resolution)
for f in [lambda: date(2023, 2, 29), lambda: date(2023, 13, 1), lambda: date(0, 1, 1), lambda: date(10000, 1, 1), lambda: date.max + timedelta(1), lambda: date.fromordinal(0), lambda: d < datetime(2024, 1, 1),
          lambda: d < 1, lambda: d + 1, lambda: date.fromisocalendar(2021, 53, 1), lambda: date.fromisocalendar(2021, 1, 8)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e if type(e) == ValueError else "")
print(d == datetime(2024, 2, 28), isinstance(datetime(2024, 1, 1), date), isinstance(d, datetime), type(d), {d: 1}[date(2024, 2, 28)], date.today() >= date(2024, 1, 1), json.dumps(sorted(str(date(2024, m, 1)) for m in (3, 1, 2))))
print(*[d + timedelta(days=i) for i in range(3)], date.strftime(d, "%Y"))
# %% datetime and time
from datetime import datetime, date, time, timedelta, timezone, UTC
for x in [datetime(2024, 3, 10), datetime(2024, 3, 10, 9), datetime(2024, 3, 10, 9, 30, 5), datetime(2024, 3, 10, 21, 30, 5, 120), datetime(2024, 3, 10, 12, 0, tzinfo=timezone.utc), datetime(1999, 12, 31, 23, 59, 59, 999999, timezone(timedelta(hours=-5, minutes=-30))),
          datetime(2024, 1, 1, 0, 0, tzinfo=timezone(timedelta(hours=1))), datetime.min, datetime.max]:
    print(repr(x), "|", x, "|", x.isoformat(), x.date(), x.time(), x.timetz(), x.tzinfo, x.utcoffset(), x.tzname(), x.dst(), x.weekday(), x.ctime())
    print(x.strftime("%Y-%m-%d %H:%M:%S.%f %I %p %z %Z %j %c %X %R %T"), f"{x:%H:%M}", tuple(x.timetuple())[:6], x.isoformat(" ", "minutes"), x.isoformat(timespec="milliseconds"), x.isoformat(timespec="hours"), x.isoformat("T", "microseconds"))
a, b = datetime(2024, 3, 10, 9, 30), datetime(2023, 12, 31, 23, 59, 59, 5)
print(a - b, b - a, a + timedelta(days=1, hours=15), timedelta(1) + a, a - timedelta(microseconds=1), a > b, a == datetime(2024, 3, 10, 9, 30), (a - b).total_seconds(), a.replace(hour=0, minute=0), a.replace(tzinfo=timezone.utc), min(a, b), {a: 2}[a + timedelta(0)])
u = a.replace(tzinfo=timezone.utc)
ny = timezone(timedelta(hours=-5), "EST")
print(u.astimezone(ny), u.astimezone(ny) == u, u.timestamp(), datetime.fromtimestamp(1710063000.25, timezone.utc), datetime.fromtimestamp(0, ny), datetime.utcfromtimestamp(1e9), u - datetime(2024, 3, 10, 9, 30, tzinfo=ny), hash(u) == hash(u.astimezone(ny)), u.astimezone(ny).strftime("%Z %z"), u.utctimetuple()[3], datetime.fromtimestamp(-1.5, UTC))
print(datetime.combine(date(2024, 1, 2), time(3, 4)), datetime.combine(date(2024, 1, 2), time(3, 4), timezone.utc), datetime.fromordinal(738955), datetime.fromisocalendar(2024, 10, 7), a.toordinal(), tuple(a.isocalendar()))
for s in ["2024-03-10", "2024-03-10T09:30", "2024-03-10 09:30:05", "2024-03-10T09:30:05.123", "2024-03-10T09:30:05.123456+02:00", "20240310T093005Z", "2024-03-10T09", "2024-W10-7T12:00-05:30", "2024-03-10T24:00", "2024-13-01", "x", "2024-03-10T9:30"]:
    try:
        print(repr(datetime.fromisoformat(s)))
    except ValueError as e:
        print("ValueError", s)
for t in [time(), time(9, 30), time(23, 59, 59, 999), time(1, 2, 3, tzinfo=timezone.utc), time.min, time.max, time.fromisoformat("04:23:01.5"), time.fromisoformat("T0423")]:
    print(repr(t), t, t.isoformat("minutes"), t.hour, t.minute, t.second, t.microsecond, t.tzinfo, t.utcoffset(), t.strftime("%H-%M %p"), t.replace(hour=5))
print(time(1) < time(2), time(1) == time(1), time(1, tzinfo=timezone.utc) == time(1), timezone.utc, repr(timezone.utc), ny, timezone(timedelta(hours=5, minutes=45)), timezone(timedelta(0)) == timezone.utc, repr(timezone(timedelta(seconds=3723))), ny.utcoffset(None), timezone.utc.tzname(None))
for f in [lambda: a < u, lambda: a - u, lambda: datetime(2024, 1, 1, 24), lambda: datetime(2024, 1, 1, 0, 60), lambda: time(0, 0, 0, 10**6), lambda: a + 1, lambda: a < 5, lambda: a - 5, lambda: datetime.max + timedelta(1), lambda: timezone(timedelta(hours=24)), lambda: timezone(5),
          lambda: datetime(2024, 1, 1, tzinfo=5), lambda: a.isoformat(timespec="x"), lambda: a.foo, lambda: time(1) < time(1, tzinfo=UTC)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e if type(e) in (OverflowError,) or "must be in" in str(e) else "")
print(a == u, a != u, type(a), isinstance(a, datetime), datetime.now() - datetime.now() < timedelta(seconds=5), datetime.now(timezone.utc).tzinfo, abs((datetime.utcnow() - datetime.now(timezone.utc).replace(tzinfo=None)).total_seconds()) < 5)
print(datetime.isoformat(a), datetime.strftime(a, "%y"), list(map(datetime.date, [a, b]))[1])
# %% strptime
from datetime import datetime
for text, form in [("2024-03-10 09:30:05", "%Y-%m-%d %H:%M:%S"), ("10/3/24", "%d/%m/%y"), ("Mar 5, 1999", "%b %d, %Y"), ("Sunday 10 March 2024", "%A %d %B %Y"), ("09:05 PM", "%I:%M %p"), ("12:00 am", "%I:%M %p"), ("2024-03-10T09:30:05.120Z", "%Y-%m-%dT%H:%M:%S.%f%z"),
                   ("2024-03-10 09:30 +0530", "%Y-%m-%d %H:%M %z"), ("2024 070", "%Y %j"), ("2024 10 0", "%Y %U %w"), ("2024 10 Mon", "%Y %W %a"), ("2024 10 7", "%G %V %u"), ("  5\t6", " %d %m"), ("100%", "%H0%%"), ("03/10/24", "%x"), ("69", "%y"), ("68", "%y"), ("Sun Mar 10 09:30:05 2024", "%c"),
                   ("2024", "%Y-%m"), ("2024-03-10x", "%Y-%m-%d"), ("2024-13-01", "%Y-%m-%d"), ("2023-02-29", "%Y-%m-%d"), ("x", "%q"), ("x", "%"), ("jan", "%B"), ("2024.5", "%Y.%m"), ("MAY 1", "%b %d")]:
    try:
        print(repr(datetime.strptime(text, form)))
    except Exception as e:
        print(type(e).__name__, str(e).replace('"', "'"))
# %% datetime: a log and a calendar
import datetime as dt
import re, collections
log = """2024-03-10 09:30:05,120 INFO start
2024-03-10 09:31:10,004 WARN slow
2024-03-11 00:00:01,000 INFO stop"""
times = []
for m in re.finditer(r"^(\S+ \S+),(\d+) (\w+) (.*)$", log, re.M):
    t = dt.datetime.strptime(m[1], "%Y-%m-%d %H:%M:%S") + dt.timedelta(milliseconds=int(m[2]))
    times.append(t)
    print(t.isoformat(timespec="milliseconds"), m[3], m[4])
print(times[-1] - times[0], *[b - a for a, b in zip(times, times[1:])], collections.Counter(t.date().isoformat() for t in times).most_common(1)[0][1])
def months(start, n):
    y, m = start.year, start.month
    for _ in range(n):
        yield dt.date(y, m, 1)
        y, m = y + m // 12, m % 12 + 1
print(*[f"{d:%b %y}" for d in months(dt.date(2023, 11, 5), 4)], sum((dt.date(2024, 1, 1) + dt.timedelta(i)).weekday() >= 5 for i in range(366)))
print("%s" % dt.date(2024, 1, 2), "{0:%Y-%m-%d_%H%M%S}".format(dt.datetime(2024, 1, 2, 3, 4, 5)), dt.datetime(2024, 1, 2, 3, 4, 5).strftime("run-%Y%m%d"))
