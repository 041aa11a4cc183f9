package config

// SetFigureFormats sets the flag figure_format by the names that IPython has for formats of
// figures: png, retina, svg, or several of them.
func (c *Config) SetFigureFormats(names []string, source string) error {
	f, _ := Lookup("figure_format")
	var format any
	for _, name := range names {
		v, err := f.Check(name)
		if err != nil {
			return err
		}
		if format != nil && v != format {
			v = "both"
		}
		format = v
	}
	if format == nil {
		return f.want("")
	}
	return c.Set(f.Name, format, source)
}
