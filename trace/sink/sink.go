// Package sink writes traces to files, for people and for tools.
//
//	sink.go      the formats by name, and their common writer
//	text.go      one event per line in fixed columns
//	vcd.go       a value change dump, for wave viewers such as gtkwave
//	perfetto.go  a protobuf for the Perfetto UI: a process per PE, a track per unit; perfettofile.go encodes it
//	konata.go    Kanata 0004, for the pipeline viewer Konata
//
// docs/TRACING.md describes each of them. In all of them one unit of time is one clock.
package sink

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/trace"
)

// format is a file format for traces.
type format struct {
	name    string
	endings []string
	open    func(w *bufio.Writer, info *trace.Info) trace.Sink
}

func formats() []format {
	return []format{
		{"text", []string{".txt", ".trace"}, newText},
		{"vcd", []string{".vcd"}, newVCD},
		{"perfetto", []string{".pftrace", ".perfetto-trace"}, newPerfetto},
		{"konata", []string{".kanata", ".konata"}, newKonata},
	}
}

// Formats lists the format names that New accepts.
func Formats() []string {
	return lists.Of(formats(), func(f format) string { return f.name })
}

// Plain splits a file name into the name of the plain file and the ending of a compressed file, in lower case: .gz,
// .zst or "".
func Plain(file string) (plain, compression string) {
	ext := filepath.Ext(file)
	if small := strings.ToLower(ext); small == ".gz" || small == ".zst" {
		return strings.TrimSuffix(file, ext), small
	}
	return file, ""
}

// FormatOf returns the format that belongs to the ending of a file name, or "". It ignores the endings .gz and .zst.
func FormatOf(file string) string {
	plain, _ := Plain(file)
	ext := strings.ToLower(filepath.Ext(plain))
	for _, f := range formats() {
		if slices.Contains(f.endings, ext) {
			return f.name
		}
	}
	return ""
}

// Endings lists the endings of file names for which FormatOf returns a format.
func Endings() []string {
	return slices.Concat(lists.Of(formats(), func(f format) []string { return f.endings })...)
}

// New returns a Sink that writes to w in the named format. The functions Where and Instr of info may be nil.
func New(name string, w io.Writer, info trace.Info) (trace.Sink, error) {
	if info.Where == nil {
		info.Where = func(pc uint32) string { return fmt.Sprintf("%#x", pc) }
	}
	if info.Instr == nil {
		info.Instr = func(uint32) string { return "" }
	}
	for _, f := range formats() {
		if f.name == name {
			return f.open(bufio.NewWriterSize(w, 1<<16), &info), nil
		}
	}
	return nil, fmt.Errorf("no trace format is called %q: expected %s", name, strings.Join(Formats(), ", "))
}
