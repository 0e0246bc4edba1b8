package play

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"emsim"
	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

// modules maps the names of the built files to their packages: the engine, and the compiler for programs in Go.
var modules = map[string]string{
	"engine.wasm.gz":   "./internal/play/engine/wasm",
	"compiler.wasm.gz": "./internal/play/engine/compiler/wasm",
}

// engineFiles lists the files of an engine.
var engineFiles = []string{"compiler.wasm.gz", "engine.wasm.gz", "wasm_exec.js"}

// shipped holds the engine's files in a release, and only a note in a checkout.
//
//go:embed built
var shipped embed.FS

// Engine returns the engine's files by name. It builds them, unless this program contains them or the folder cache has
// them from an earlier build. It calls building before a build begins. An empty cache means none.
func Engine(ctx context.Context, cache string, building func()) (map[string][]byte, error) {
	if own, err := fs.Sub(shipped, "built"); err == nil {
		if files, err := readKept(own); err == nil {
			return files, nil
		}
	}
	key, err := sourcesKey(emsim.Sources)
	if err != nil {
		return nil, err
	}
	folder := ""
	if cache != "" {
		folder = filepath.Join(cache, key)
		if files, err := readKept(os.DirFS(folder)); err == nil {
			return files, nil
		}
	}
	files, err := build(ctx, emsim.Sources, building)
	if err != nil {
		return nil, err
	}
	if folder != "" {
		keepFiles(folder, files)
	}
	return files, nil
}

// Cache returns the user's folder for built engines, or "" if the user has no cache folder.
func Cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "emsim", "play")
}

// sourcesKey returns a hash of everything that an engine depends on: the sources without tests, and the version of Go.
func sourcesKey(sources fs.FS) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	err := fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(sources, path)
		fmt.Fprintf(hash, "%s %d\n%s", path, len(text), text)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil))[:24], err
}

// engineFile describes a valid file of an engine, kept or newly built.
var engineFile = input.Want{What: "a part of the engine", Most: 1 << 28, Why: "it has a few MiB"}

// readKept returns the files of an engine that was built earlier.
func readKept(folder fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range engineFiles {
		text, err := engineFile.ReadIn(folder, name)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}

// keepFiles saves the files for later runs. It ignores errors, because saved files only save time.
func keepFiles(folder string, files map[string][]byte) {
	if os.MkdirAll(folder, 0o700) != nil {
		return
	}
	for name, text := range files {
		_ = wholefile.WriteFile(filepath.Join(folder, name), text, 0o600)
	}
}

// build builds the engine with the user's Go. It calls building before it begins.
func build(ctx context.Context, sources fs.FS, building func()) (map[string][]byte, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return nil, simerr.Usagef("this emsim does not include the engine of the page, which Go 1.26 or later can " +
			"build, and the command go was not found: install Go, add its folder bin to PATH, or take emsim from a " +
			"release, which includes the engine")
	}
	building()
	dir, err := os.MkdirTemp("", "emsim-play-")
	if err != nil {
		return nil, fmt.Errorf("the engine needs a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(filepath.Join(dir, "src"), sources); err != nil {
		return nil, fmt.Errorf("the engine's sources cannot be written: %w", err)
	}
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, tool, args...)
		cmd.Dir = filepath.Join(dir, "src")
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
		var problem bytes.Buffer
		cmd.Stderr = &problem
		out, err := cmd.Output()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(problem.String()))
		}
		return strings.TrimSpace(string(out)), nil
	}
	files := map[string][]byte{}
	for name, folder := range modules {
		wasm := filepath.Join(dir, "module.wasm")
		build := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", wasm}
		for _, slow := range []string{
			"fmt", "encoding/json", "emsim/asm", "go/types", "regexp/syntax",
			"time", "emsim/internal/compile", "emsim/internal/compile/ir", "emsim/internal/play/engine",
			"github.com/pelletier/go-toml/...", "math/big",
		} { // for these packages, size matters more than speed
			build = append(build, "-gcflags="+slow+"=-l") // without inlining
		}
		if _, err := run(append(build, folder)...); err != nil {
			return nil, unbuilt(err)
		}
		text, err := engineFile.Read(wasm)
		if err != nil {
			return nil, err
		}
		files[name] = compress(text)
	}
	root, err := run("env", "GOROOT")
	if err != nil {
		return nil, unbuilt(err)
	}
	if files["wasm_exec.js"], err = engineFile.Read(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, unbuilt(err)
	}
	return files, nil
}

// unbuilt returns an error that says that the engine could not be built.
func unbuilt(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("the engine of the page could not be built: %w", err)
}

// compress returns a file compressed by gzip; equal input gives equal output.
func compress(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a write to a buffer cannot fail
	}
	return b.Bytes()
}
