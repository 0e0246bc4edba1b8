"""Tests of emsim.py and figure5.ipynb: 'go test ./docs -run TestPython' builds the
command and runs them; by hand: EMSIM=path/to/emsim python3 -m unittest."""

import contextlib
import io
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest import mock
from xml.etree import ElementTree

import emsim

HERE = Path(__file__).resolve().parent

NAMES = ["two words", "it's", 'a "b", 50%#', "-dash", "=1+@a", "프로그램\\b"]
"""Parts of names of files that programs take for something else."""


@contextlib.contextmanager
def in_folder(path):
    back = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(back)


class RunTest(unittest.TestCase):
    def test_answer(self):
        r = emsim.run("fib", 10, pes=12)
        self.assertIsInstance(r, emsim.Run)
        self.assertEqual(([55], 12, "ring", False), (r.result, r.pes, r.policy, r["mlpe"]))
        self.assertEqual(r["states"]["idle"], r.states.idle)
        self.assertEqual(r["packets"]["sent"], r.flat()["packets.sent"])
        self.assertNotIn("packets", r.flat())
        self.assertAlmostEqual(r.instructions / r.time_ms / 1e3, r.mips)
        self.assertEqual(r.time, r.clocks)
        self.assertEqual(r.efficiency, r.states["exu_fmu"])
        self.assertTrue(0 < r.transfers < r.calls and r.messages > 0 and r.imbalance >= 1)
        with self.assertRaisesRegex(AttributeError, "no key 'clock'; it has program, args"):
            r.clock

    def test_in_a_notebook(self):
        page = emsim.run("fib", 10, pes=12)._repr_html_()
        for cell in ("<td>clocks</td><td>801</td>", "<td>states.idle</td><td>0.", "<td>result</td><td>[55]</td>"):
            self.assertIn(cell, page)
        table = emsim.Rows({"id": "a<b", "model": i / 3, "recipe": {"command": "emsim verify"}} for i in range(62))._repr_html_()
        for part in ("<caption>emsim verify</caption>", "<tr><th>id</th><th>model</th></tr><tr><td>a&lt;b</td><td>0</td></tr>", "0.333333", "and 2 more"):
            self.assertIn(part, table)
        self.assertEqual(62, table.count("<tr>"))
        self.assertEqual("<table><tr></tr></table>", emsim.Rows()._repr_html_())

    def test_every_argument(self):
        with tempfile.TemporaryDirectory() as dir:
            machine = Path(dir) / "mine.toml"
            machine.write_text("fifo_words = 64\n")
            stats = Path(dir) / "stats.csv"
            r = emsim.run("fib", 9, pes=12, policy="line", mlpe=True, params={"grain": "large"}, knobs={"hop_clocks": 2, "ibu_own_memory": True},
                          machine=machine, seed=7, runs=2, max_clocks=100000, threads=1, stats=stats, timeout=60)  # fmt: skip
            counters = emsim.read_csv(stats)
        self.assertEqual(("line", True, 7, 2), (r.policy, r.mlpe, r.seed, len(r.runs)))
        self.assertEqual("large", r.params["grain"])
        self.assertEqual((64, 2, True, 12), tuple(r.knobs[k] for k in ("fifo_words", "hop_clocks", "ibu_own_memory", "pes")))
        self.assertEqual({1, 2}, set(counters.column("run")))
        self.assertEqual(r.result, [34])

    def test_without_mlpe(self):
        self.assertFalse(emsim.run("fib", 5, pes=12, mlpe=False).mlpe)

    def test_bands(self):
        r = emsim.run("fib", 12, pes=12, mlpe=True, runs=3)
        band = r.bands["time_ms"]
        self.assertEqual(min(r.runs), r.clocks)
        self.assertAlmostEqual(r.time_ms, band.best)
        self.assertTrue(band.min <= band.mean <= band.max)
        self.assertNotIn("work_per_call", emsim.run("sum", 50, pes=12, params={"numbers": "counted"}).bands)

    def test_own_program(self):
        squares = HERE.parent / "examples" / "ownprogram" / "squares.s"
        self.assertEqual([25], emsim.run(squares, 3, 4, pes=12).result)
        self.assertEqual([25], emsim.grid(f"{os.path.relpath(squares)} 3 4", pes=12).column("result"))

    def test_values(self):
        with tempfile.TemporaryDirectory() as dir:
            for kind, word, value in (
                ("int32", "0 - 2", -2), ("uint32", "0 - 2", 4294967294), ("bool", "1", True), ("float32", "0x3fc00000", 1.5),
                ("float32", "0x7f800000", float("inf")), ("float32", "0x80000000", -0.0), ("[]int32", "0 - 2", [-2]),
            ):  # fmt: skip
                program = Path(dir) / "typed.s"
                program.write_text(f".result {kind}\n.start main\nmain: ld r1, r0, x\n out! r1\nx: .word {word}\n")
                r = emsim.run(program, pes=12)
                self.assertEqual((repr(value), kind), (repr(r.value), r.type))
                cell = emsim.grid(os.fspath(program), pes=12).column("result")[0]
                self.assertEqual(value, [int(cell.strip("[]"))] if isinstance(value, list) else cell)
        self.assertEqual(55, emsim.run("fib", 10, pes=12).value)

    def test_any_name(self):
        squares = (HERE.parent / "examples" / "ownprogram" / "squares.s").read_text()
        near = (HERE.parent / "sweeps" / "policies" / "near.s").read_text()
        for name in NAMES:
            with tempfile.TemporaryDirectory() as dir, in_folder(dir):
                Path(f"{name}.s").write_text(squares)
                Path(f"{name} near.s").write_text(near)
                program = Path(f"{name}.s")
                r = emsim.run(program, 3, 4, pes=12, stats=f"{name}.csv")
                self.assertEqual([25], r.result, name)
                self.assertTrue(emsim.again(r, inputs=["."]).equal, name)
                self.assertTrue(emsim.read_csv(f"{name}.csv"), name)
                rows = emsim.grid([[program, 3, 4], [str(program), 2, "1"]], pes=12)
                self.assertEqual([25, 5], rows.column("result"), name)
                rows = emsim.grid("fib 5", pes=12, params={"policy": ["ring", f"{name} near.s"]})
                self.assertEqual([5, 5], rows.column("result"), name)
                words = json.dumps([[f"{name}.s", "3", "4"]])
                Path(f"{name}.toml").write_text(f"[[grid]]\nprogram = {words}\npes = 12\n")
                self.assertEqual([25], emsim.sweep(f"{name}.toml", output=f"{name} results").column("result"), name)
                self.assertFalse(emsim.grade("three", f"{name}.s").verdicts[0]["passed"], name)

    def test_series(self):
        rows = emsim.series("fib", 12, sample=100, pes=12, policy="line", knobs={"hop_clocks": 2}, params={"grain": "large"})
        r = emsim.run("fib", 12, pes=12, policy="line", knobs={"hop_clocks": 2}, params={"grain": "large"})
        self.assertEqual(r.clocks, rows[-1]["time"])
        self.assertEqual(r.instructions, sum(rows.column("instructions")))


class ErrorTest(unittest.TestCase):
    def test_usage(self):
        with self.assertRaisesRegex(emsim.UsageError, "it must be 1..47") as c:
            emsim.run("fib", -3)
        self.assertEqual("usage", c.exception.kind)
        self.assertEqual([], c.exception.errors)

    def test_machine_file(self):
        with tempfile.TemporaryDirectory() as dir:
            machine = Path(dir) / "mine.toml"
            machine.write_text("\nfifo_wrods = 64\n")
            with self.assertRaises(emsim.UsageError) as c:
                emsim.run("fib", 3, machine=machine)
        self.assertEqual(2, c.exception.errors[0]["line"])

    def test_assembly(self):
        with tempfile.TemporaryDirectory() as dir:
            program = Path(dir) / "bad.s"
            program.write_text("\t.start x\nx:\tuot! r1\n")
            with self.assertRaises(emsim.AssemblyError) as c:
                emsim.run(program)
        self.assertEqual(2, c.exception.errors[0]["line"])
        self.assertIn('did you mean "out"', c.exception.errors[0]["message"])

    def test_overflow(self):
        with self.assertRaises(emsim.SegmentOverflow) as c:
            emsim.run("fib", 16, pes=12, policy="line", knobs={"segments": 60})
        e = c.exception
        self.assertEqual(2, len(e.pe))
        self.assertGreater(e.clock, 0)
        self.assertGreater(e.statistics.calls, 60)
        self.assertIsNone(e.best)
        again = pickle.loads(pickle.dumps(e))
        self.assertEqual((type(e), e.kind, e.message, e.details), (type(again), again.kind, again.message, again.details))

    def test_stopped(self):
        with self.assertRaises(emsim.MaxClocks) as c:
            emsim.run("fib", 20, max_clocks=500)
        self.assertEqual(500, c.exception.clock)
        self.assertIsNone(c.exception.pe)
        self.assertTrue(c.exception.details["waits"])
        with tempfile.TemporaryDirectory() as dir:
            program = Path(dir) / "silent.s"
            program.write_text("\t.start x\nx:\tnop!\n")
            with self.assertRaises(emsim.Stopped) as c:
                emsim.run(program)
        self.assertIsInstance(c.exception, emsim.NoResult)

    def test_every_kind_has_a_class(self):
        page = (HERE.parent / "COMMAND.md").read_text(encoding="utf-8")
        table = page[page.index("| kind | status |") :].split("\n\n")[0]
        kinds = [k for line in table.splitlines()[2:] for k in re.findall(r"`(\w+)`", line.split("|")[1])]
        self.assertEqual(set(kinds), set(emsim.KINDS))

    def test_other_kind(self):
        fake = SimpleNamespace(returncode=1, stdout='{"error": {"kind": "stalled", "message": "no data move"}}', stderr="")
        with mock.patch.object(subprocess, "run", return_value=fake):
            with self.assertRaisesRegex(emsim.Error, "no data move") as c:
                emsim.call("mnc", "run")
        self.assertIs(emsim.Error, type(c.exception))

    def test_no_command(self):
        with mock.patch.object(emsim, "command", "emsim-that-is-nowhere"):
            with self.assertRaisesRegex(emsim.CommandError, "no command 'emsim-that-is-nowhere': build it"):
                emsim.run("fib", 3)
        with mock.patch.object(emsim, "command", sys.executable):
            with self.assertRaisesRegex(emsim.CommandError, "ended with status 2 and said: "):
                emsim.run("fib", 3)

    def test_timeout(self):
        with self.assertRaises(subprocess.TimeoutExpired):
            emsim.run("fib", 30, timeout=0.01)


class ManyTest(unittest.TestCase):
    def test_grid(self):
        rows = emsim.grid(["fib 8", "queens 4"], pes=[12, 32], params={"policy": ["ring", "line"]}, knobs={"hop_clocks": 1}, jobs=1)
        self.assertEqual(8, len(rows))
        line = rows.where(program="fib", pes=12, policy="line")
        self.assertEqual([emsim.run("fib", 8, pes=12, policy="line", knobs={"hop_clocks": 1}).clocks], line.column("clocks"))
        self.assertEqual({"ok"}, set(rows.column("outcome")))

    def test_failed_points_are_rows(self):
        rows = emsim.grid("fib 16", pes=12, params={"policy": "line"}, knobs={"segments": [60, 896]})
        self.assertEqual(["segment_overflow", "ok"], rows.column("outcome"))
        self.assertIsNone(rows[0]["clocks"])

    def test_sweep(self):
        with tempfile.TemporaryDirectory() as dir:
            file = Path(dir) / "s.toml"
            file.write_text('[[grid]]\nprogram = "fib 5"\npes = 12\nset = { ibu_own_memory = [true, false] }\n')
            rows = emsim.sweep(file, output=Path(dir) / "out")
            self.assertTrue((Path(dir) / "out" / "s.csv").exists())
        self.assertEqual([True, False], rows.column("ibu_own_memory"))

    def test_other_machine(self):
        with tempfile.TemporaryDirectory() as dir:
            for name, clocks in (("light", 100), ("heavy", 900)):
                Path(dir, name).write_text(f"lp a {clocks}\nlp b 200\nchannel a b 1\n")
            graphs = [Path(dir, "light"), Path(dir, "heavy")]
            rows = emsim.grid(None, machine="pdes", knobs={"slots": 50}, files={"graph": graphs})
            self.assertEqual([str(g) for g in graphs], rows.column("graph"))
            self.assertLess(*rows.column("clocks"))
        rows = emsim.grid(None, machine="mnc", knobs={"pes": [4, 16], "items": 100})
        self.assertEqual([4, 16], rows.column("pes"))
        r = emsim.other("mnc", {"items": 100}, pes=4)
        self.assertEqual(r.clocks, rows[0]["clocks"])

    def test_pandas(self):
        rows = emsim.Rows([{"a": 1}])
        frame = ModuleType("pandas")
        frame.DataFrame = lambda data: ("frame", data)
        with mock.patch.dict(sys.modules, {"pandas": frame}):
            self.assertEqual(("frame", [{"a": 1}]), rows.to_pandas())
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "pip install pandas"):
                rows.to_pandas()

    def test_network_and_knobs(self):
        self.assertEqual(8, emsim.call("net", "--pes", 80)["diameter"])
        t = emsim.traffic("neighbour", 0.1, pes=12, clocks=100, seed=3)
        self.assertEqual((3, "neighbour", t.injected), (t.seed, t.pattern, t.delivered + t.in_flight))
        self.assertIn("fifo_words", emsim.knobs().column("key"))
        self.assertIn("items", emsim.knobs("mnc").column("key"))

    def test_again(self):
        squares = HERE.parent / "examples" / "ownprogram" / "squares.s"
        for result, command in (
            (emsim.run("fib", 10, pes=12), "emsim run fib 10 --json --pes 12"),
            (emsim.run(squares, 3, 4, pes=12), "squares.s"),
            (emsim.verify("000.exact.1"), "emsim verify 000.exact.1"),
        ):
            x = emsim.again(result, inputs=[squares.parent])
            self.assertEqual((True, None, False), (x.equal, x["difference"], x.model_changed))
            self.assertIn(command, x.command)
        result._text = result._text.replace('"ok": true', '"ok": false', 1)
        x = emsim.again(result)
        self.assertFalse(x.equal)
        self.assertTrue(x.difference)
        with self.assertRaisesRegex(ValueError, "not as the command answered"):
            emsim.again(emsim.Rows([{"a": 1}]))

    def test_grade(self):
        with tempfile.TemporaryDirectory() as dir:
            wrong, right = Path(dir, "wrong.s"), Path(dir, "right.s")
            wrong.write_text(".start a\na: out! r0\n")
            right.write_text("""
                .arg a, 0, 1000000, add
                .arg b, 0, 1000000, add
                .arg c, 0, 1000000, sum
                add: ld r2, r0, held
                     add r1, r1, r2
                     st! r1, r0, held
                sum: ld r2, r0, held
                     add r1, r1, r2
                     out! r1
                held: .space 1
                """)
            x = emsim.grade("three", wrong, right, seed=5)
            self.assertEqual((1, [False, True], 5), (x.passed, [v["passed"] for v in x.verdicts], x.seed))
            self.assertIn("no arguments", x.verdicts[0]["reason"])
            emsim.call("grade", "--junit", Path(dir, "j.xml"), "three", wrong, right)
            suite = ElementTree.parse(Path(dir, "j.xml")).getroot()
            self.assertEqual(("testsuite", "2", "1"), (suite.tag, suite.get("tests"), suite.get("failures")))
            self.assertEqual([True, False], [c.find("failure") is not None for c in suite.iter("testcase")])

    def test_verify(self):
        rows = emsim.verify("000.exact.1")
        self.assertTrue(rows and all(r["id"].startswith("000.exact.1") and r["ok"] for r in rows))
        bad = SimpleNamespace(returncode=1, stdout='[{"id": "x", "ok": false}]', stderr="")
        with mock.patch.object(subprocess, "run", return_value=bad):
            self.assertEqual([False], emsim.verify("x").column("ok"))


class PageTest(unittest.TestCase):
    def test_code_of_the_page(self):
        page = (HERE.parent / "API.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, re.S)
        self.assertGreaterEqual(len(blocks), 5)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            names = {}
            for block in blocks:
                exec(block, names)
        for line in (r"\b987 18482 ", r"ms on average", r"no operand segment is free", r"80 line \d+ ok", r"000.exact.1\S* .* ok"):
            self.assertRegex(said.getvalue(), line)

    def test_page_names_everything(self):
        page = (HERE.parent / "API.md").read_text(encoding="utf-8")
        for name, x in vars(emsim).items():
            public = getattr(x, "__module__", "") == "emsim" and not name.startswith("_")
            if public and (not isinstance(x, type) or issubclass(x, emsim.Error)) and name != "find":
                self.assertRegex(page, rf"\b{name}\b", "docs/API.md does not mention it")


class NotebookTest(unittest.TestCase):
    def test_figure5(self):
        book = json.loads((HERE / "figure5.ipynb").read_text(encoding="utf-8"))
        cells = [c for c in book["cells"] if c["cell_type"] == "code"]
        self.assertEqual([([], None)] * len(cells), [(c["outputs"], c["execution_count"]) for c in cells], "save it without outputs")
        plots, pyplot = mock.MagicMock(), mock.MagicMock()
        pyplot.subplots.return_value = (mock.MagicMock(), plots)
        said = io.StringIO()
        matplotlib = SimpleNamespace(pyplot=pyplot)
        with mock.patch.dict(sys.modules, {"matplotlib": matplotlib, "matplotlib.pyplot": pyplot}), contextlib.redirect_stdout(said):
            names = {}
            for c in cells:
                exec("".join(c["source"]), names)
        (static, _), (mlpe, _) = plots.plot.call_args_list
        self.assertEqual(["static", "with MLPE"], [k["label"] for _, k in plots.plot.call_args_list])
        at, pes = max(zip(*mlpe[:2]), key=lambda point: point[1])
        self.assertAlmostEqual(0.2, at, places=3)
        self.assertAlmostEqual(58, pes, delta=0.5, msg="docs/FIGURES.md: PEs at work after 0.2 ms")
        self.assertLess(max(static[1]), 30)
        times = re.findall(r"(\d\.\d\d) ms", said.getvalue())
        self.assertEqual(2, len(times), said.getvalue())
        for says, ms in zip((8.3, 2.8), times):
            self.assertAlmostEqual(says, float(ms), delta=0.051, msg="docs/FIGURES.md")


if __name__ == "__main__":
    unittest.main()
