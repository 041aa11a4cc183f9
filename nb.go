package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/notebook/page"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/spf13/cobra"
)

func nbCommand(stdin io.Reader) *cobra.Command {
	cmd := &cobra.Command{
		Use: "nb", Short: "run, convert, compare and strip notebooks, without Jupyter",
		Long: "Works on notebooks without Jupyter and without Python. FILE is a notebook, .ipynb, or a script with cells, .star or .py;\n" +
			"- is standard input, and as an output standard output.",
	}
	cmd.AddCommand(nbRunCommand(stdin), nbHTMLCommand(stdin), nbStarCommand(stdin), nbIpynbCommand(stdin), nbDiffCommand(stdin), nbStripCommand(stdin))
	return cmd
}

// isScript reports whether a file is a script, not a notebook; standard input is what it begins
// like.
func isScript(file string, text []byte) bool {
	if file == "-" {
		return !bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("{"))
	}
	return filepath.Ext(file) != ".ipynb"
}

// readNotebook reads a notebook, or a script as one.
func readNotebook(file string, stdin io.Reader) (*notebook.Notebook, error) {
	text, err := readBytes(file, stdin)
	if err != nil {
		return nil, err
	}
	read := notebook.Read
	if isScript(file, text) {
		read = func(text []byte) (*notebook.Notebook, error) { return notebook.FromScript(string(text)) }
	}
	nb, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return nb, nil
}

func readBytes(file string, stdin io.Reader) ([]byte, error) {
	if file != "-" {
		return files.Open().ReadStream(file, notebook.MaxSize)
	}
	text, err := io.ReadAll(io.LimitReader(stdin, notebook.MaxSize+1))
	if err == nil && len(text) > notebook.MaxSize {
		err = fmt.Errorf("standard input has more than %d bytes, want at most so many", notebook.MaxSize)
	}
	return text, err
}

// write writes a file as a whole or not at all, or standard output.
func write(cmd *cobra.Command, file string, text []byte) error {
	if file == "-" {
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	return files.Open().Write(file, text)
}

// beside is the file that a conversion writes: the one asked for, or else one of that ending beside
// the file that is read.
func beside(file, asked, ending string) string {
	switch {
	case asked != "":
		return asked
	case file == "-":
		return "-"
	}
	return strings.TrimSuffix(file, filepath.Ext(file)) + ending
}

func nbHTMLCommand(stdin io.Reader) *cobra.Command {
	var to, title string
	cmd := &cobra.Command{
		Use: "html FILE", Short: "make a web page of a notebook", Args: cobra.ExactArgs(1),
		Long: "Makes one page of a notebook with its outputs, which needs no other file and no network, light and dark. Formulas stay as they\n" +
			"are written. HTML of outputs and of text is in the page as it is, and may run scripts: make pages of notebooks that you trust.",
		Example: "  arignote nb html report.ipynb\n  arignote nb run report.ipynb -o - | arignote nb html - -o report.html",
		RunE: func(cmd *cobra.Command, args []string) error {
			nb, err := readNotebook(args[0], stdin)
			if err != nil {
				return err
			}
			if title == "" && args[0] != "-" {
				title = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
			}
			return write(cmd, beside(args[0], to, ".html"), page.HTML(nb, title))
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "the page to write (default: FILE with .html)")
	cmd.Flags().StringVar(&title, "title", "", "its title (default: the name of FILE; of standard input the first heading)")
	return cmd
}

func nbStarCommand(stdin io.Reader) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use: "star FILE.ipynb", Short: "make a script with cells of a notebook", Args: cobra.ExactArgs(1),
		Long: "Makes a script of a notebook, in the percent format: a line \"# %%\" begins a cell, \"# %% [markdown]\" one of text. All but\n" +
			"outputs is in it, so that nb ipynb makes the same notebook again: ids, metadata and attachments stand behind the marks.",
		Example: "  arignote nb star train.ipynb\n  arignote nb star train.ipynb -o - | less",
		RunE: func(cmd *cobra.Command, args []string) error {
			nb, err := readNotebook(args[0], stdin)
			if err != nil {
				return err
			}
			return write(cmd, beside(args[0], to, ".star"), []byte(nb.ToScript()))
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "the script to write (default: FILE with .star)")
	return cmd
}

func nbIpynbCommand(stdin io.Reader) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use: "ipynb FILE.star", Short: "make a notebook of a script with cells", Args: cobra.ExactArgs(1),
		Long: "Makes a notebook of a script. If it is there already, outputs of cells that are the same are kept. Of a notebook of an older\n" +
			"format it makes nbformat 4.",
		Example: "  arignote nb ipynb train.star\n  arignote nb ipynb train.star -o - | arignote nb run - -o train.ipynb",
		RunE: func(cmd *cobra.Command, args []string) error {
			nb, err := readNotebook(args[0], stdin)
			if err != nil {
				return err
			}
			file := beside(args[0], to, ".ipynb")
			if old, err := readNotebook(file, strings.NewReader("")); err == nil && file != "-" {
				nb.KeepOutputs(old)
			} else if file != "-" && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("nb ipynb: what is there is no notebook, and stays: %w", err)
			}
			return write(cmd, file, nb.Encode())
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "the notebook to write (default: FILE with .ipynb)")
	return cmd
}

func nbDiffCommand(stdin io.Reader) *cobra.Command {
	var outputs bool
	cmd := &cobra.Command{
		Use: "diff OLD NEW", Short: "show what differs between two notebooks, cell by cell", Args: cobra.ExactArgs(2),
		Long: "Shows which cells were added, removed and changed, with their lines. Outputs, counts and times count with --outputs only, ids\n" +
			"never. The status is 1 if something differs.",
		Example: "  arignote nb diff train.ipynb new.ipynb\n  git show HEAD:train.ipynb | arignote nb diff - train.ipynb\n  arignote nb diff --outputs kept.ipynb run.ipynb",
		RunE: func(cmd *cobra.Command, args []string) error {
			old, err := readNotebook(args[0], stdin)
			if err != nil {
				return err
			}
			changed, err := readNotebook(args[1], stdin)
			if err != nil {
				return err
			}
			text := notebook.Compare(args[0], old, args[1], changed, outputs)
			if text == "" {
				return nil
			}
			if _, err := io.WriteString(visible.Writer(cmd.OutOrStdout()), text); err != nil {
				return err
			}
			return shown{errors.New("nb diff: the notebooks differ")}
		},
	}
	cmd.Flags().BoolVar(&outputs, "outputs", false, "compare outputs too, and all else that running changes")
	return cmd
}

func nbStripCommand(stdin io.Reader) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "strip FILE.ipynb ...", Short: "take outputs and execution counts out of notebooks", Args: cobra.MinimumNArgs(1),
		Long: "Takes out of notebooks what running them leaves: outputs, counts, times. Files are written if they change. With --check\n" +
			"nothing is written: it lists the files that would change, with status 1, as a hook before commits wants it.",
		Example: "  arignote nb strip *.ipynb\n  arignote nb strip --check *.ipynb\n  git config filter.strip.clean \"arignote nb strip -\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			failed := false
			for _, file := range args {
				changed, err := strip(cmd, file, stdin, check)
				if err != nil {
					complain(cmd.ErrOrStderr(), fmt.Errorf("nb strip: %w", err))
				}
				failed = failed || err != nil || check && changed
			}
			if failed {
				return shown{errors.New("nb strip: not all is stripped")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; list the files that have outputs, with status 1")
	return cmd
}

// strip strips one file and reports whether there was anything to strip.
func strip(cmd *cobra.Command, file string, stdin io.Reader, check bool) (changed bool, err error) {
	if file != "-" && isScript(file, nil) {
		return false, fmt.Errorf("%s: got a script, which has no outputs, want a notebook, .ipynb", file)
	}
	nb, err := readNotebook(file, stdin)
	if err != nil {
		return false, err
	}
	changed = nb.Strip()
	switch {
	case check && changed:
		_, err = fmt.Fprintln(cmd.OutOrStdout(), visible.Text(file))
	case !check && (changed || file == "-"):
		err = write(cmd, file, nb.Encode())
	}
	return changed, err
}
