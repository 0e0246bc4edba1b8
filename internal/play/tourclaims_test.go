package play

import (
	"context"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// tourClaim is a statement of the guided tour: a part of its text, and what shows that it is true, one of these: a
// condition on a run, at a clock or (clock "") at its end; a place in a paper; words of one of the tour's pictures,
// which another test compares with the machine; a pattern of the page's commands and their output, which another test
// repeats.
type tourClaim struct {
	words          string
	run            string // of tourRuns
	clock, holds   string
	source         string
	picture, shows string // words, in this order, separated by "|"
	page           string
}

// tourRuns returns the runs of the tour by name.
func tourRuns(t *testing.T) map[string]engine.Setup {
	text := func(file string) string {
		t.Helper()
		text, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		return string(text)
	}
	return map[string]engine.Setup{
		"packet": {
			Main: "em4packet.s", Args: []string{"30"}, PEs: 12,
			Files: map[string]string{"em4packet.s": text("internal/draw/figures/em4packet.s")},
		},
		"fib":   {Main: "fib.s", Args: []string{"10"}, PEs: 12},
		"leaf":  {Main: "fib.s", Args: []string{"2"}, PEs: 12},
		"usual": {Main: "fib.s", Args: []string{"10"}, PEs: 80},
		"squares": {
			Main: "squares.s", Args: []string{"3", "4"}, PEs: 12,
			Files: map[string]string{"squares.s": text("docs/first/squares.s")},
		},
	}
}

var tourClaims = []tourClaim{
	{words: "one packet from its to the match, a whole program on twelve PEs", page: `--machine 12`},
	{words: "all the packets that it needs, one or two, it", source: "003 §2"},
	{
		words: "the first of two to arrive is stored in the word that belongs to its node, and the second finds it there",
		run:   "packet",
		holds: `way("[0,0].2", "waits for a partner") < way("[3,0].1", "finds its partner [0,0].2")`,
	},
	{
		words: "The program [em4packet.s adds two numbers that come from different places",
		run:   "packet",
		holds: `answer == "42" && 30 + 12 == 42`,
	},
	{
		words: "PE [0,0] takes an operand segment, asks PE [3,0] for a number, and sends itself the argument as the " +
			"*left* operand",
		run: "packet", holds: `runs("far", "[3,0]") > 0 && about("[0,0].2", "to [0,0] join left: 30")`,
	},
	{
		words: "PE [3,0] answers with 12, the *right* operand",
		run:   "packet",
		holds: `about("[3,0].1", "join right: 12")`,
	},
	{words: "**EXU of [3,0].**", run: "packet", holds: `way("[3,0].1", "made by [3,0], at far+1") > 0`},
	{
		words: "**SU of [3,0], [3,1], [0,2], [0,0].**", run: "packet",
		holds: `way("[3,0].1", "leaves [3,0]") < way("[3,0].1", "leaves [3,1]") &&
			way("[3,0].1", "leaves [3,1]") < way("[3,0].1", "leaves [0,2]") &&
			way("[3,0].1", "leaves [0,2]") < way("[3,0].1", "arrives at [0,0]")`,
	},
	{words: "one of its two outgoing links", run: "packet", holds: `links == 2`},
	{words: "A packet is two words and holds a port for two clocks", run: "packet", holds: `bank_clocks == 2`},
	{
		words: "no PE on the way is disturbed",
		run:   "packet",
		holds: `runs("join", "[3,1]") < 0 &&
			none(group == 3 && member == 1 || group == 0 && member == 2, calls > 0 || operands > 0 || fifo > 0)`,
	},
	{words: "**IBU of [0,0].**", run: "packet", holds: `way("[3,0].1", "enters the FIFO of [0,0]") > 0`},
	{
		words: "**Memory of [0,0].** The left operand arrived long before", run: "packet",
		holds: `way("[3,0].1", "arrives at [0,0]") - way("[0,0].2", "waits for a partner") >= 10`,
	},
	{words: "**FMU of [0,0].**", run: "packet", holds: `way("[3,0].1", "finds its partner [0,0].2") > 0`},
	{
		words: "the two operands are *matched*, and the node fires",
		run:   "packet",
		holds: `way("[3,0].1", "the node join has all its operands") > 0`,
	},
	{words: "**EXU of [0,0].**", run: "packet", holds: `runs("join", "[0,0]") > 0`},
	{words: "is the first packet that PE [3,0] made", run: "packet", holds: `way("[3,0].1", "made by [3,0]") > 0`},
	{
		words: "by calling itself twice, with *n* − 2 and *n* − 1",
		run:   "fib",
		holds: `answer == "55" && instances == 2 * 55 - 1`,
	},
	{words: "A child with *n* ≤ 2 is a function instance too", run: "leaf", holds: `args == "2" && instances == 1`},
	{
		words:   "all units of all PEs from the first clock to the last",
		picture: "em4-fib10",
		shows:   "fib(10) on 12 PEs: 55 in 801 clocks",
	},
	{words: "Each PE has four rows", picture: "em4-fib10", shows: "[0,0] EXU|FMU|IBU|SU|[0,1] EXU|FMU|IBU|SU"},
	{
		words: "On the left only [0,0] works",
		run:   "fib",
		clock: "20",
		holds: `state[0,0] == "R" && count(state == "R") == 1`,
	},
	{
		words: "It calls, and its two neighbours start, then their neighbours",
		run:   "fib",
		clock: "130",
		holds: `calls[0,1] + calls[2,1] == 2 && calls[0,2] + calls[1,2] + calls[2,2] + calls[3,2] > 0`,
	},
	{
		words: "Both rings lead from member 0 of a group to member 1, then 2, and back to 0",
		run:   "fib",
		holds: `leads(0, 1) && leads(1, 2) && leads(2, 0)`,
	},
	{
		words: "member 1 is busiest around clock 300, member 2 around 400, member 0 around 550",
		run:   "fib",
		holds: `busiest(1, 300) && busiest(2, 400) && busiest(0, 550)`,
	},
	{
		words: "over the whole run the PEs are busy two fifths of the time",
		run:   "fib",
		holds: `work > 37.5 && work < 42.5`,
	},
	{words: "The first clocks of the run on PE [0,0], without the instructions", page: `--to \+40 --pe 0\.0`},
	{words: "Every PE computes a number from 0 to F all the time", picture: "em4-load", shows: "load|0|F"},
	{words: "The two lower rows are alarms", picture: "em4-load", shows: "free segments"},
	{words: "has the load F, so that no PE gives it more functions", picture: "em4-load", shows: "F"},
	{words: "That costs no extra clock and disturbs no PE", source: "003 §4.1"},
	{
		words:  "This is the paper's figure 4 on the prototype's circuit of five PEs, with loads that we made up",
		source: "003 figure 4",
	},
	{words: "[0,0] begins with its own load, 5", picture: "em4-mlpe", shows: "[0,0]|load 5|[5,[0,0]]"},
	{
		words:   "The second PE has 3 and writes itself into the packet",
		picture: "em4-mlpe",
		shows:   "[8,1]|load 3|[3,[8,1]]",
	},
	{words: "the third has 7 and leaves it", picture: "em4-mlpe", shows: "[4,2]|load 7|[3,[8,1]]"},
	{words: "the fourth has 1 and rewrites it", picture: "em4-mlpe", shows: "[2,3]|load 1|[1,[2,3]]"},
	{words: "the fifth has 2 and leaves it", picture: "em4-mlpe", shows: "[1,4]|load 2|[1,[2,3]]"},
	{words: "the least loaded of these five, not of all eighty", run: "usual", holds: `pes == 80 && members == 5`},
	{
		words:   "One search of PE [0,0] in fib(12)",
		picture: "em4-prefetch",
		shows:   "fib(12) with MLPE on 12 PEs: PE [0,0] looks for the least load",
	},
	{
		words:   "The call waits for none of this",
		picture: "em4-fallback",
		shows:   "takes the segment of [1,2], and starts a search",
	},
	{
		words:   "It starts a search only if none is on its way",
		picture: "em4-fallback",
		shows:   "the register is empty: goes to [2,1], as without MLPE",
	},
	{
		words:   "Call 1 takes the segment of the picture above, and starts a search",
		picture: "em4-fallback",
		shows:   "call 1|takes the segment of [1,2], and starts a search",
	},
	{
		words:   "The next two calls come before its segment is there, and go to [2,1]",
		picture: "em4-fallback",
		shows:   "call 2|goes to [2,1]|call 3|goes to [2,1]",
	},
	{words: "Call 4 finds a segment again", picture: "em4-fallback", shows: "call 4|takes the segment"},
	{words: "in the paper's fib(24) about one of twenty uses MLPE", source: "003 table 3"},
	{words: "The paper names two more limits", source: "003 §4.1"},
	{words: "In a run of fib(10) with MLPE", page: `trace fib 10 --machine 12 --mlpe`},
	{words: "is load 1 at [0,0]", page: `to=\[0,0\] kind=mlpe entry=\w+ data=0x1 `},
	{
		words: "the two other PEs of the circuit are idle, and both rewrite it",
		page:  `\[2,1\]    SU   rewrite [^$]*\[1,2\]    SU   rewrite `,
	},
	{words: "The same run opens in three viewers", page: "(?s)o fib.pftrace`.*o fib.kanata`.*o fib.vcd`"},
	{words: "takes a number from 0 to 1000 from the command line", page: "`.arg a, 0, 1000, first`"},
	{
		words: "has two operands",
		run:   "squares",
		holds: `way("[0,0].4", "the node squares.sum has all its operands") > 0`,
	},
}

// proseOf returns a page of Markdown without its commands, code, pictures, addresses, titles and questions, and without
// the sentences that name their source. Each paragraph and list item has a line.
func proseOf(page string) string {
	for _, drop := range []string{"(?s)```.*?```", "`[^`]*`", `!\[[^\]]*\]\([^)]*\)`, `\]\([^)]*\)`, `(?m)^#.*$`} {
		page = regexp.MustCompile(drop).ReplaceAllString(page, "")
	}
	page = regexp.MustCompile(`(?m)^(?:\* |\d+\. )`).ReplaceAllString(page, "\n")
	var lines []string
	for paragraph := range strings.SplitSeq(page, "\n\n") {
		lines = append(lines, strings.Join(strings.Fields(paragraph), " "))
	}
	return regexp.MustCompile(`[^\n.?:]*(?:\? ?|\[003 §[\d.]+\])`).ReplaceAllString(strings.Join(lines, "\n"), "")
}

// Every sentence of the tour with a clock, a PE or a number is true.
func TestTourIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/tour.md")
	require.NoError(t, err)
	text, runs := proseOf(string(page)), tourRuns(t)
	for _, c := range tourClaims {
		require.Contains(t, text, c.words)
		text = strings.Replace(text, c.words, "", 1)
		switch {
		case c.page != "":
			require.Regexp(t, c.page, string(page), c.words)
		case c.picture != "":
			svg, err := os.ReadFile("../../docs/img/" + c.picture + ".svg")
			require.NoError(t, err)
			rest := html.UnescapeString(tag.ReplaceAllString(string(svg), "\n"))
			for shown := range strings.SplitSeq(c.shows, "|") {
				_, after, ok := strings.Cut(rest, shown)
				require.True(t, ok, "%q: %s does not show %q there", c.words, c.picture, shown)
				rest = after
			}
		default:
			a := map[string]string{"holds": c.holds}
			if c.clock != "" {
				a["clock"] = c.clock
			}
			if c.source != "" {
				a["source"] = c.source
			}
			s := statement{c.words, a}
			if err := s.check(t, runs[c.run]); err != nil {
				t.Errorf("%q: %v", c.words, err)
			}
		}
	}
	for sentence := range strings.SplitSeq(stops.ReplaceAllString(text, "$1\n"), "\n") {
		if quantities.MatchString(names.ReplaceAllString(sentence, "")) {
			t.Errorf("a number without a condition: %s", sentence)
		}
	}
}

// leads reports whether all links of a member lead to another one.
func (c *claim) leads(from, to int) bool {
	for pe, next := range c.net.Next {
		for _, other := range next {
			if pe%c.net.Members == from && other%c.net.Members != to {
				return false
			}
		}
	}
	return true
}

// busiest reports whether the middle of the 100 clocks in which a member has most work is at most 50 clocks from the
// given one.
func (c *claim) busiest(member, around int) bool {
	s := &engine.Session{}
	s.Open(context.Background(), c.setup)
	var work []int // up to every clock
	for sum := 0; !s.Frame().Ended; {
		for pe, state := range s.Frame().State {
			if pe%c.net.Members == member && strings.ContainsRune("RMS", state) {
				sum++
			}
		}
		work = append(work, sum)
		if _, err := s.Do(context.Background(), "step"); err != nil {
			return false
		}
	}
	best := 100
	for end := range work[100:] {
		if work[end+100]-work[end] > work[best]-work[best-100] {
			best = end + 100
		}
	}
	return max(best-50, around)-min(best-50, around) <= 50
}
