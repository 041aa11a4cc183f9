package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
)

// CSV writes the samples of all profiles, a row each, under a row of names, so that sums over any of the first columns are right. Numbers
// are written with as many digits as it takes to read the same back; times are nanoseconds.
func CSV(w io.Writer, all []*profiler.Stats) error {
	out := csv.NewWriter(w)
	list := columns.In(columns.Samples, columns.CSV, "")
	line := make([]string, len(list))
	for i, c := range list {
		line[i] = c.Name
		if c.Unit == columns.Time {
			line[i] += "_ns"
		}
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for _, s := range all {
		if s == nil {
			continue
		}
		s = s.Clone()
		for x := range s.Samples() {
			sample := columns.Sample{Sample: x, Row: s.RowOf(x.Node)}
			for i, c := range list {
				line[i] = csvValue(c.Unit, c.Of(sample))
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvValue(u columns.Unit, v columns.Value) string {
	switch {
	case !v.Known:
		return ""
	case u == columns.Count:
		return strconv.FormatInt(int64(v.Number), 10)
	case u == columns.Words:
		return strings.Join(v.Words, " ")
	case u.IsNumber() && u != columns.Shares:
		return strconv.FormatFloat(v.Number, 'g', -1, 64)
	}
	return v.Word
}
