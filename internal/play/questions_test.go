package play

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// student answers a question with the page alone. Each click, key, choice and typed text counts as one step.
type student struct {
	*tab
	steps int
}

// click clicks on a visible element.
func (s *student) click(t *testing.T, selector string) {
	t.Helper()
	s.steps++
	require.True(t, eval[bool](t, s.tab, fmt.Sprintf(`Boolean(globalThis.e = $(%q)) && sees(%[1]q)`, selector)),
		selector)
	click(t, s.tab)
	s.wait(t)
}

// key presses a key of the page.
func (s *student) key(t *testing.T, key string) {
	t.Helper()
	s.steps++
	s.hit(t, key)
	s.wait(t)
}

// choose chooses an option of a visible menu.
func (s *student) choose(t *testing.T, selector, option string) {
	t.Helper()
	s.steps++
	require.True(t, eval[bool](t, s.tab, fmt.Sprintf(`sees(%q) && (choose(%[1]q, %[2]q), true)`, selector, option)),
		selector)
	s.wait(t)
}

// palette presses g, and types a place to go to or a program to run.
func (s *student) palette(t *testing.T, text string) {
	t.Helper()
	s.key(t, "g")
	s.write(t, "#goal", text)
}

// write types a text and Enter.
func (s *student) write(t *testing.T, selector, text string) {
	t.Helper()
	s.steps++
	s.until(t, fmt.Sprintf("sees(%q)", selector))
	_ = eval[bool](t, s.tab, fmt.Sprintf(`($(%q).focus(), $(%[1]q).select(), true)`, selector))
	s.Do(t, chromedp.KeyEvent(text+"\r"))
	s.wait(t)
}

// machine clicks on a PE in the picture.
func (s *student) machine(t *testing.T, pe int) {
	t.Helper()
	s.steps++
	_ = eval[bool](t, s.tab, `Boolean(globalThis.e = $("#machine-A"))`)
	const corner = "emsim.run.machine.corner(%d)[%d] + 4"
	s.clickAt(t, fmt.Sprintf(corner, pe, 0), fmt.Sprintf(corner, pe, 1))
	s.wait(t)
}

func (s *student) wait(t *testing.T) {
	t.Helper()
	_ = eval[bool](t, s.tab, "new Promise(done => setTimeout(() => done(true), 50))")
	s.rest(t)
}

// student opens the page for a student.
func (b *tab) student(t *testing.T) *student {
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	return &student{tab: b}
}

// questions lists questions that a student may have.
var questions = []struct {
	question string
	answer   func(t *testing.T, b *tab) (s *student, says string)
	says     []string // parts of the text on the page then
	steps    int
}{
	{
		"which PE ran the first block with n = 3 of fib 6, and from which clock on?",
		func(t *testing.T, b *tab) (*student, string) {
			s := b.student(t)
			s.palette(t, "fib 6 on 12")
			s.key(t, "c")
			s.write(t, "#line", "until block start if r1 == 3")
			return s, b.text(t, "message") + b.text(t, "clock")
		},
		[]string{"[2,2] begins the block start", "131"},
		4,
	},
	{"why does PE [2,1] stand still at clock 120 of fib 10 on 12 PEs?", func(t *testing.T, b *tab) (*student, string) {
		s := b.student(t)
		s.palette(t, "fib 10 on 12")
		s.palette(t, "120")
		s.machine(t, 7)
		return s, b.text(t, "right")
	}, []string{"PE [2,1]", "waits for the network: the switch has not taken the EXU's packet", "holds packet [2,1].10 to [2,2] start"}, 5},
	{"which packet was spilled first, and when was it read back?", func(t *testing.T, b *tab) (*student, string) {
		s := b.student(t)
		s.palette(t, "fib 14 on 12")
		s.key(t, "End")
		s.click(t, "#marks .flag-spill")
		s.key(t, "End")
		return s, b.text(t, "packet")
	}, []string{"[2,1].49", "clock 410\nis spilled", "clock 528\nis read back from the MIB"}, 5},
	{
		"fib 20 on the line: how much does MLPE gain, and which PEs got the calls that it placed?",
		func(t *testing.T, b *tab) (*student, string) {
			s := b.student(t)
			s.palette(t, "fib 20 on 80, policy=line | mlpe=on")
			b.until(t, `mode() === "compare" && emsim.versus.both && emsim.versus.length > 0`)
			b.rest(t)
			s.key(t, "End")
			b.until(t, `sees("#ends")`)
			return s, b.text(t, "compared") + b.text(t, "ends") // the numbers are in a picture
		},
		[]string{"B is 2.98 times as fast", "34,845 clocks, not 103,893", "MLPE placed 0 calls in A, 1,474 in B"},
		3,
	},
	{"at which clock do ring and random part, and by which packet?", func(t *testing.T, b *tab) (*student, string) {
		s := b.student(t)
		s.palette(t, "fib 10 on 12 | policy=random")
		b.until(t, `emsim.versus.parting?.at`)
		b.rest(t)
		s.click(t, "#compared button.link")
		return s, b.text(t, "compared")
	}, []string{
		"They part at clock 39: [0,0] EXU",
		"packet that differs is at clock 42: [0,0] SU: A from the EXU [0,0].7 to " +
			"[2,1]",
	}, 3},
	{
		"which two loads did an MLPE packet compare at a PE, and which won?",
		func(t *testing.T, b *tab) (*student, string) {
			s := b.student(t)
			s.click(t, "#door-lessons")
			s.choose(t, "#lesson", "mlpe")
			s.click(t, "#lesson-text a[data-packet]")
			return s, b.text(t, "packet")
		},
		[]string{"finds load 0 at [2,1], not above the least so far (1), and takes it over"},
		3,
	},
	{
		"why does the broken program end, and which operand is missing where?",
		func(t *testing.T, b *tab) (*student, string) {
			s := b.student(t)
			s.click(t, "#door-lessons")
			s.click(t, "[aria-label='exercise: The lost operand'] [data-begin]")
			s.key(t, "End")
			return s, b.text(t, "result")
		},
		[]string{"ended after 91 clocks without a word to the host", "PE [0,0], node both.difference of template " +
			"both (lost.s:22)", "the left operand 7 waits, the right one never came"},
		3,
	},
}

// The page alone answers the questions, from its first view on, in a limited number of steps.
func testQuestions(t *testing.T, b *tab) {
	for _, q := range questions {
		s, says := q.answer(t, b)
		for _, part := range q.says {
			require.Contains(t, says, part, q.question)
		}
		require.Equal(t, q.steps, s.steps, q.question)
		require.LessOrEqual(t, s.steps, 5, q.question)
	}
}
