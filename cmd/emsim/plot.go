package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/figures"
	"emsim/internal/interrupt"
	"emsim/internal/wholefile"
)

func newPlotCmd(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "plot [NAME]",
		Short: "Draw a figure as SVG or PNG; without a name, list the figures",
		Long: `plot runs what a figure needs and draws it to the file of -o, whose ending
decides the format: .svg or .png. Without a name it lists the figures. Ctrl-C
writes nothing.`,
		Example: "  emsim plot\n  emsim plot mnc-efficiency -o efficiency.svg",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listFigures()
			}
			if len(args) > 1 {
				return usagef("one figure at a time, got %q", args)
			}
			all := figures.All()
			i := slices.IndexFunc(all, func(f figures.Figure) bool { return f.Name == args[0] })
			if i < 0 {
				return usagef("no figure is called %q; 'emsim plot' lists them", args[0])
			}
			if !slices.Contains(figures.Formats(), strings.ToLower(filepath.Ext(file))) {
				return usagef("-o needs a file that ends in %s, got %q", strings.Join(figures.Formats(), " or "), file)
			}
			if err := claim([]output{{flag: "-o", name: file}}); err != nil {
				return err
			}
			data, err := figures.Encode(cmd.Context(), all[i], file)
			if interrupt.Ended(err) {
				return interrupt.Of(cmd.Context(), "before the figure was drawn: %s was not written", file)
			}
			if err != nil {
				return err
			}
			if err := wholefile.WriteFile(file, data, 0o666); err != nil {
				return usagef("-o: %w", err)
			}
			return a.emit(map[string]any{"figure": all[i].Name, "file": file, "bytes": len(data)}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %s, %d bytes\n", file, all[i].Title, len(data))
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write, .svg or .png")
	return cmd
}

func (a *app) listFigures() error {
	type line struct {
		Name   string `json:"name"`
		Title  string `json:"title"`
		Source string `json:"source"`
	}
	list := []line{}
	for _, f := range figures.All() {
		list = append(list, line{f.Name, f.Title, f.Source})
	}
	return a.emit(list, func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "figure\tsource\tshows")
		for _, l := range list {
			fmt.Fprintf(t, "%s\t%s\t%s\n", l.Name, l.Source, l.Title)
		}
		return t.Flush()
	})
}
