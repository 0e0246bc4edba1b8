package play

import (
	"embed"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"emsim/internal/base/plural"
	"emsim/internal/play/engine"
	"emsim/internal/play/engine/markup"
)

//go:embed lessons/*
var lessons embed.FS

// lesson is a lesson of the page.
type lesson struct {
	File  string       `json:"file"` // its name in links; its text is lessons/NAME.html
	Title string       `json:"title"`
	Setup engine.Setup `json:"setup"`
	Stage string       `json:"stage,omitempty"` // what the middle of the page shows, if it is not the machine
	HTML  string       `json:"html"`
}

// course returns the lessons, complete: with their own programs and laid-out texts.
func course() ([]lesson, error) {
	index, err := lessons.ReadFile("lessons/lessons.json")
	if err != nil {
		return nil, err
	}
	var list []lesson
	if err := json.Unmarshal(index, &list); err != nil {
		return nil, err
	}
	for i := range list {
		x := &list[i]
		if text, err := lessons.ReadFile("lessons/" + x.Setup.Main); err == nil {
			x.Setup.Files = map[string]string{x.Setup.Main: string(text)}
		}
		text, err := lessons.ReadFile("lessons/" + x.File + ".html")
		if err != nil {
			return nil, err
		}
		x.HTML = layOut(list, i, timed(string(text)))
	}
	return list, nil
}

// clockOf matches the clock of a sentence.
var clockOf = regexp.MustCompile(`data-clock="(\d+)"`)

// timed replaces every {at} by the clock of its sentence.
func timed(text string) string {
	for {
		before, after, found := strings.Cut(text, "{at}")
		if !found {
			return text
		}
		clocks := clockOf.FindAllStringSubmatch(before, -1)
		clock, _ := strconv.ParseUint(clocks[len(clocks)-1][1], 10, 64)
		text = before + plural.Commas(clock) + after
	}
}

// layOut returns the text of lesson i below its title, and above its exercises and the ways to the lessons around it.
func layOut(list []lesson, i int, text string) string {
	p := &markup.Sheet{}
	p.Add("<h2>%d. %s</h2>%s", i+1, list[i].Title, markup.HTML(text))
	for _, x := range engine.TheCatalogue().Exercises {
		if x.Lesson == list[i].File {
			p.WriteString(x.HTML)
		}
	}
	const way = `<button data-lesson="%s">%s</button>`
	p.WriteString(`<p class="nav">`)
	if i > 0 {
		p.Add(way, list[i-1].File, "‹ "+list[i-1].Title)
	}
	if i < len(list)-1 {
		p.Add(way+"</p>", list[i+1].File, list[i+1].Title+" ›")
	} else {
		p.WriteString(`<button data-close>To the program ›</button></p>`)
	}
	return p.String()
}
