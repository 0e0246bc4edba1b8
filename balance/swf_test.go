package balance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// smallSWF returns the text of testdata/small.swf: 200 jobs of a machine of 32 processors, with the irregularities
// that files of the archive have.
func smallSWF() string {
	var s strings.Builder
	s.WriteString("; Version: 2.2\n; Computer: none, made for a test by 'go test ./balance -run TestSmallSWF " +
		"-update'\n; MaxJobs: 200\n; MaxProcs: 32\n; MaxRuntime: 7200\n")
	random := rand.New(rand.NewPCG(56, 5))
	submit := 0
	for k := range 200 {
		run, got, asked, status := 1+int(-300*math.Log(1-random.Float64())), 1, -1, 1
		if k%5 == 4 {
			got = 1 << (1 + random.IntN(4))
		}
		switch k {
		case 20: // cancelled before it began
			run, got, asked, status = -1, -1, 4, 5
		case 40, 41: // failed at once
			run, status = 0, 0
		case 60: // only the requested values are known
			got, asked = -1, 2
		case 80:
			got, asked = -1, -1
		case 90: // a part of job 90
			status = 2
		case 100:
			got = 32
		case 120:
			run = 7200
		}
		fmt.Fprintf(&s, "%4d %6d %4d %5d %3d -1.00 -1 %3d 7200 -1 %2d %2d 1 -1 1 -1 -1 -1\n", k+1, submit, -1, run, got,
			asked, status, 1+k%7)
		if k%10 != 3 { // otherwise the next job is submitted at the same time
			submit += int(-25 * math.Log(1-random.Float64()))
		}
		if k == 150 {
			submit += 20_000
		}
	}
	return s.String()
}

// An swfJob is a line of the file, parsed by the format's definition and without code of emsim.
type swfJob struct{ submit, run, processors int }

func readSWF(t *testing.T, text string) (list []swfJob) {
	t.Helper()
	for line := range strings.Lines(text) {
		var j swfJob
		var number, wait, asked, status int
		var cpu, memory, time, more float64
		if n, _ := fmt.Sscan(line, &number, &j.submit, &wait, &j.run, &j.processors, &cpu, &memory, &asked, &time,
			&more, &status); n < 11 || j.run <= 0 || status == 2 {
			continue
		}
		if j.processors < 0 {
			j.processors = asked
		}
		if j.processors > 0 {
			list = append(list, j)
		}
	}
	return list
}

// firstCome returns the response times of jobs that run in order of arrival, each on all its processors together
// [Kiefer and Wolfowitz 1955]. A job begins when enough workers have ended the jobs before it, and not before the
// previous job has begun.
func firstCome(list []swfJob, workers int) (response []float64) {
	free, began := make([]int, workers), 0
	for _, j := range list {
		slices.Sort(free)
		began = max(began, j.submit, free[j.processors-1])
		for k := range j.processors {
			free[k] = began + j.run
		}
		response = append(response, float64(began+j.run-j.submit))
	}
	return response
}

func mean(list []float64) (sum float64) {
	for _, x := range list {
		sum += x / float64(len(list))
	}
	return sum
}

// The central queue runs the jobs of a file in the Standard Workload Format in order of arrival, so each has the
// response time of that discipline. The representation of a job of several processors changes the result several
// times over.
func TestSmallSWF(t *testing.T) {
	golden.Check(t, "small.swf", []byte(smallSWF()))
	text, err := os.ReadFile("testdata/small.swf")
	require.NoError(t, err)
	all := readSWF(t, string(text))
	queue, ok := FindPolicy("central-queue")
	require.True(t, ok)
	means := map[Parallel]float64{}
	for _, parallel := range []Parallel{Split, First} {
		trace, left, err := ParseSWF("small.swf", text, parallel)
		require.NoError(t, err)
		var list []swfJob
		for _, j := range all {
			if j.processors > 1 && parallel == First {
				continue
			}
			for range j.processors {
				list = append(list, swfJob{j.submit, j.run, 1})
			}
		}
		require.Len(t, trace, len(list))
		want := []Omission{
			{"did not run", 2},
			{"parts of a job", 1},
			{"processors not known", 1},
			{"run time not known", 1},
		}
		if parallel == First {
			want = slices.Insert(want, 1, Omission{"more than one processor", len(all) - len(list)})
		}
		require.Equal(t, want, left)
		for _, n := range []int{1, 4, 32} {
			exact := firstCome(list, n)
			work := 0
			for _, j := range list {
				work += j.run
			}
			unit := float64(work) / float64(len(list))
			const ticks = 1_000_000
			r := runs(t, Setup{Policy: queue, Workload: Workload{
				Shape: Bag, Units: 1, One: true, Work: ticks,
				Arrivals: ByTrace, Law: TraceLaw, Trace: trace,
			}, Workers: n, Seed: 1})
			var got []float64
			for _, x := range r.Response {
				got = append(got, float64(x)/ticks*unit)
			}
			slices.Sort(got)
			slices.Sort(exact)
			require.InDeltaSlice(t, exact, got, 0.1, "seconds")
			means[parallel] = mean(got)
		}
	}
	rigid := mean(firstCome(all, 32))
	t.Logf("mean response on 32 workers: %.0f s split, %.0f s of one processor only, %.0f s if all parts of a "+
		"job began together", means[Split], means[First], rigid)
	require.InDeltaSlice(t, []float64{447, 317, 559}, []float64{means[Split], means[First], rigid}, 0.5,
		"as BALANCE.md has them")
}

// A load moves the jobs of a trace closer together or farther apart, and changes nothing else.
func TestTraceAtALoad(t *testing.T) {
	trace := []Job{{0, 1, 0}, {1, 0.5, 0}, {4, 1.5, 0}}
	l := Workload{Arrivals: ByTrace, Law: TraceLaw, Trace: trace}
	require.Equal(t, [][]int64{{0, 100, 400}}, comesTo(l, 1))
	l.Load = 150 // its natural load is 3 works in the time of 4
	require.Equal(t, [][]int64{{0, 50, 200}}, comesTo(l, 1))
	l.Load = 37.5
	require.Equal(t, [][]int64{{0, 200, 800}, nil}, [][]int64{comesTo(l, 1)[0], nil})
	l.Load = -1
	l.Shape, l.Units, l.Work, l.Of, l.Percent, l.Tail = Bag, 1, 100, 1, 100, 2
	require.ErrorContains(t, l.Validate(1), "load: -1 per cent")
}

// Text that is not in the format is rejected with its place, and jobs that cannot be units are reported.
func TestBadSWF(t *testing.T) {
	line := "1 0 -1 10 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
	for text, want := range map[string]string{
		"":                 "no jobs that ran",
		"; Version: 2\n":   "no jobs that ran",
		"1 2 3\n":          "small.swf:1:5: the line ends here; expected the 18 fields",
		line + "1 " + line: "small.swf:2:50: expected the end of the line",
		strings.Replace(line, " 0 ", " x ",
			1): `small.swf:1:3: "x" is not a time of submission in seconds, or -1, from -1 to 2147483647`,
		strings.Replace(line, "10 1", "10 4",
			1): "small.swf:1:11: a unit has one worker, and this job has 4 processors (one of 1 such jobs): expected " +
			"--parallel split (one unit for each processor, arriving together) or --parallel first",
		strings.Replace(line, "10 1", "10 2000000", 1): "this job has 2000000 processors",
		strings.Replace(line, "10", "0", 1):            "no jobs that ran",
	} {
		_, _, err := ParseSWF("small.swf", []byte(text), Refused)
		require.ErrorContains(t, err, want, text)
	}
	_, _, err := ParseSWF("small.swf", []byte(strings.Replace(line, "10 1", "10 2000000", 1)), Split)
	require.ErrorContains(t, err, "more than 1048576 units")
	require.True(t, IsSWF("x.SWF", nil))
	require.True(t, IsSWF("x", []byte(" ;  Version: 2.2\n")))
	require.False(t, IsSWF("x.txt", []byte("0 5 ; no Version\n")))
	late, _, err := ParseSWF("x.swf", []byte(strings.Replace(line, " 0 ", " 50 ", 1)+line), Refused)
	require.NoError(t, err)
	require.Equal(t, []Job{{0, 1, -1}, {5, 1, -1}}, late, "in the order of time, from the first one on")
}
