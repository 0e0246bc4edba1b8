package tidy

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// machinePath matches absolute paths that exist only on one machine.
var machinePath = regexp.MustCompile(`(?:^|[^\w.)\]}/-])` +
	`(/(?:work|home|root|Users|tmp|mnt|opt|srv|media|scratch|var/(?:tmp|folders|lib))/[^\s"'` +
	"`" + `)]*|[A-Z]:\\[^\s"']*)`)

// registryHost matches hosts of package registries.
var registryHost = regexp.MustCompile(`(?i)\b(?:(?:proxy|sum|goproxy)\.golang\.org|` +
	`goproxy\.(?:io|cn)|registry\.[a-z0-9-]+\.[a-z]+|` +
	`(?:test\.)?pypi\.org|files\.pythonhosted\.org|(?:index|static)\.crates\.io|` +
	`(?:deb|security|archive|ftp)\.(?:debian\.org|ubuntu\.com)|` +
	`[a-z0-9.-]*(?:artifactory|nexus|mirror)[a-z0-9-]*\.[a-z0-9.-]+\.[a-z]+)\b`)

func checkMachine(r *repo) []finding {
	var out []finding
	for _, s := range r.sources {
		for i, line := range strings.Split(s.text, "\n") {
			if m := machinePath.FindStringSubmatch(line); m != nil {
				out = append(out, finding{s.path, i + 1, m[1] +
					" is a path of one machine; write it relative to the repository"})
			}
			if m := registryHost.FindString(line); m != "" {
				out = append(out, finding{s.path, i + 1, m +
					" is the host of a package registry; name the module or package instead"})
			}
		}
	}
	return out
}

var (
	codeSpan   = regexp.MustCompile("`[^`]*`")
	inlineLink = regexp.MustCompile(`\]\(\s*(<[^>]*>|[^\s)]+)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`)
	linkTarget = regexp.MustCompile(`^\s{0,3}\[[^\]^][^\]]*\]:\s*(<[^>]*>|\S+)`)
	linkText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	scheme     = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)
)

func checkLinks(r *repo) []finding {
	var out []finding
	for _, s := range r.sources {
		if !strings.HasSuffix(s.path, ".md") {
			continue
		}
		fence := ""
		for i, line := range strings.Split(s.text, "\n") {
			mark := strings.TrimSpace(line)
			switch {
			case fence != "":
				if strings.HasPrefix(mark, fence) {
					fence = ""
				}
				continue
			case strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~"):
				fence = mark[:3]
				continue
			}
			line = codeSpan.ReplaceAllString(line, "")
			links := inlineLink.FindAllStringSubmatch(line, -1)
			links = append(links, linkTarget.FindAllStringSubmatch(line, -1)...)
			for _, m := range links {
				link := strings.Trim(m[1], "<>")
				if problem := cmp.Or(badLink(r, s.dir(), link), badAnchor(r, s, link)); problem != "" {
					out = append(out, finding{s.path, i + 1, problem})
				}
			}
		}
	}
	return out
}

// badLink returns what is wrong with a link in a file of dir, or "".
func badLink(r *repo, dir, link string) string {
	if scheme.MatchString(link) || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "//") {
		return ""
	}
	target, _, _ := strings.Cut(link, "#")
	target, _, _ = strings.Cut(target, "?")
	if u, err := url.PathUnescape(target); err == nil {
		target = u
	}
	if strings.HasPrefix(target, "/") {
		return "the link " + link + " starts with a slash; write it relative to the file"
	}
	if p := path.Join(dir, target); !r.all[p] {
		return "the link " + link + " leads to " + p + ", which is not in the repository; mend the link or add the file"
	}
	return ""
}

// badAnchor returns an error text if a link names a heading that its page does not have, or "".
func badAnchor(r *repo, s *source, link string) string {
	target, anchor, ok := strings.Cut(link, "#")
	if !ok || scheme.MatchString(link) || strings.HasPrefix(link, "/") {
		return ""
	}
	page := s.path
	if target != "" {
		page = path.Join(s.dir(), target)
	}
	for _, other := range r.sources {
		if other.path == page && strings.HasSuffix(page, ".md") && !slices.Contains(anchors(other.text), anchor) {
			return "the link " + link + " leads to no heading of " + page + "; mend the link"
		}
	}
	return ""
}

// anchors returns the names that GitHub gives to the headings of a page.
func anchors(text string) []string {
	var list []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		marks, heading, ok := strings.Cut(line, " ")
		if fenced || !ok || marks == "" || strings.Trim(marks, "#") != "" {
			continue
		}
		heading = linkText.ReplaceAllString(strings.TrimSpace(heading), "$1")
		name := strings.Map(func(c rune) rune {
			switch {
			case c == ' ':
				return '-'
			case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
				return unicode.ToLower(c)
			}
			return -1
		}, heading)
		plain := name
		for n := 1; slices.Contains(list, name); n++ {
			name = fmt.Sprintf("%s-%d", plain, n)
		}
		list = append(list, name)
	}
	return list
}

func TestMachineCanFail(t *testing.T) {
	hidden := strings.NewReplacer("~", "/", "=", ".", "|", `\`)
	expect(t, checkMachine, hidden.Replace(`
-- a.md --
A #!~usr~bin~env line, https:~~example=org~home~x, =~tmp~y, a~home~b, cluster~tmp~x and 3~work~4 stay.
`))
	expect(t, checkMachine, hidden.Replace(`
-- a.md --
see ~home~me~x.txt
and "~tmp~out.svg"
GOPROXY=https:~~proxy=golang=org
D:|Users|me
fetch registry=npmjs=org~left-pad
`),
		hidden.Replace("a.md:1: ~home~me~x.txt is a path of one machine"),
		hidden.Replace("a.md:2: ~tmp~out.svg is a path"),
		hidden.Replace("a.md:3: proxy=golang=org is the host of a package registry"),
		hidden.Replace("a.md:4: D:|Users|me is a path"),
		hidden.Replace("a.md:5: registry=npmjs=org is the host"),
	)
}

func TestLinksCanFail(t *testing.T) {
	expect(t, checkLinks, `
-- README.md --
# Top, and more

## The code, of [a](docs/A.md)

## Twice
## Twice
[to](#top-and-more) [here](#the-code-of-a) [second](#twice-1) [a](docs/A.md) [b](docs/A.md#part "title") ![p](<docs/a b.svg>) [d](docs) [w](https://example.org/x) [c](docs/a%20b.svg)
`+"`[no](code.md)`\n```\n[no](fence.md)\n```\n[ref]: docs/A.md\n"+`
-- docs/A.md --
# Part
[up](../README.md#twice)
-- docs/a b.svg --
x
`)
	expect(t, checkLinks, `
-- docs/A.md --
fine
[gone](B.md) and [up](README.md)
![picture](/docs/A.md)
[ref]: C.md
[out](../../other.md)
[part](A.md#fine) [here](#there)
`,
		"docs/A.md:2: the link B.md leads to docs/B.md, which is not in the repository; mend the link or add the file",
		"docs/A.md:2: the link README.md leads to docs/README.md",
		"docs/A.md:3: the link /docs/A.md starts with a slash",
		"docs/A.md:4: the link C.md leads to docs/C.md",
		"docs/A.md:5: the link ../../other.md leads to ../other.md",
		"docs/A.md:6: the link A.md#fine leads to no heading of docs/A.md; mend the link",
		"docs/A.md:6: the link #there leads to no heading of docs/A.md",
	)
}
