package balance

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"emsim/internal/base/lines"
)

// Parallel says how a job of several processors is represented, because a unit runs on one worker.
type Parallel string

// The representations. Real schedulers start all parts of a job together, which no policy here does.
const (
	Refused Parallel = ""      // an error: the choice changes results several times over
	Split   Parallel = "split" // one unit per processor; they arrive together but need not run together
	First   Parallel = "first" // only jobs of one processor; others are left out
)

// An Omission is a number of jobs that were left out of a trace, and why.
type Omission struct {
	Why  string
	Jobs int
}

// swfVersion matches the header that marks a file in the Standard Workload Format.
var swfVersion = regexp.MustCompile(`(?m)^[ \t]*;[ \t]*Version[ \t]*:`)

// IsSWF reports whether a file is in the Standard Workload Format of the Parallel Workloads Archive: by the suffix of
// its name, or by the header Version.
func IsSWF(file string, text []byte) bool {
	return strings.HasSuffix(strings.ToLower(file), ".swf") || swfVersion.Match(text[:min(len(text), 1<<16)])
}

// Indices, from 0, of the fields that are read [Chapin et al. 1999].
const (
	swfSubmit    = 1 // s
	swfRun       = 3 // s
	swfAllocated = 4 // processors
	swfRequested = 7 // processors
	swfStatus    = 10
	swfFields    = 18
)

// Statuses in this range mark a line for a part of a job; another line stands for the whole job.
const swfPartial, swfPartialLast = 2, 4

// ParseSWF parses jobs from a file in the Standard Workload Format. A line has 18 numbers, of which -1 means unknown;
// headers begin with a semicolon. A job arrives at its submit time. Its work is its run time on each of its
// processors: the allocated ones or, if unknown, the requested ones. Failed and cancelled jobs count for as long as
// they ran. Lines that cannot be units are left out, and counted by reason. The file's name is for errors, which show
// line, column and place.
func ParseSWF(file string, text []byte, parallel Parallel) ([]Job, []Omission, error) {
	p := lines.NewMarked(file, text, ';')
	var list []Job
	left, several, wide := map[string]int{}, 0, lines.Word{}
	p.Each(func(words []lines.Word) {
		if !p.Between(words, swfFields, swfFields,
			fmt.Sprintf("the %d fields of the Standard Workload Format, -1 where one is not known", swfFields)) {
			return
		}
		submit := p.Whole(words[swfSubmit], "a time of submission in seconds, or -1,", -1, math.MaxInt32)
		run := p.Whole(words[swfRun], "a run time in seconds, or -1,", -1, math.MaxInt32)
		processors, at := p.Whole(words[swfAllocated], "a number of processors, or -1,", -1, math.MaxInt32),
			words[swfAllocated]
		if processors <= 0 {
			processors, at = p.Whole(words[swfRequested], "a number of processors, or -1,", -1, math.MaxInt32),
				words[swfRequested]
		}
		status := p.Whole(words[swfStatus], "a status, or -1,", -1, 5)
		why := ""
		switch {
		case status >= swfPartial && status <= swfPartialLast:
			why = "parts of a job"
		case submit < 0:
			why = "time of submission not known"
		case run < 0:
			why = "run time not known"
		case run == 0:
			why = "did not run"
		case processors <= 0:
			why = "processors not known"
		case processors > 1 && parallel == First:
			why = "more than one processor"
		case processors > 1 && parallel == Refused:
			if several++; several == 1 {
				wide = at
			}
			return
		case len(list)+int(processors) > mostJobs:
			p.Errorf(at, "more than %d units", mostJobs)
			return
		}
		if why != "" {
			left[why]++
			return
		}
		for range processors {
			list = append(list, Job{At: float64(submit), Work: float64(run), Worker: -1})
		}
	})
	if several > 0 {
		p.Errorf(wide, "a unit has one worker, and this job has %s processors (one of %d such jobs): expected "+
			"--parallel %s (one unit for each processor, arriving together) or --parallel %s (only jobs of one "+
			"processor); the choice can change results several times over",
			wide.Text, several, Split, First)
	}
	if len(list) == 0 && p.Errors() == 0 {
		p.Wholef("no jobs that ran; expected lines of the Standard Workload Format")
	}
	slices.SortStableFunc(list, func(a, b Job) int { return cmp.Compare(a.At, b.At) })
	for k := range list {
		list[len(list)-1-k].At -= list[0].At // the first job is changed last, because the others are relative to it
	}
	inMeans(list)
	var omitted []Omission
	for _, why := range slices.Sorted(maps.Keys(left)) {
		omitted = append(omitted, Omission{why, left[why]})
	}
	return list, omitted, p.Err()
}

// inMeans converts times and work to multiples of the mean work.
func inMeans(list []Job) {
	sum := float64(0)
	for _, j := range list {
		sum += j.Work
	}
	for k := range list {
		list[k].At /= sum / float64(len(list))
		list[k].Work /= sum / float64(len(list))
	}
}

// natural returns the load of a trace in per cent: its work divided by the workers' capacity until the last job
// arrives. It returns 0 if all jobs arrive at once.
func (w *world) natural() float64 {
	list := w.load.Trace
	last := list[len(list)-1].At
	if last == 0 {
		return 0
	}
	return float64(100*float64(len(list))) / float64(w.capacity()*last)
}
