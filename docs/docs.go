// Package docs holds the tables of the documentation that commands print.
//
//	docs.go   tables
//	pages.go  pages, from the folder; pages_packed.go: packed, in a release
package docs

import (
	"bytes"
	"embed"
	"encoding/csv"
)

// Sensitivity is sensitivity.csv: the effect of every uncertain knob on every row of paper 003, as 'emsim calibrate
// --csv' writes it.
//
//go:embed sensitivity.csv
var Sensitivity string

// Deviations is DEVIATIONS.md, which lists the numbered gaps between papers and models.
//
//go:embed DEVIATIONS.md
var Deviations string

// Beyond holds the tables of docs/beyond, as 'emsim sweep' writes them from the files in docs/sweeps: measurements
// beyond the papers.
//
//go:embed beyond/*.csv
var Beyond embed.FS

// Drawings holds pictures of the EM-4 that are not drawn by code; a test checks their numbers against the model.
//
//go:embed img/em4-packet.svg img/em4-mlpe.svg img/em4-load.svg img/em4-prefetch.svg img/em4-fallback.svg
var Drawings embed.FS

// Balance is the recorded comparison of all balancing policies, as 'emsim
// balance compare --csv' writes it.
//
//go:embed balance/compare.csv
var Balance string

// Valid is the table of the differences between the comparison's policies and their native machines, as 'emsim balance
// validate --csv' writes it.
//
//go:embed balance/valid.csv
var Valid string

// Open is the table of response times at several loads, as 'emsim balance compare --csv' writes it.
//
//go:embed balance/open.csv
var Open string

// Rows returns the rows of a CSV table, each as a map from the names of its columns to its cells.
func Rows(text []byte) ([]map[string]string, error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	var rows []map[string]string
	for _, l := range lines[1:] {
		r := map[string]string{}
		for i, column := range lines[0] {
			r[column] = l[i]
		}
		rows = append(rows, r)
	}
	return rows, nil
}
