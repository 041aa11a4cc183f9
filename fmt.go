package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/format"
	"github.com/arignote/arignote/starlib/visible"
)

func fmtCommand(stdin io.Reader) *cobra.Command {
	var check, diffs bool
	cmd := &cobra.Command{
		Use: "fmt [FILE.star ...]", Short: "lay out files",
		Long: "Lays out files: indentation, spaces, blank lines, comments. Line breaks stay, and so do magics and marks of cells.\n" +
			"Files are written if they change. Without files, and for -, it reads standard input and writes to standard output.\n" +
			"A file with a syntax error is reported and left as it is. The status is 1 after an error, and if --check finds a file\n" +
			"that would change.",
		Example: "  arignote fmt train.star\n  arignote fmt --check *.star",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"-"}
			}
			failed := false
			for _, file := range args {
				name, old, err := readSource(file, stdin)
				out := ""
				if err == nil {
					out, err = format.Source(name, old)
				}
				if err == nil {
					failed = failed || check && out != old
					err = formatted(cmd.OutOrStdout(), file, name, old, out, check, diffs)
				}
				if err != nil {
					failed = true
					complain(cmd.ErrOrStderr(), fmt.Errorf("fmt: %w", err))
				}
			}
			if failed {
				return shown{errors.New("fmt: not all is formatted")}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&check, "check", false, "write nothing; list the files that would change, with status 1")
	f.BoolVarP(&diffs, "diff", "d", false, "write nothing; print what would change")
	return cmd
}

// readSource reads a file, or standard input for "-", and returns what errors call it.
func readSource(file string, stdin io.Reader) (name, text string, err error) {
	if file == "-" {
		data, err := io.ReadAll(io.LimitReader(stdin, files.MaxText+1))
		if err == nil && len(data) > files.MaxText {
			err = fmt.Errorf("fmt: standard input has more than %d bytes, want at most so many", files.MaxText)
		}
		return "<stdin>", string(data), err
	}
	data, err := files.Open().ReadStream(file, files.MaxText)
	return file, string(data), err
}

// formatted does with a result what the flags say.
func formatted(stdout io.Writer, file, name, old, out string, check, diffs bool) error {
	var err error
	switch {
	case diffs && out != old:
		_, err = stdout.Write(diff.Diff(name, []byte(old), name, []byte(out)))
	case check && out != old:
		_, err = fmt.Fprintln(stdout, visible.Text(name))
	case diffs || check:
	case file == "-":
		_, err = io.WriteString(stdout, out)
	case out != old:
		err = replaceFile(file, out)
	}
	return err
}

// replaceFile writes a file as a whole or not at all, and keeps its mode. Of a link, what it points
// to is written.
func replaceFile(file, text string) error {
	file, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Chmod(info.Mode().Perm()), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
