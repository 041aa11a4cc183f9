package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/files"
)

// profileCommand is the group of commands about profiles that were kept.
func profileCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "profile", Short: "show profiles that were saved, compare them, hold programs against them",
		Long: "Reads what p.save(\"FILE.anprof\") wrote, or the outputs of a notebook that was run with %%profile; lock and check run programs.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("profile: got %s, want show, export, diff, lock or check", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(profileShowCommand(), profileExportCommand(), profileDiffCommand(), profileLockCommand(), profileCheckCommand())
	return cmd
}

func profileShowCommand() *cobra.Command {
	opts := profiler.View{Memory: true, Layout: text.Arignote}
	cmd := &cobra.Command{
		Use: "show FILE", Short: "print the profiles of an .anprof file or of a notebook", Args: cobra.ExactArgs(1),
		Example: "  arignote profile show train.anprof\n  arignote profile show model.ipynb --layout theano",
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := export.Read(files.Open(), args[0])
			if err != nil {
				return fmt.Errorf("profile show: %w", err)
			}
			return text.WriteAll(cmd.OutOrStdout(), all, opts)
		},
	}
	viewFlags(cmd, &opts)
	return cmd
}

func profileDiffCommand() *cobra.Command {
	asJSON, top, flame := false, 0, ""
	cmd := &cobra.Command{
		Use: "diff BEFORE AFTER", Short: "say what changed from the profiles of one file to those of another", Args: cobra.ExactArgs(2),
		Long: "Compares the profiles of two .anprof files or notebooks: which lines, functions and nodes are new, gone,\n" +
			"faster or slower. Rows are matched by what stays when a program is edited: lines by their text, nodes by\n" +
			"their op, line and function.",
		Example: "  arignote profile diff before.anprof after.anprof\n  arignote profile diff before.anprof after.anprof --json\n" +
			"  arignote profile diff before.anprof after.anprof --export change.flame.html",
		RunE: func(cmd *cobra.Command, args []string) error {
			var of [2][]*profiler.Stats
			for i, file := range args {
				all, err := export.Read(files.Open(), file)
				if err != nil {
					return fmt.Errorf("profile diff: %w", err)
				}
				of[i] = all
			}
			c := compare.Compare(of[0], of[1])
			if flame != "" {
				if err := export.WriteDiff(files.Open(), flame, of[0], of[1], c.Moved()); err != nil {
					return err
				}
			}
			if asJSON {
				out := json.NewEncoder(cmd.OutOrStdout())
				out.SetIndent("", " ")
				return out.Encode(c)
			}
			return c.WriteText(cmd.OutOrStdout(), profiler.Limit(top, math.MaxInt))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON: all rows, times in nanoseconds")
	cmd.Flags().StringVar(&flame, "export", "", "write a flame graph too, NAME.flame.html: widths are of the run after, colours say what changed")
	cmd.Flags().IntVar(&top, "top", 0, "rows of every table; 0 is the default, -1 all")
	return cmd
}

// viewFlags gives a command the flags of views: n_ops is --n-ops.
func viewFlags(cmd *cobra.Command, v *profiler.View) {
	for _, f := range profiler.ViewFlags {
		doc := f.Doc
		switch f.Name {
		case "layout":
			doc += ": " + strings.Join(text.LayoutNames(), ", ")
		case "top", "n_ops", "n_apply":
			doc += "; 0 is the default, -1 all"
		}
		flag := cmd.Flags().VarPF(&viewFlag{f, v, f.Default}, strings.ReplaceAll(f.Name, "_", "-"), "", doc)
		if f.Default == "True" || f.Default == "False" {
			flag.NoOptDefVal = "True"
		}
	}
}

// A viewFlag is a flag of the command line that sets one of a view.
type viewFlag struct {
	profiler.ViewFlag
	view  *profiler.View
	value string
}

func (f *viewFlag) String() string { return f.value }
func (f *viewFlag) Type() string   { return "value" }

func (f *viewFlag) Set(value string) error {
	f.value = value
	return f.view.Set(f.Name, value)
}

func profileExportCommand() *cobra.Command {
	view := export.View()
	var formats []string
	for _, f := range export.Formats {
		formats = append(formats, fmt.Sprintf("  %-14s %s", f.Ext, f.Doc))
	}
	cmd := &cobra.Command{
		Use: "export FILE OUT...", Short: "write the profiles of a file in the formats of the other files' names",
		Long: "Writes each OUT in the format that its name ends with:\n\n" + strings.Join(formats, "\n"),
		Example: "  arignote profile export train.anprof train.pb.gz && go tool pprof -http=: train.pb.gz\n" +
			"  arignote profile export model.ipynb model.html model.csv\n" +
			"  arignote profile export train.anprof ops.csv --by=op --top=10",
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, out := range args[1:] { // before anything is written
				if err := export.Known(out); err != nil {
					return err
				}
			}
			all, err := export.Read(files.Open(), args[0])
			if err != nil {
				return fmt.Errorf("profile export: %w", err)
			}
			for _, out := range args[1:] {
				if err := export.Write(files.Open(), out, all, view); err != nil {
					return err
				}
			}
			return nil
		},
	}
	viewFlags(cmd, &view)
	return cmd
}
