package dates

import (
	"time"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type zoneArg struct {
	Zone starlark.Value `arg:"tz=None: a time zone; None for the clock of the machine"`
}

type stampArg struct {
	Stamp starlark.Value `arg:"timestamp: seconds since 1970"`
}

// momentFunctions are those of the class.
func momentFunctions() []value.Builtin {
	return []value.Builtin{
		ofClass("combine", "The moment of a date and a time.", "datetime.datetime.combine(datetime.date(2024, 3, 10), datetime.time(9)).hour # 9", func(a *struct {
			Date starlark.Value `arg:"date: a date"`
			Time starlark.Value `arg:"time: a time"`
			Zone starlark.Value `arg:"tzinfo=True: a time zone, instead of that of the time"`
		}) (starlark.Value, error) {
			d, ok := a.Date.(dated)
			c, also := a.Time.(clock)
			if !ok || !also {
				return nil, typeError("combine: got %s and %s, want a date and a time", value.TypeName(a.Date), value.TypeName(a.Time))
			}
			var err error
			if a.Zone != nil {
				c.zone, err = readZone(a.Zone)
			}
			return moment{d.at().date, c}, err
		}),
		ofClass("fromisocalendar", "Midnight of a day of a week by ISO 8601.", "datetime.datetime.fromisocalendar(2024, 10, 7).day # 10", func(a *weekArgs) (starlark.Value, error) {
			d, err := ofWeek(a)
			return moment{date: d}, err
		}),
		ofClass("fromisoformat", "The moment that text by ISO 8601 says.", `datetime.datetime.fromisoformat("2024-03-10 09:30").hour # 9`, func(a *isoArg) (starlark.Value, error) {
			d, rest, err := isoDate(a.Text)
			m := moment{date: d}
			if err == nil && rest != "" {
				_, n := utf8.DecodeRuneInString(rest)
				m.clock, err = isoClock(rest[n:])
			}
			if err != nil {
				return nil, wrong("Invalid isoformat string: %s", quoted(a.Text))
			}
			return m, nil
		}),
		ofClass("fromordinal", "Midnight of a day by its number.", "datetime.datetime.fromordinal(738955).day # 10", func(a *ordinalArg) (starlark.Value, error) {
			d, err := fromOrdinal(a.Ordinal)
			return moment{date: d}, err
		}),
		ofClass("fromtimestamp", "The moment so many seconds after 1970 began.", "datetime.datetime.fromtimestamp(0, datetime.timezone.utc).year # 1970", func(a *struct {
			Stamp starlark.Value `arg:"timestamp: seconds"`
			Zone  starlark.Value `arg:"tz=None: a time zone; None for the clock of the machine"`
		}) (starlark.Value, error) {
			z, err := readZone(a.Zone)
			if err != nil {
				return nil, err
			}
			return ofStamp(a.Stamp, z)
		}),
		ofClass("now", "The moment that is now.", "datetime.datetime.now().year > 2000 # True", func(a *zoneArg) (starlark.Value, error) {
			z, err := readZone(a.Zone)
			return in(time.Now(), z), err
		}),
		ofClass("strptime", "The moment that text in a format says.", `datetime.datetime.strptime("10.3.24", "%d.%m.%y").month # 3`, func(a *struct {
			Text   string `arg:"date_string: the text"`
			Format string `arg:"format: text with %Y, %m, %d and their like"`
		}) (starlark.Value, error) {
			return strptime(a.Text, a.Format)
		}),
		ofClass("today", "The moment that is now, by the clock of the machine.", "datetime.datetime.today().year > 2000 # True", func(*rows.None) (starlark.Value, error) { return in(time.Now(), nil), nil }),
		ofClass("utcfromtimestamp", "The moment in Greenwich so many seconds after 1970 began, without a zone.", "datetime.datetime.utcfromtimestamp(86400).day # 2",
			func(a *stampArg) (starlark.Value, error) {
				m, err := ofStamp(a.Stamp, utc)
				m.zone = nil
				return m, err
			}),
		ofClass("utcnow", "The moment that is now in Greenwich, without a zone.", "datetime.datetime.utcnow().year > 2000 # True", func(*rows.None) (starlark.Value, error) { return local(time.Now().UTC()), nil }),
	}
}

var momentMethods = rows.Lazily("datetime.datetime", func() []value.Builtin {
	const x = "datetime.datetime(2024, 3, 10, 9, 30)"
	all := append(append(dateRows[moment](x), zoneRows[moment](x)...), momentFunctions()...)
	return append(all,
		of("astimezone", "The same moment in another time zone.", x+".replace(tzinfo=datetime.timezone.utc).astimezone(datetime.timezone(datetime.timedelta(hours=2))).hour # 11",
			func(m moment, a *zoneArg) (starlark.Value, error) {
				z, err := readZone(a.Zone)
				if err != nil {
					return nil, err
				}
				if z == nil {
					name, seconds := m.goTime().Local().Zone()
					z = &zone{ofMicros(seconds * second), name}
				}
				return in(m.goTime(), z), nil
			}),
		of("date", "The date.", x+".date() # datetime.date(2024, 3, 10)", func(m moment, _ *rows.None) (starlark.Value, error) { return m.date, nil }),
		of("isoformat", "The moment by ISO 8601.", x+`.isoformat(" ", "minutes") # "2024-03-10 09:30"`, func(m moment, a *struct {
			Sep       string `arg:"sep=\"T\": what separates date and time"`
			Precision string `arg:"timespec=\"auto\": hours, minutes, seconds, milliseconds or microseconds; auto has microseconds if they are not 0"`
		}) (starlark.Value, error) {
			text, err := m.iso(a.Precision)
			return starlark.String(m.date.Str() + a.Sep + text), err
		}),
		of("replace", "The moment with some of it replaced.", x+".replace(day=1, hour=0) # datetime.datetime(2024, 3, 1, 0, 30)", func(m moment, a *struct {
			Year  *int `arg:"year=None: the year"`
			Month *int `arg:"month=None: the month"`
			Day   *int `arg:"day=None: the day"`
			clockChange
		}) (starlark.Value, error) {
			d, err := newDate(or(a.Year, m.year), or(a.Month, m.month), or(a.Day, m.day))
			if err != nil {
				return nil, err
			}
			c, err := m.changed(&a.clockChange)
			return moment{d, c}, err
		}),
		of("time", "The time of the day, without the zone.", x+".time() # datetime.time(9, 30)", func(m moment, _ *rows.None) (starlark.Value, error) {
			m.zone = nil
			return m.clock, nil
		}),
		of("timestamp", "The seconds since 1970.", x+".replace(tzinfo=datetime.timezone.utc).timestamp() # 1710063000.0", func(m moment, _ *rows.None) (starlark.Value, error) {
			return starlark.Float(float64(m.goTime().UnixMicro()) / second), nil
		}),
		of("timetz", "The time of the day, with the zone.", x+".timetz() # datetime.time(9, 30)", func(m moment, _ *rows.None) (starlark.Value, error) { return m.clock, nil }),
		of("utctimetuple", "timetuple in Greenwich.", x+".utctimetuple()[3:5] # (9, 30)", func(m moment, _ *rows.None) (starlark.Value, error) {
			u, err := momentOf(m.absolute(), nil)
			if err != nil {
				return nil, err
			}
			out := starlark.Tuple{}
			for _, n := range []int{u.year, u.month, u.day, u.hour, u.minute, u.second, u.weekday(), u.yearDay(), 0} {
				out = append(out, starlark.MakeInt(n))
			}
			return out, nil
		}),
	)
}, append(dateFields[moment]("datetime.datetime(2024, 3, 10, 9, 30)"), append(clockFields[moment]("datetime.datetime(2024, 3, 10, 9, 30)"), rows.Fields("datetime.datetime", momentOwn)...)...)...)
