package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/text"
)

// profileCommand is the group of commands about profiles that were kept.
func profileCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "profile", Short: "show profiles that were saved, or write them for other programs",
		Long: "Reads what p.save(\"FILE.anprof\") wrote, or the outputs of a notebook that was run with %%profile.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("profile: got %s, want show or export", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(profileShowCommand(), profileExportCommand())
	return cmd
}

func profileShowCommand() *cobra.Command {
	opts := text.Options{Memory: true}
	layout := string(text.Arignote)
	cmd := &cobra.Command{
		Use: "show FILE", Short: "print the profiles of an .anprof file or of a notebook", Args: cobra.ExactArgs(1),
		Example: "  arignote profile show train.anprof\n  arignote profile show model.ipynb --layout theano",
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := export.Read(args[0])
			if err != nil {
				return fmt.Errorf("profile show: %w", err)
			}
			opts.Layout = text.Layout(layout)
			return text.WriteAll(cmd.OutOrStdout(), all, opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&layout, "layout", layout, "layout of the text: "+strings.Join(text.LayoutNames(), ", "))
	f.IntVar(&opts.NOps, "n-ops", 0, "rows by class and by op; 0 is 20, -1 all")
	f.IntVar(&opts.NApply, "n-apply", 0, "rows by Apply node and of the memory list; 0 is 20, -1 all")
	f.IntVar(&opts.LineWidth, "width", 0, "characters after which a name is cut; -1 cuts none")
	f.BoolVar(&opts.Rewrites, "rewrites", false, "also what the rewrites did")
	f.BoolVar(&opts.Details, "details", false, "also the operands of each node and, with --rewrites, each pass and rule")
	f.BoolVar(&opts.Listing, "listing", false, "also the whole sources, each line with its price; of the layout arignote")
	f.BoolVar(&opts.Inclusive, "inclusive", false, "the price of a line has that of what it calls; of the layout arignote")
	return cmd
}

func profileExportCommand() *cobra.Command {
	var formats []string
	for _, f := range export.Formats {
		formats = append(formats, fmt.Sprintf("  %-14s %s", f.Ext, f.Doc))
	}
	return &cobra.Command{
		Use: "export FILE OUT...", Short: "write the profiles of a file in the formats of the other files' names",
		Long: "Writes each OUT in the format that its name ends with:\n\n" + strings.Join(formats, "\n"),
		Example: "  arignote profile export train.anprof train.pb.gz && go tool pprof -http=: train.pb.gz\n" +
			"  arignote profile export model.ipynb model.html model.csv",
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, out := range args[1:] { // before anything is written
				if err := export.Known(out); err != nil {
					return err
				}
			}
			all, err := export.Read(args[0])
			if err != nil {
				return fmt.Errorf("profile export: %w", err)
			}
			for _, out := range args[1:] {
				if err := export.Write(out, all); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
