package sweep

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Columns are the names of the parameters and of the results of runs, in the order in which they
// come first.
func Columns(runs []*Run) (params, results []string) {
	for _, r := range runs {
		for _, p := range r.Parameters {
			if !slices.Contains(params, p.Name) {
				params = append(params, p.Name)
			}
		}
		for _, v := range r.Results {
			if !slices.Contains(results, v.Name) {
				results = append(results, v.Name)
			}
		}
	}
	return params, results
}

// Rows are the runs as texts, the titles first. With short, values are cut to what a terminal has
// room for.
func Rows(runs []*Run, short bool) [][]string {
	params, results := Columns(runs)
	rows := [][]string{slices.Concat([]string{"run"}, params, results, []string{"seconds", "worker", "error"})}
	for _, r := range runs {
		rows = append(rows, r.Row(params, results, short))
	}
	return rows
}

// Row is the run under columns.
func (r *Run) Row(params, results []string, short bool) []string {
	row := []string{strconv.Itoa(r.N)}
	for _, name := range params {
		text := ""
		for _, p := range r.Parameters {
			if p.Name == name {
				text = plain(p.Value, short)
			}
		}
		row = append(row, text)
	}
	for _, name := range results {
		text := ""
		for _, v := range r.Results {
			if v.Name == name {
				text = plain(v.Value, short)
			}
		}
		row = append(row, text)
	}
	seconds, worker, failure := "", r.Worker, ""
	if r.Worker != "" || r.Before {
		seconds = strconv.FormatFloat(r.Seconds, 'f', 3, 64)
	}
	if r.Failure != nil {
		failure = r.Failure.Class + ": " + r.Failure.Message
		if short {
			failure = cut(failure, 60)
		}
	}
	return append(row, seconds, worker, failure)
}

// plain is a JSON value as a table shows it: text without quotes.
func plain(raw json.RawMessage, short bool) string {
	text := string(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		text = s
	}
	if !short {
		return text
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 10 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return cut(text, 30)
}

func cut(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// WriteCSV writes a line for each run.
func WriteCSV(w io.Writer, runs []*Run) error {
	c := csv.NewWriter(w)
	if err := c.WriteAll(Rows(runs, false)); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// WriteJSON writes a list with an object for each run.
func WriteJSON(w io.Writer, runs []*Run) error {
	var b strings.Builder
	b.WriteString("[")
	for i, r := range runs {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  {\"run\": %d, \"key\": %q, \"parameters\": {", r.N, r.Key)
		for k, p := range r.Parameters {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s: %s", quote(p.Name), p.Value)
		}
		b.WriteString("}, \"results\": {")
		for k, v := range r.Results {
			if k > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s: %s", quote(v.Name), v.Value)
		}
		fmt.Fprintf(&b, "}, \"seconds\": %g, \"worker\": %s", r.Seconds, quote(r.Worker))
		if r.Failure != nil {
			fmt.Fprintf(&b, ", \"error\": {\"class\": %s, \"message\": %s}", quote(r.Failure.Class), quote(r.Failure.Message))
		}
		b.WriteString("}")
	}
	b.WriteString("\n]\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("BUG: sweep: %v", err))
	}
	return string(raw)
}
