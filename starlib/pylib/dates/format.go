package dates

import (
	"fmt"
	"strings"
	"time"
)

// formatted is format of a value with a specification: str without one.
func formatted(v interface{ Str() string }, m moment, spec string) (string, error) {
	if spec == "" {
		return v.Str(), nil
	}
	return strftime(m, spec)
}

// directives are the letters of strftime.
var directives = map[byte]func(m moment) string{
	'a': func(m moment) string { return weekdays[m.weekday()][:3] },
	'A': func(m moment) string { return weekdays[m.weekday()] },
	'b': func(m moment) string { return time.Month(m.month).String()[:3] },
	'B': func(m moment) string { return time.Month(m.month).String() },
	'C': func(m moment) string { return fmt.Sprintf("%02d", m.year/100) },
	'd': func(m moment) string { return fmt.Sprintf("%02d", m.day) },
	'e': func(m moment) string { return fmt.Sprintf("%2d", m.day) },
	'f': func(m moment) string { return fmt.Sprintf("%06d", m.micro) },
	'G': func(m moment) string { year, _ := m.isoWeek(); return fmt.Sprint(year) },
	'H': func(m moment) string { return fmt.Sprintf("%02d", m.hour) },
	'I': func(m moment) string { return fmt.Sprintf("%02d", (m.hour+11)%12+1) },
	'j': func(m moment) string { return fmt.Sprintf("%03d", m.yearDay()) },
	'm': func(m moment) string { return fmt.Sprintf("%02d", m.month) },
	'M': func(m moment) string { return fmt.Sprintf("%02d", m.minute) },
	'n': func(moment) string { return "\n" },
	'p': func(m moment) string { return [...]string{"AM", "PM"}[m.hour/12] },
	's': func(m moment) string { return fmt.Sprint(m.goTime().Unix()) },
	'S': func(m moment) string { return fmt.Sprintf("%02d", m.second) },
	't': func(moment) string { return "\t" },
	'u': func(m moment) string { return fmt.Sprint(m.weekday() + 1) },
	'U': func(m moment) string { return fmt.Sprintf("%02d", (m.yearDay()+6-(m.weekday()+1)%7)/7) },
	'V': func(m moment) string { _, week := m.isoWeek(); return fmt.Sprintf("%02d", week) },
	'w': func(m moment) string { return fmt.Sprint((m.weekday() + 1) % 7) },
	'W': func(m moment) string { return fmt.Sprintf("%02d", (m.yearDay()+6-m.weekday())/7) },
	'y': func(m moment) string { return fmt.Sprintf("%02d", m.year%100) },
	'Y': func(m moment) string { return fmt.Sprint(m.year) },
	'z': func(m moment) string {
		if m.zone == nil {
			return ""
		}
		return m.zone.text("")
	},
	'Z': func(m moment) string {
		if m.zone == nil {
			return ""
		}
		return m.zone.Str()
	},
	'%': func(moment) string { return "%" },
}

// shorthands are the letters that stand for others.
var shorthands = map[byte]string{'c': "%a %b %e %H:%M:%S %Y", 'D': "%m/%d/%y", 'F': "%Y-%m-%d", 'h': "%b", 'r': "%I:%M:%S %p", 'R': "%H:%M", 'T': "%H:%M:%S", 'x': "%m/%d/%y", 'X': "%H:%M:%S"}

var weekdays = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// strftime writes a moment in a format, with the names of English. What it does not know stays.
func strftime(m moment, format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		if long, ok := shorthands[format[i]]; ok {
			text, err := strftime(m, long)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		} else if write, ok := directives[format[i]]; ok {
			b.WriteString(write(m))
		} else {
			b.WriteString(format[i-1 : i+1])
		}
	}
	return b.String(), nil
}
