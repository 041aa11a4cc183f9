package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx"
	"github.com/arignote/arignote/starlib"
)

// onnxCommand is the group of commands about models of ONNX files.
func onnxCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "onnx", Short: "run models of ONNX files, and say what they need",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("onnx: got %s, want run or check", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(onnxRunCommand(), onnxCheckCommand())
	return cmd
}

// An onnxInput is an argument of --input: a file, for the next input or the one that is named.
type onnxInput struct{ name, file string }

func onnxRunCommand() *cobra.Command {
	var inputs, values, outputs, flags []string
	var profiled bool
	cmd := &cobra.Command{
		Use: "run MODEL.onnx -i INPUT.npy...", Short: "run a model on arrays of files", Args: cobra.ExactArgs(1),
		Long: "Runs a model on arrays of .npy files, in the order of its inputs or by their names, and shows the results or, with -o, writes them.\n" +
			"Inputs that decide shapes, such as the axes of a sum, are given with --value.",
		Example: "  arignote onnx run resnet50.onnx -i x.npy -o y.npy --profile\n  arignote onnx run model.onnx -i ids=ids.npy -i mask=mask.npy",
		RunE: func(cmd *cobra.Command, args []string) error {
			if profiled {
				flags = append([]string{"profile=True,profiling.layout=arignote"}, flags...)
			}
			code, err := onnxProgram(args[0], inputs, values, outputs)
			if err != nil {
				return err
			}
			s, err := session("", flags, nil, 0, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
			defer leave(cmd.Context())
			_, _, err = s.Execute(cmd.Context(), 1, code, &starlib.Terminal{Out: stdout, Err: stderr})
			var failed *starlib.Error
			if errors.As(err, &failed) { // the program is ours: its lines say nothing
				return fmt.Errorf("onnx run: %w", errors.New(failed.Error()))
			}
			return finish(s, err, stdout, stderr)
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&inputs, "input", "i", nil, "a file of an input: FILE.npy, or NAME=FILE.npy")
	f.StringArrayVar(&values, "value", nil, "NAME=FILE.npy: an input whose value decides shapes")
	f.StringArrayVarP(&outputs, "output", "o", nil, "a file for an output, in their order: FILE.npy")
	f.StringArrayVar(&flags, "flags", nil, "flags of the compiler: name=value,...")
	f.BoolVar(&profiled, "profile", false, "print where the time went, by node of the model")
	return cmd
}

// onnxProgram is the program of the language that runs a model.
func onnxProgram(model string, inputs, values, outputs []string) (string, error) {
	var b strings.Builder
	read := func(file string) string { return "np.load(" + strconv.Quote(file) + ")" }
	named := func(arg string) onnxInput {
		if name, file, ok := strings.Cut(arg, "="); ok {
			return onnxInput{name, file}
		}
		return onnxInput{"", arg}
	}
	b.WriteString("import onnx\nvalues = {}\nargs, named = [], {}\n")
	for _, arg := range values {
		v := named(arg)
		if v.name == "" {
			return "", fmt.Errorf("onnx run: --value %s: want NAME=FILE.npy", arg)
		}
		fmt.Fprintf(&b, "values[%q] = %s\n", v.name, read(v.file))
	}
	for _, arg := range inputs {
		if v := named(arg); v.name != "" {
			fmt.Fprintf(&b, "named[%q] = %s\n", v.name, read(v.file))
		} else {
			fmt.Fprintf(&b, "args.append(%s)\n", read(v.file))
		}
	}
	fmt.Fprintf(&b, "m = onnx.load(%q, values=values)\n", model)
	b.WriteString("known = [v.name for v in m.inputs]\n" +
		"for i in range(min(len(args), len(known))):\n    named[known[i]] = args[i]\n" +
		"if len(args) > len(known): fail(\"got %d inputs, want %d: %s\" % (len(args), len(known), \", \".join(known)))\n" +
		"shapes = {name: x.shape for name, x in named.items() if name in known}\n" +
		"m = onnx.load(" + strconv.Quote(model) + ", values=values, shapes=shapes)\n" +
		"missing = [name for name in known if name not in named]\n" +
		"if missing: fail(\"no value for \" + \", \".join(missing) + \": -i NAME=FILE.npy\")\n" +
		"out = m(*[named[name] for name in known])\n" +
		"out = out if len(m.outputs) != 1 else [out]\n")
	fmt.Fprintf(&b, "files = %s\n", strings.ReplaceAll(fmt.Sprintf("%q", outputs), "\" \"", "\", \""))
	b.WriteString("if len(files) > len(out): fail(\"got %d files for %d outputs\" % (len(files), len(out)))\n" +
		"for i in range(len(out)):\n" +
		"    if i < len(files): np.save(files[i], out[i])\n" +
		"    else: print(\"%s: %s of shape %s\\n%s\" % (m.output_names[i], out[i].dtype, out[i].shape, out[i]))\n")
	return b.String(), nil
}

func onnxCheckCommand() *cobra.Command {
	var shapes []string
	top := 15
	cmd := &cobra.Command{
		Use: "check MODEL.onnx", Short: "say what of a model is missing, its parameters, flops and bytes, and how long it takes at best", Args: cobra.ExactArgs(1),
		Long: "Loads and compiles a model without running it. The time is the one at the roof of this machine, which is measured for about\n" +
			"a second if it is not known. Lengths that the file leaves open are given with --shape. The status is 1 if something is missing.",
		Example: "  arignote onnx check resnet50.onnx\n  arignote onnx check bert.onnx --shape ids=1,128 --shape mask=1,128",
		RunE: func(cmd *cobra.Command, args []string) error {
			o := onnx.Options{Shapes: make(map[string][]int)}
			for _, arg := range shapes {
				name, list, _ := strings.Cut(arg, "=")
				dims := []int{}
				for word := range strings.SplitSeq(list, ",") {
					n, err := strconv.Atoi(strings.TrimSpace(word))
					if word == "?" {
						n, err = graph.Unknown, nil
					}
					if err != nil || n < graph.Unknown {
						return fmt.Errorf("onnx check: --shape %s: want NAME=1,3,224,224, with ? for what is not known", arg)
					}
					dims = append(dims, n)
				}
				o.Shapes[name] = dims
			}
			m, err := onnx.Load(args[0], o)
			if err != nil {
				return fmt.Errorf("onnx check: %w", err)
			}
			threads, err := parallel.Default()
			if err != nil {
				return err
			}
			machine, err := roofline.Machine(cmd.Context(), threads, true)
			if err != nil {
				return err
			}
			mode, err := compile.NamedMode("FAST_RUN", compile.Mode{Linker: "c|go", Optimizer: "fast_run"})
			if err != nil {
				return err
			}
			f, err := compile.Compile(compile.Spec{Name: filepath.Base(m.File), Inputs: m.Inputs, Outputs: m.Outputs, Mode: mode})
			if err != nil {
				return fmt.Errorf("onnx check: %w", err)
			}
			return onnxReport(cmd.OutOrStdout(), m, f, machine, top)
		},
	}
	cmd.Flags().StringArrayVar(&shapes, "shape", nil, "NAME=1,3,224,224: the shape of an input")
	cmd.Flags().IntVar(&top, "top", top, "rows of the table of nodes; -1 all")
	return cmd
}

// An onnxRow is what the nodes of the compiled graph take that one of the model became.
type onnxRow struct {
	line               int
	flops, bytes, best float64
	limit              string
	unknown            bool
}

// onnxReport writes what a model is and takes at best.
func onnxReport(w io.Writer, m *onnx.Model, f *compile.Function, machine *profiler.Machine, top int) error {
	fmt.Fprintf(w, "%s, operators of version %d", m.File, m.Opset)
	if p := m.Proto.Producer; p != "" {
		fmt.Fprintf(w, ", written by %s", strings.TrimSpace(p+" "+m.Proto.ProducerVersion))
	}
	fmt.Fprintln(w)
	for _, v := range m.Inputs {
		fmt.Fprintf(w, "  input   %s: %v\n", v.Name, v.Type)
	}
	for i, v := range m.Outputs {
		fmt.Fprintf(w, "  output  %s: %v\n", m.Names[i], v.Type)
	}
	size, bytes := 0, 0
	for _, p := range m.Params {
		d := p.Shared.Get()
		size, bytes = size+d.Size(), bytes+d.NBytes()
	}
	fmt.Fprintf(w, "%d nodes, %d of the compiled graph; %d parameters of %s numbers, %s\n", len(m.Lines()), len(f.Program.Nodes),
		len(m.Params), units.Grouped(int64(size)), units.Plain(units.Human(units.Bytes, float64(bytes))))
	rows := make(map[int]*onnxRow)
	var all onnxRow
	for i := range f.Program.Nodes {
		node := &f.Program.Nodes[i]
		line := 0
		if o := node.Apply.Origin(); o != nil && o.Pos().File == m.File {
			line = o.Pos().Line
		}
		r := rows[line]
		if r == nil {
			r = &onnxRow{line: line}
			rows[line] = r
		}
		p, ok := machine.Predict(node)
		r.unknown, all.unknown = r.unknown || !ok, all.unknown || !ok
		if p.Best > r.best {
			r.limit = p.Limit
		}
		for _, to := range []*onnxRow{r, &all} {
			to.flops, to.bytes, to.best = to.flops+p.Flops, to.bytes+p.Bytes, to.best+p.Best
		}
	}
	total := fmt.Sprintf("%s, %s, at best %s", units.Human(units.Flops, all.flops), units.Human(units.Bytes, all.bytes), units.Human(units.Times, all.best))
	if machine == nil || machine.Roof == nil {
		total += " (no roof is known)"
	}
	if all.unknown {
		total += ", and more: lengths are not known, give them with --shape"
	}
	fmt.Fprintln(w, units.Plain(total))
	list := slices.SortedFunc(maps.Values(rows), func(a, b *onnxRow) int {
		return cmp.Or(cmp.Compare(b.best, a.best), cmp.Compare(a.line, b.line))
	})
	text := m.Lines()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "at best\tflops\tbytes\tlimit\tnode")
	for _, r := range list[:min(len(list), profiler.Limit(top, math.MaxInt))] {
		name := "what no node of the model wrote"
		if r.line > 0 && r.line <= len(text) {
			name = text[r.line-1]
		}
		fmt.Fprintln(t, units.Plain(strings.Join([]string{units.Human(units.Times, r.best), units.Human(units.Flops, r.flops),
			units.Human(units.Bytes, r.bytes), cmp.Or(r.limit, "-"), units.Short(units.OneLine(name), 80)}, "\t")))
	}
	return t.Flush()
}
