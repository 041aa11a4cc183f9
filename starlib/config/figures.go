package config

// FigureFormats is the value of the flag figure_format for formats as IPython names them: png,
// retina, svg, or several of them.
func FigureFormats(names []string) (any, error) {
	f, _ := Lookup("figure_format")
	var format any
	for _, name := range names {
		v, err := f.Check(name)
		if err != nil {
			return nil, err
		}
		if format != nil && v != format {
			v = "both"
		}
		format = v
	}
	if format == nil {
		return nil, f.want("")
	}
	return format, nil
}
