package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib"
	"github.com/spf13/cobra"
)

// testProgram runs tests: its arguments are those of the command.
const testProgram = "import pytest, sys\nsys.exit(pytest.main(%s))"

func testCommand(stdin io.Reader) *cobra.Command {
	var flags []string
	var keyword string
	var first, verbose, quiet, uncaptured bool
	cmd := &cobra.Command{
		Use: "test [PATH...]", Short: "run the tests of files and folders, as pytest does",
		Long: "Runs the functions test_* and the classes Test* of files test_*.py and *_test.py (or .star), and classes that derive from\n" +
			"unittest.TestCase, with the fixtures of conftest.py: of the folder that it is called in, or of the files, folders and\n" +
			"FILE::TEST that are named. An assert that fails shows its line and the values of both sides. The status is 0, 1 if a test\n" +
			"fails, 2 if a file cannot be read, and 5 if there are no tests.",
		Example: "  arignote test\n  arignote test tests/test_model.py::test_cost -x\n  arignote test -k \"cost and not slow\" -v",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := session("", flags, nil, 0, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			for flag, on := range map[string]bool{"-x": first, "-v": verbose, "-q": quiet, "-s": uncaptured} {
				if on {
					args = append(args, flag)
				}
			}
			if keyword != "" {
				args = append(args, "-k", keyword)
			}
			var quoted []string
			for _, a := range args {
				quoted = append(quoted, strconv.Quote(a))
			}
			stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
			_, _, err = s.Execute(cmd.Context(), 1, fmt.Sprintf(testProgram, "["+strings.Join(quoted, ", ")+"]"),
				&starlib.Terminal{In: stdin, Out: stdout, Err: stderr})
			defer leave(cmd.Context())
			exit := ended(nil)
			if failed := (*starlib.Error)(nil); !errors.As(err, &exit) && errors.As(err, &failed) {
				fmt.Fprintln(stderr, strings.Join(failed.Traceback(), "\n"))
			}
			return finish(s, err, stdout, stderr)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&keyword, "keyword", "k", "", "run the tests whose names have this in them: words with and, or, not and parentheses")
	f.BoolVarP(&first, "exitfirst", "x", false, "end at the first test that fails")
	f.BoolVarP(&verbose, "verbose", "v", false, "a line for each test")
	f.BoolVarP(&quiet, "quiet", "q", false, "no head and no names of files")
	f.BoolVarP(&uncaptured, "show", "s", false, "show what tests print while they run")
	f.StringArrayVar(&flags, "flags", nil, "flags of the compiler: name=value,...")
	return cmd
}
