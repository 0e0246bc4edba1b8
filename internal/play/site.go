package play

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"emsim"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
	"emsim/internal/play/engine"
)

//go:embed page/*
var page embed.FS

// Site maps the paths of the page's files to their contents. The paths are relative to the page.
type Site map[string][]byte

// NewSite returns the page with an engine's files. first is the view with which the page starts; if it is nil, the page
// chooses one itself.
func NewSite(engineFiles map[string][]byte, first *engine.View) (Site, error) {
	s := Site{"emsim.js": []byte(emsim.Syntax)}
	maps.Copy(s, engineFiles)
	err := fs.WalkDir(page, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s[strings.TrimPrefix(name, "page/")], err = page.ReadFile(name)
		return err
	})
	if err != nil {
		return nil, err
	}
	list, err := course()
	if err != nil {
		return nil, err
	}
	if s["lessons.json"], err = json.Marshal(list); err != nil {
		return nil, err
	}
	for name := range s {
		if path.Ext(name) == ".js" {
			s[name] = comments.ReplaceAll(s[name], nil)
		}
	}
	bundle, err := gzip.NewReader(bytes.NewReader(s["codemirror-js.gz"]))
	if err == nil {
		s["codemirror.js"], err = io.ReadAll(bundle)
	}
	if err != nil {
		return nil, fmt.Errorf("page/codemirror-js.gz: %w", err)
	}
	delete(s, "codemirror-js.gz")
	delete(s, "codemirror-licences.txt")
	s["licences.txt"] = licences()
	if s["start.json"], err = json.Marshal(first); err != nil {
		return nil, err
	}
	return s, nil
}

// comments matches the comments of a module that have their own lines. They are for readers of the source; a browser
// would load 20 kB of them.
var comments = regexp.MustCompile(`(?m)^[ \t]*(?://.*|/\*\*(?:[^*]|\*[^/])*\*/)\n`)

// licences returns emsim's own licence and the licences of the other parts of the page: CodeMirror and, in the engine,
// Go and a reader of machine files.
func licences() []byte {
	text := emsim.Licence
	for part := range strings.SplitSeq(emsim.Notices, "\n~~~~\n") {
		if head, licence, _ := strings.Cut(part, "\n~~~~text\n"); carried.MatchString(head) {
			text += strings.Repeat("-", 72) + "\n" + strings.Join(carried.FindAllString(head, -1), "\n") +
				"\n\n" + licence + "\n"
		}
	}
	return []byte(text)
}

var carried = regexp.MustCompile(`(?m)^## (Go, .*|github.com/pelletier/go-toml.*|CodeMirror)$`)

// Export writes the site into a folder, which it creates if necessary. It returns the number of bytes written.
func (s Site) Export(dir string) (bytes int, err error) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return bytes, simerr.Usagef("--export: %w", err)
		}
		if err := wholefile.WriteFile(file, s[name], 0o666); err != nil {
			return bytes, simerr.Usagef("--export: %w", err)
		}
		bytes += len(s[name])
	}
	return bytes, nil
}

// OneFile returns the page as one file, which a browser opens without a server. The style is in it as text, the scripts
// are compressed, and everything else is base64, where page/asset.js finds it. Its content policy allows only these
// scripts and this style, by their hashes, and no requests. The compiler for programs in Go doubles the size.
func (s Site) OneFile(compiler bool) ([]byte, error) {
	module := bytes.NewBufferString("const modules = {};\n")
	err := s.link(module, "main.js", map[string]bool{})
	text := string(s["index.html"])
	replace := func(old, new string) {
		if strings.Count(text, old) != 1 {
			err = fmt.Errorf("index.html must contain %q exactly once", old)
		}
		text = strings.Replace(text, old, new, 1)
	}
	hash := func(inner []byte) string {
		sum := sha256.Sum256(inner)
		return " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	put := func(old, element string, inner []byte) string {
		if ends := regexp.MustCompile(`</` + element + `|<!--`).Find(inner); ends != nil {
			err = fmt.Errorf("the text that replaces %s contains %q, which would end its element", old, ends)
		}
		replace(old, "<"+element+">"+string(inner)+"</"+element+">")
		return hash(inner)
	}
	style := put(`<link rel="stylesheet" href="style.css">`, "style", s["style.css"])
	scripts := put(`<script src="fault.js"></script>`, "script", s["fault.js"]) +
		put(`<script type="module" src="main.js"></script>`, "script", []byte(unpack)) + hash(module.Bytes())
	replace(`href="icon.svg"`, `href="data:image/svg+xml;base64,`+base64.StdEncoding.EncodeToString(s["icon.svg"])+`"`)
	replace(strings.TrimSuffix(policy, "; frame-ancestors 'none'"),
		"default-src 'none'; script-src"+scripts+" 'wasm-unsafe-eval'; style-src"+style+
			"; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'")
	replace(" and a web server, such as 'emsim play'; opened as a file it stays like this", "")

	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, problem := w.Write(module.Bytes()); problem != nil {
		return nil, problem
	}
	if problem := w.Close(); problem != nil {
		return nil, problem
	}
	files := Site{"main.js.gz": packed.Bytes(), "worker.js": append(slices.Clip(s["wasm_exec.js"]),
		bytes.Replace(s["worker.js"], []byte(`importScripts("wasm_exec.js");`), nil, 1)...)}
	for name, content := range s {
		if ext := path.Ext(name); ext == ".json" || ext == ".txt" || ext == ".gz" &&
			(compiler || name != "compiler.wasm.gz") || path.Dir(name) == "lessons" {
			files[name] = content
		}
	}
	var blocks strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&blocks, "<script type=\"application/base64\" id=\"file:%s\">%s</script>\n", name,
			base64.StdEncoding.EncodeToString(files[name]))
	}
	replace("</body>", blocks.String()+"</body>")
	return []byte(text), err
}

// unpack is the script that decompresses the other scripts of a page in one file.
const unpack = `"use strict";
addEventListener("DOMContentLoaded", async () => {
  const packed = Uint8Array.from(atob(document.getElementById("file:main.js.gz").textContent), c => c.charCodeAt(0));
  const textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(Object.assign(document.createElement("script"), {type: "module", textContent}));
});
`

// The forms of import and export in the page's modules. listed matches the exports of CodeMirror's bundle; renamed
// matches a renamed name in them or in an import.
var (
	imports = regexp.MustCompile(`(?m)^import \{([^}]*)\} from "(\.\.?/[^"]+)";?$`)
	exports = regexp.MustCompile(`(?m)^export ((?:async )?(?:function|class|const) )([\w$]+)`)
	listed  = regexp.MustCompile(`export\{([^}]*)\};\s*$`)
	renamed = regexp.MustCompile(`([\w$]+) as ([\w$]+)`)
)

// link appends a module, after the modules that it needs, to a script without imports. Each module becomes a function
// that returns its exports. [A library for this, esbuild, would add 7 MB to the command; the forms are few.]
func (s Site) link(out *bytes.Buffer, name string, done map[string]bool) error {
	if done[name] {
		return nil
	}
	done[name] = true
	text := string(s[name])
	for _, m := range imports.FindAllStringSubmatch(text, -1) {
		if err := s.link(out, path.Join(path.Dir(name), m[2]), done); err != nil {
			return err
		}
	}
	text = imports.ReplaceAllStringFunc(text, func(line string) string {
		m := imports.FindStringSubmatch(line)
		return fmt.Sprintf("const {%s} = modules[%q];", renamed.ReplaceAllString(m[1], "$1: $2"),
			path.Join(path.Dir(name), m[2]))
	})
	var names []string
	for _, m := range exports.FindAllStringSubmatch(text, -1) {
		names = append(names, m[2])
	}
	text = exports.ReplaceAllString(text, "$1$2")
	text = listed.ReplaceAllStringFunc(text, func(list string) string {
		names = append(names, renamed.ReplaceAllString(listed.FindStringSubmatch(list)[1], "$2: $1"))
		return ""
	})
	if text == "" || regexp.MustCompile(`(?m)^(import|export)\b`).MatchString(text) {
		return fmt.Errorf("%s is missing, or has another form of import or export than those that are known", name)
	}
	fmt.Fprintf(out, "modules[%q] = (() => {\n%s\nreturn {%s};\n})();\n", name, text, strings.Join(names, ", "))
	return nil
}
