package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/notebook"
)

// A Sweep is the runs of one file.
type Sweep struct {
	File    File
	Runs    [][]notebook.Parameter
	Version string // of the program that runs it
	Dir     string // where runs are kept; "" keeps none
	Resume  bool   // those that are there are not run again
	Timeout time.Duration
	Retries int
	// Began, if not nil, is told how many runs there are, and how many of them were done before.
	Began func(all, before int)
	// Ended, if not nil, is told of each run as it ends.
	Ended func(r *Run)
	Warn  func(text string)
}

// A Result is a value of the program's dict results.
type Result struct {
	Name  string
	Value json.RawMessage
}

// A Run is one of the runs, with what it found.
type Run struct {
	N          int
	Key        string // the beginning of the SHA-256 of its content
	Parameters []notebook.Parameter
	Results    []Result // in the program's order
	Text       string
	Seconds    float64
	Worker     string
	Failure    *cluster.Failure
	Before     bool // it was done before
}

// record is a run as it is kept.
type record struct {
	Key        string               `json:"key"`
	Parameters []notebook.Parameter `json:"parameters"`
	Worker     string               `json:"worker"`
	Output
}

// key knows a run by its content.
func (s *Sweep) key(run []notebook.Parameter) string {
	sum := sha256.New()
	for _, part := range []string{s.Version, filepath.Ext(s.File.Name), string(s.File.Text), fmt.Sprintf("%q", s.File.Flags), codeOf(run)} {
		fmt.Fprintf(sum, "%d:%s\n", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// Do runs what was not done before, and returns all runs in their order. A run that fails is one of
// them; an error says why there are no more.
func (s *Sweep) Do(ctx context.Context, conn *cluster.Conn) ([]*Run, error) {
	if s.Dir != "" {
		if err := os.MkdirAll(s.Dir, 0o777); err != nil {
			return nil, err
		}
	}
	runs := make([]*Run, len(s.Runs))
	var open []*Run
	for i, params := range s.Runs {
		r := &Run{N: i, Key: s.key(params), Parameters: params}
		runs[i] = r
		if s.Resume && s.read(r) {
			continue
		}
		open = append(open, r)
	}
	if s.Began != nil {
		s.Began(len(runs), len(runs)-len(open))
	}
	if s.Ended != nil {
		for _, r := range runs {
			if r.Before {
				s.Ended(r)
			}
		}
	}
	if len(open) == 0 {
		return runs, nil
	}
	program, err := json.Marshal(s.File)
	if err != nil {
		return nil, err
	}
	job, err := conn.NewJob(ctx, cluster.JobOptions{Kind: cluster.Files, Program: program, Timeout: s.Timeout, Retries: s.Retries, Any: true, Warn: s.Warn})
	if err != nil {
		return nil, err
	}
	defer job.Close()
	for sent, done := 0, 0; done < len(open); done++ {
		for ; sent < len(open) && job.Open() < cluster.Window; sent++ {
			input, err := json.Marshal(open[sent].Parameters)
			if err == nil {
				err = job.Submit(ctx, input)
			}
			if err != nil {
				return runs, err
			}
		}
		got, err := job.Next(ctx)
		if err != nil {
			return runs, err
		}
		if err := s.take(open[got.N], got); err != nil {
			return runs, err
		}
	}
	return runs, nil
}

// take keeps what a run found.
func (s *Sweep) take(r *Run, got *cluster.Result) error {
	out := Output{Failure: got.Failure, Seconds: got.Took.Seconds()}
	if got.Failure == nil {
		if err := json.Unmarshal(got.Value, &out); err != nil {
			return fmt.Errorf("run %d: what worker %s has sent: %w", r.N, got.Worker, err)
		}
	}
	rec := record{Key: r.Key, Parameters: r.Parameters, Worker: got.Worker, Output: out}
	if err := r.fill(&rec); err != nil {
		return err
	}
	if s.Dir != "" {
		if err := s.write(&rec); err != nil {
			return err
		}
	}
	if s.Ended != nil {
		s.Ended(r)
	}
	return nil
}

// fill gives a run what its record says.
func (r *Run) fill(rec *record) error {
	r.Text, r.Seconds, r.Worker, r.Failure = rec.Text, rec.Seconds, rec.Worker, rec.Failure
	var err error
	if r.Results, err = members(rec.Output.Results); err != nil {
		return fmt.Errorf("run %d: results: %w", r.N, err)
	}
	return nil
}

// members are those of an object, in its order.
func members(raw json.RawMessage) (list []Result, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("got %s, want an object", raw)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		var short bytes.Buffer
		if err := json.Compact(&short, v); err != nil {
			return nil, err
		}
		list = append(list, Result{name.(string), short.Bytes()})
	}
	return list, nil
}

// read finds a run that was done before. One that failed, or that is damaged, is done again.
func (s *Sweep) read(r *Run) bool {
	text, err := os.ReadFile(filepath.Join(s.Dir, r.Key+".json"))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && s.Warn != nil {
			s.Warn(fmt.Sprintf("run %d is done again: %v", r.N, err))
		}
		return false
	}
	var rec record
	if json.Unmarshal(text, &rec) != nil || rec.Key != r.Key || rec.Failure != nil || r.fill(&rec) != nil {
		return false
	}
	r.Before = true
	return true
}

// write keeps a run: its record, and beside it the notebook with its outputs.
func (s *Sweep) write(rec *record) error {
	page := rec.Notebook
	rec.Notebook = nil
	text, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return err
	}
	for _, f := range []struct {
		suffix string
		text   []byte
	}{{".ipynb", page}, {".json", append(text, '\n')}} { // the record last: what it says is there
		if len(f.text) == 0 {
			continue
		}
		path := filepath.Join(s.Dir, rec.Key+f.suffix)
		if err := os.WriteFile(path+".part", f.text, 0o666); err != nil {
			return err
		}
		if err := os.Rename(path+".part", path); err != nil {
			return err
		}
	}
	return nil
}
