// Command gates has Yosys map each unit of the chip to two-input NAND gates and
// flip-flops, and prints the table of docs/RTL.md. With -fpga it maps the whole
// chip to the look-up tables of a Lattice ECP5.
//
//	go run ./rtl/gates [-fpga] [MODULE...]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"emsim/rtl"
)

// units are the parts of the chip in the order of docs/RTL.md.
var units = []string{"su", "port", "ibu", "fmu", "exu", "mcu", "segment", "prefetch", "load", "emcr"}

func main() {
	fpga := flag.Bool("fpga", false, "look-up tables of an ECP5 in place of gates")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *fpga, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "gates: %v\n", err)
		os.Exit(1)
	}
}

// run writes a row of the table for each module, or for each unit if none is named.
func run(ctx context.Context, w io.Writer, fpga bool, modules []string) error {
	if _, err := exec.LookPath("yosys"); err != nil {
		return errors.New("yosys is not installed; on Debian and Ubuntu: apt-get install yosys")
	}
	dir, err := os.MkdirTemp("", "emsim-gates")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sources := rtl.Embedded()
	if err := sources.Write(dir); err != nil {
		return err
	}
	if len(modules) == 0 {
		modules = units
	}
	for _, m := range modules {
		script := "synth -flatten -top " + m + "; abc -g NAND; opt_clean"
		if fpga {
			script = "synth_ecp5 -top " + m
		}
		cells, err := synthesize(ctx, dir, sources.Modules(), m, script)
		if err != nil {
			return err
		}
		if fpga {
			fmt.Fprintf(w, "| `%s` | %d | %d | %d | %d |\n", m, cells["LUT4"], cells["TRELLIS_FF"], cells["TRELLIS_DPR16X4"]+cells["DP16KD"], cells["MULT18X18D"])
			continue
		}
		flips := 0
		for _, name := range slices.Sorted(maps.Keys(cells)) {
			if strings.Contains(name, "DFF") {
				flips += cells[name]
			}
		}
		fmt.Fprintf(w, "| `%s` | %d | %d |\n", m, cells["$_NAND_"]+cells["$_NOT_"], flips)
	}
	return nil
}

// prototype sets the size of the FIFO, which is larger in the tests.
func prototype(top string) string {
	if top == "ibu" || top == "pe" {
		return "chparam -set FIFO_MAX 16 " + top
	}
	return ""
}

// synthesize returns the number of cells of each type.
func synthesize(ctx context.Context, dir string, files []string, top, script string) (map[string]int, error) {
	files = slices.DeleteFunc(files, func(f string) bool { return f == "pair.sv" || f == "switch_node.sv" })
	stat := filepath.Join(dir, "stat.json")
	// The probe shows registers to the tests; no chip would have its pins.
	text := fmt.Sprintf("read_verilog -sv %s; %s; hierarchy -top %s; delete -output %s/o:probe*; %s; tee -q -o %s stat -json", strings.Join(files, " "), prototype(top), top, top, script, stat)
	cmd := exec.CommandContext(ctx, "yosys", "-q", "-p", text)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if len(out) > 2000 {
			out = out[len(out)-2000:]
		}
		return nil, fmt.Errorf("yosys, %s: %w\n%s", top, err, out)
	}
	raw, err := os.ReadFile(stat)
	if err != nil {
		return nil, err
	}
	var s struct {
		Design struct {
			Cells map[string]int `json:"num_cells_by_type"`
		} `json:"design"`
	}
	err = json.Unmarshal(raw, &s)
	return s.Design.Cells, err
}
