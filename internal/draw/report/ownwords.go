package report

import (
	"fmt"
	"html/template"
	"strings"

	"emsim/internal/base/plural"
	"emsim/internal/inspect/profile"
	"emsim/trace"
)

// whyWaits says what a unit with a status waits for. Other statuses are no waits.
var whyWaits = map[trace.Unit]map[trace.Status]string{
	trace.EXU: {
		trace.WaitIBU:    "the IBU has the memory port",
		trace.WaitSwitch: "the switch has not taken the packet that the EXU holds",
		trace.WaitPort:   "the output port, or the output buffer, has no room",
		trace.WaitFMU:    "the FMU is still matching the next node",
		trace.WaitMIB:    "all packets are in the MIB", trace.WaitOperand: "operands wait for partners that have not " +
			"arrived",
	},
	trace.FMU: {
		trace.WaitIBU: "the IBU has the memory port", trace.WaitMemory: "the EXU has the memory port",
		trace.WaitEXU: "the EXU runs another block", trace.WaitMIB: "all packets are in the MIB",
	},
	trace.IBU: {
		trace.WaitMemory: "the EXU has the memory port", trace.WaitFMU: "the FMU has not taken the head of the FIFO",
		trace.WaitMIB: "the MIB is full",
	},
	trace.SU: {
		trace.WaitBank:   "the bank downstream is full or not yet free again",
		trace.WaitIntake: "the PE's intake register is full",
		trace.WaitOutput: "another packet holds the output", trace.WaitInput: "another packet holds the input",
		trace.WaitTurn: "another packet won the arbiter",
	},
}

func percent(n, of uint64) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// mostValues is the largest number of values of a result that the page shows.
const mostValues = 12

// Sizes of the flame graph, in units of its viewBox. Inner frames are drawn below outer ones.
const (
	flameWidth  = 1000
	flameRow    = 27
	flameLetter = 7.1 // width of a letter
)

// flame draws a flame graph as part of a page.
func flame(root profile.Frame, title string) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class="flame" role="img" aria-label="%s" viewBox="0 0 %d %d" font-family="Arial,Liberation Sans,Helvetica,sans-serif" font-size="13">`,
		template.HTMLEscapeString(title), flameWidth, 4*flameRow+1)
	flameBox(&b, &root, &root, 0, 0, false)
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// flameBox draws a box and the boxes inside it; idle boxes show time without a block.
func flameBox(b *strings.Builder, root, f *profile.Frame, x float64, level int, idle bool) {
	wide := flameWidth * float64(f.Clocks) / float64(max(1, root.Clocks))
	if wide < 0.4 {
		return
	}
	class := fmt.Sprint("level", level)
	if idle = idle || f.Name == profile.NoBlock || f.Name == profile.Unwatched; idle {
		class = "unused"
	}
	fmt.Fprintf(b,
		`<g class="%s"><title>%s: %s PE-clocks, %s</title><rect x="%.2f" y="%d" width="%.2f" height="%d"/>`,
		class, template.HTMLEscapeString(f.Name), plural.Commas(f.Clocks), percent(f.Clocks, root.Clocks), x,
		level*flameRow,
		wide, flameRow)
	if room := int((wide - 6) / flameLetter); room >= 3 {
		name := []rune(f.Name)
		if len(name) > room {
			name = append(name[:room-1], '…')
		}
		fmt.Fprintf(b, `<text x="%.2f" y="%d">%s</text>`, x+4, level*flameRow+18,
			template.HTMLEscapeString(string(name)))
	}
	b.WriteString("</g>")
	for i := range f.Inner {
		flameBox(b, root, &f.Inner[i], x, level+1, idle)
		x += flameWidth * float64(f.Inner[i].Clocks) / float64(max(1, root.Clocks))
	}
}
