package main

import (
	"bufio"
	"encoding/csv"
	"strconv"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/run"
	"emsim/internal/wholefile"
	"emsim/omega"
	"emsim/packet"
)

// The files of --stats and --series hold one observation a row behind a
// header, so that spreadsheets, pandas and R read them as they are.
var (
	statsHeader = []string{"run", "unit", "ga", "ca", "to_ga", "to_ca", "counter", "value"}

	seriesHeader = []string{
		"run", "clock", "clocks", "busy_pes", "exu_fmu", "ibu_only", "network_wait", "idle", "instructions",
		"calls", "mlpe_calls", "mlpe_packets", "packets_sent", "packets_spilled", "hops",
	}
)

// The units of the statistics.
var linkUnits = [...]string{omega.InGroup: "in_group", omega.OutGroup: "out_of_group", omega.Own: "own"}

const statsHelp = `The file of --stats has one counter a row:

  run      1, 2, ... of --runs
  unit     pe; or a link: in_group, out_of_group (to [to_ga,to_ca]),
           own (from the switch to its own PE, at [0,0] also to the host)
  ga ca    the PE
  counter  of a PE: exu_fmu ibu_only network_wait idle (clocks in that state),
           ibu_waiting (those of ibu_only in which the EXU held a packet that the
           switch had not taken), instructions blocks calls mlpe_calls
           mlpe_packets, packets_sent packets_consumed packets_spilled,
           segments_peak, fifo_peak_words mib_peak_words; of a link: packets,
           wait_clocks (of packets that stood ready for it and did not go, one for
           each packet and clock)
  value    until the last word to the host was out`

const seriesHelp = `The file of --series has one window a row:

  run           1, 2, ... of --runs
  clock clocks  the window's end, counted from the start packet; its length
  busy_pes      PEs with IBU, FMU or EXU at work, on the average
  exu_fmu ibu_only network_wait idle
                shares 0..1 of the PE-clocks
  the rest      counts within the window`

// csvFile is a CSV file that is being written. Its first error stays and is
// returned by close. A nil one takes everything and keeps nothing.
type csvFile struct {
	flag string
	file *wholefile.File
	buf  *bufio.Writer
	csv  *csv.Writer
	row  []string
}

// createCSV creates a file and writes its header; without a name it returns
// nil.
func createCSV(flag, name string, header []string) (*csvFile, error) {
	if name == "" {
		return nil, nil
	}
	f, err := wholefile.Create(name)
	if err != nil {
		return nil, usagef("--%s: %w", flag, err)
	}
	buf := bufio.NewWriter(f)
	c := &csvFile{flag: flag, file: f, buf: buf, csv: csv.NewWriter(buf)}
	_ = c.csv.Write(header) // csv.Writer keeps its first error
	return c, nil
}

// write writes one row of integers and texts.
func (c *csvFile) write(fields ...any) {
	c.row = c.row[:0]
	for _, f := range fields {
		switch v := f.(type) {
		case string:
			c.row = append(c.row, v)
		case int:
			c.row = append(c.row, strconv.Itoa(v))
		case uint64:
			c.row = append(c.row, strconv.FormatUint(v, 10))
		case float64:
			c.row = append(c.row, strconv.FormatFloat(v, 'f', 6, 64))
		}
	}
	_ = c.csv.Write(c.row)
}

// close finishes the file: what is in it so far takes the place of an older
// one, unless something could not be written.
func (c *csvFile) close() error {
	if c == nil {
		return nil
	}
	c.csv.Flush()
	_ = c.buf.Flush() // Commit knows of every error
	if err := c.file.Commit(); err != nil {
		return usagef("--%s: %w", c.flag, err)
	}
	return nil
}

// machineStats writes the counters of one run; fed is how many packets the
// host sent in it, by the port of [0,0].
func (c *csvFile) machineStats(run int, t omega.Topology, list []run.PECounters, fed uint64) {
	if c == nil {
		return
	}
	c.write(run, "host", 0, 0, "", "", "packets_sent", fed)
	for i := range list {
		p := &list[i]
		at := t.Address(i)
		pe := func(counter string, value any) {
			c.write(run, "pe", int(at.GA), int(at.CA), "", "", counter, value)
		}
		for s := range emcr.Activities {
			pe(s.String(), p.Clocks[s])
		}
		pe("ibu_waiting", p.IbuWaiting)
		pe("instructions", p.Instructions)
		pe("blocks", p.Blocks)
		pe("calls", p.Calls)
		pe("mlpe_calls", p.MLPECalls)
		pe("mlpe_packets", p.MLPESent)
		pe("packets_sent", p.Sent)
		pe("packets_consumed", p.Consumed)
		pe("packets_spilled", p.Spilled)
		pe("segments_peak", p.SegmentsPeak)
		pe("fifo_peak_words", p.FIFOPeak)
		pe("mib_peak_words", p.MIBPeak)
	}
	for i := range list {
		c.linkStats(run, t, t.Address(i), list[i].Links)
	}
}

// linkStats writes the counters of the three links out of one switch.
func (c *csvFile) linkStats(run int, t omega.Topology, at packet.PE, links [3]run.LinkCounters) {
	for o, l := range links {
		to := at
		if o != omega.Own {
			to = t.Next(at, o)
		}
		link := func(counter string, value uint64) {
			c.write(run, linkUnits[o], int(at.GA), int(at.CA), int(to.GA), int(to.CA), counter, value)
		}
		link("packets", l.Packets)
		link("wait_clocks", l.Waits)
	}
}

// series writes the windows of one run.
func (c *csvFile) series(run, pes int, list []em4.Totals) {
	if c == nil {
		return
	}
	clock := uint64(0)
	for _, w := range list {
		clock += w.Clocks
		c.write(run, clock, w.Clocks, w.Utilisation()*float64(pes),
			w.Share(emcr.ExuFmu), w.Share(emcr.IbuOnly), w.Share(emcr.NetworkWait), w.Share(emcr.Idle),
			w.Instructions, w.Calls, w.MLPECalls, w.MLPESent, w.Sent, w.Spilled, w.Hops)
	}
}
