package main

import (
	"fmt"
	"strings"

	"emsim"
)

// remarks maps modules to statements that a licence requires in addition to its text, or that readers may not expect.
var remarks = map[string]string{
	"gonum.org/v1/gonum": "parts are under further licences, all below",
	"golang.org/x/image": "the Go fonts in it are © 2016 Bigelow & Holmes Inc.",
	"github.com/rivo/uniseg": "its tables are made from the Unicode Character Database, © Unicode, Inc., " +
		"https://www.unicode.org/license.txt",
	"github.com/ajstarks/svgo": "svgo by Anthony Starks, https://github.com/ajstarks/svgo, used unchanged",
	"github.com/golang/freetype": "Portions of this software are copyright © 2010 The FreeType Project " +
		"(www.freetype.org). All rights reserved.",
	"codeberg.org/go-fonts/liberation": "the Liberation fonts are under OFL-1.1, the Go code around them under " +
		"BSD-3-Clause",
}

// goLicence is a module whose licence files are identical to Go's. They stand for Go's own, which not every
// installation of Go has.
const goLicence = "golang.org/x/sys"

const head = `# Third-party notices

emsim itself is under the MIT licence (file LICENSE). Its binary also contains Go's standard library and runtime, and these
modules; on some systems a few of them are left out. The page of ` + "`emsim play`" + ` also has CodeMirror. ` + "`emsim licenses`" + ` prints all this.

| module | version | licence | remarks |
| --- | --- | --- | --- |
| Go standard library and runtime | | BSD-3-Clause | |
`

// noticesPage returns THIRD_PARTY_NOTICES.md: a table of the modules, then each text once, with the modules to which it
// applies.
func noticesPage() (string, error) {
	modules, err := linked()
	if err != nil {
		return "", err
	}
	var table, below strings.Builder
	owners := map[string][]string{} // names of modules, by text
	var order []string
	for _, m := range modules {
		texts, err := m.texts()
		if err != nil {
			return "", err
		}
		licence, err := m.licence(texts)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&table, strings.TrimSuffix(fmt.Sprintf("| %s | %s | %s | %s", m.Path, m.Version, licence,
			remarks[m.Path]), " ")+" |")
		for _, t := range texts {
			if owners[t.body] == nil {
				order = append(order, t.body)
			}
			if m.Path == goLicence {
				owners[t.body] = append(owners[t.body], "Go, "+t.name)
			}
			owners[t.body] = append(owners[t.body], m.Path+", "+t.name)
		}
	}
	for _, body := range order {
		if strings.Contains(body, "~~~~") {
			return "", fmt.Errorf("%s would end its own block: take a longer fence", owners[body])
		}
		fmt.Fprintf(&below, "\n## %s\n\n~~~~text\n%s~~~~\n", strings.Join(owners[body], "\n## "), body)
	}
	fmt.Fprintf(&below, "\n## CodeMirror\n\n~~~~text\n%s~~~~\n", emsim.PageLicences)
	return head + table.String() + below.String(), nil
}
