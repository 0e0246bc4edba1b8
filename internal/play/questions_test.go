package play

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// student answers a question from the page alone. Each click, key, choice and text that is
// typed counts as one step.
type student struct {
	*tab
	steps int
}

// click clicks on what can be seen.
func (s *student) click(t *testing.T, selector string) {
	t.Helper()
	s.steps++
	require.True(t, eval[bool](t, s.tab, fmt.Sprintf(`Boolean(globalThis.e = $(%q)) && sees(%[1]q)`, selector)), selector)
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

// choose chooses an option of a menu that can be seen.
func (s *student) choose(t *testing.T, selector, option string) {
	t.Helper()
	s.steps++
	require.True(t, eval[bool](t, s.tab, fmt.Sprintf(`sees(%q) && (choose(%[1]q, %[2]q), true)`, selector, option)), selector)
	s.wait(t)
}

// write types a text and Enter.
func (s *student) write(t *testing.T, selector, text string) {
	t.Helper()
	s.steps++
	s.Do(t, chromedp.Focus(selector))
	_ = eval[bool](t, s.tab, fmt.Sprintf(`($(%q).select(), true)`, selector))
	s.Do(t, chromedp.KeyEvent(text+"\r"))
	s.wait(t)
}

// machine clicks on a PE in the picture.
func (s *student) machine(t *testing.T, pe int) {
	t.Helper()
	s.steps++
	_ = eval[bool](t, s.tab, `Boolean(globalThis.e = $("#machine"))`)
	s.clickAt(t, fmt.Sprintf("emsim.machine.corner(%d)[0] + 8", pe), fmt.Sprintf("emsim.machine.corner(%d)[1] + 4", pe))
	s.wait(t)
}

func (s *student) wait(t *testing.T) {
	t.Helper()
	_ = eval[bool](t, s.tab, "new Promise(done => setTimeout(() => done(true), 30))")
	s.rest(t)
}

// try goes through the door to the tools, and chooses.
func (b *tab) try(t *testing.T, args, pes string) *student {
	s := b.student(t)
	s.click(t, "#door-try")
	s.write(t, "#args", args)
	if pes != "" {
		s.choose(t, "#pes", pes)
	}
	return s
}

// learn goes through the door to the lessons, and chooses one.
func (b *tab) learn(t *testing.T, file string) *student {
	s := b.student(t)
	s.click(t, "#door-lessons")
	s.choose(t, "#lesson", file)
	return s
}

// student opens the page.
func (b *tab) student(t *testing.T) *student {
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	return &student{tab: b}
}

// questions are what a student may want to know.
var questions = []struct {
	question string
	answer   func(t *testing.T, b *tab) (s *student, says string)
	says     []string // parts of what the page says then
	steps    int
}{
	{"which PE ran the first block with n = 3 of fib 6, and from which clock on?", func(t *testing.T, b *tab) (*student, string) {
		s := b.try(t, "6", "12")
		s.write(t, "#line", "until block start if r1 == 3")
		return s, b.text(t, "message") + b.text(t, "clock")
	}, []string{"[2,2] begins the block start", "clock 131"}, 4},
	{"why does PE [2,1] stand still at clock 120 of fib 10 on 12 PEs?", func(t *testing.T, b *tab) (*student, string) {
		s := b.try(t, "10", "12")
		s.write(t, "#goal-what", "120")
		s.machine(t, 7)
		return s, b.text(t, "right")
	}, []string{"PE [2,1]", "waits for the network: the switch has not taken the EXU's packet", "holds packet [2,1].10 to [2,2] start"}, 5},
	{"which packet was spilled first, and when was it read back?", func(t *testing.T, b *tab) (*student, string) {
		s := b.try(t, "14", "12")
		s.choose(t, "#goal-kind", "fault")
		s.click(t, "#goal button")
		s.click(t, "#marks .flag-spill")
		s.machine(t, 8) // whose bar is red
		s.click(t, "#right h4 + .packets button")
		s.click(t, "#goal button")
		return s, b.text(t, "packet")
	}, []string{"[2,1].49", "clock 410\nis spilled", "clock 528\nis read back from the MIB"}, 9},
	{"fib 20 on the line: how much does MLPE gain, and which PEs got the calls that it placed?", func(t *testing.T, b *tab) (*student, string) {
		s := b.try(t, "20", "")
		s.click(t, "#knobs-open")
		s.choose(t, "#knob-param-policy", "line")
		s.click(t, "#knobs-apply")
		s.click(t, "#versus")
		s.click(t, "#knobs-open")
		s.choose(t, "#knob-param-mlpe", "on")
		s.click(t, "#knobs-apply")
		s.choose(t, "#goal-kind", "fault")
		s.click(t, "#goal button")
		s.click(t, "#stage [data-tab=machine]") // from who won
		s.choose(t, "#colour", "policy")
		return s, b.text(t, "compared") + fmt.Sprint(eval[[]int](t, b, `emsim.machine.called.flatMap((n, pe) => (n ? [pe, n] : []))`)) // numbers in the picture
	}, []string{"A takes 103,893 clocks, B 34,845: B is 2.98 times as fast.", "[1 43 9 7 13 3 22 2 62 55]"}, 13},
	{"at which clock do ring and random part, and by which packet?", func(t *testing.T, b *tab) (*student, string) {
		s := b.try(t, "10", "12")
		s.click(t, "#versus")
		s.click(t, "#knobs-open")
		s.choose(t, "#knob-param-policy", "random")
		s.click(t, "#knobs-apply")
		b.until(t, `emsim.versus.parting?.at`)
		b.rest(t)
		s.click(t, "#compared button.link")
		says := b.text(t, "compared") + b.text(t, "right") // six packets are sent: the seventh goes another way
		s.write(t, "#goal-what", "80")
		s.click(t, "[data-tab=console]")
		s.write(t, "#line", "follow [0,0].7")
		s.click(t, "#side-a")
		s.write(t, "#line", "follow [0,0].7")
		return s, says + b.text(t, "log")
	}, []string{"They part at clock 39: [0,0] EXU", "6 packets sent", "packet [0,0].7 to [0,0] new", "packet [0,0].7 to [2,1] new"}, 13},
	{"which two loads did an MLPE packet compare at a PE, and which won?", func(t *testing.T, b *tab) (*student, string) {
		s := b.learn(t, "mlpe")
		s.click(t, "#lesson-text a[data-packet]")
		return s, b.text(t, "packet")
	}, []string{"finds load 0 at [2,1], not above the least so far (1), and takes it over"}, 3},
	{"why does the broken program end, and which operand is missing where?", func(t *testing.T, b *tab) (*student, string) {
		s := b.learn(t, "flow")
		s.click(t, "[aria-label='exercise: The lost operand'] [data-begin]")
		s.key(t, "End")
		return s, b.text(t, "result")
	}, []string{"ended after 91 clocks without a word to the host", "PE [0,0], node both.difference of template both (lost.s:22)", "the left operand 0x7 waits, the right one never came"}, 4},
}

// Questions are answered by the page alone, from its first sight on, in so many steps.
func testQuestions(t *testing.T, b *tab) {
	for _, q := range questions {
		s, says := q.answer(t, b)
		for _, part := range q.says {
			require.Contains(t, says, part, q.question)
		}
		require.Equal(t, q.steps, s.steps, q.question)
	}
}
