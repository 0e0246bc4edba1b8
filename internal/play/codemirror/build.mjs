// Writes ../page/codemirror-js.gz and ../page/codemirror-licences.txt:
//
//   npm ci && npm run build
//
// The bundle begins with a hash of the files that it is made from, which a test
// of package play compares.
import {createHash} from "node:crypto"
import {readFileSync, writeFileSync} from "node:fs"
import {gzipSync} from "node:zlib"
import {build} from "esbuild"

const hash = createHash("sha256")
for (const file of ["index.js", "package.json", "package-lock.json"]) hash.update(readFileSync(file))

const {metafile, outputFiles} = await build({
  entryPoints: ["index.js"], bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8",
  metafile: true, write: false, legalComments: "none",
  banner: {js: `/* CodeMirror 6, under the MIT licence: codemirror-licences.txt. Made by npm run build from sha256 ${hash.digest("hex")} */`},
})
writeFileSync("../page/codemirror-js.gz", gzipSync(outputFiles[0].contents, {level: 9}))

const folders = new Set(Object.keys(metafile.inputs).map(f => f.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean))
const owners = new Map() // of each text
for (const name of [...folders].sort()) {
  const {version, license} = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"))
  if (license !== "MIT") throw new Error(`${name} is under ${license}: decide whether the page may carry it`)
  const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()
  owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`])
}
let page = "The page of 'emsim play' carries these packages.\n"
for (const [text, names] of owners) page += `\n${names.join(", ")}\n\n${text}\n`
writeFileSync("../page/codemirror-licences.txt", page)
