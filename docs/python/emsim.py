"""emsim from Python: one file, nothing but the standard library, Python 3.9 or later.

``pip install docs/python`` installs it, or copy it beside your script. It calls the command emsim, which it finds in the
environment variable EMSIM, on PATH, or where you say: ``emsim.command = "./emsim"``.

    import emsim

    r = emsim.run("fib", 20, policy="line")
    print(r.value, r.clocks, r.pe_utilisation)

    rows = emsim.grid("fib 16", pes=[12, 80], params={"policy": ["ring", "line"]})
    for row in rows:
        print(row["pes"], row["policy"], row["clocks"])
    frame = rows.to_pandas()               # if pandas is installed

What fails raises an exception of the error's kind:

    try:
        emsim.run("fib", 21, policy="line")
    except emsim.SegmentOverflow as e:
        print(e.pe, e.clock, e.statistics.calls)

docs/API.md describes everything, docs/COMMAND.md every key of an answer.
"""

from __future__ import annotations

import csv
import html
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

Value = Union[bool, int, float, str]
PathLike = Union[str, "os.PathLike[str]"]

command: Optional[PathLike] = None
"""The emsim command, or None to look for it."""


# ---------------------------------------------------------------------------
# Errors


class Error(Exception):
    """What emsim says is wrong. ``kind`` is its word for it, ``message`` the text,
    ``details`` all keys of the JSON error."""

    def __init__(self, kind: str, message: str, details: Optional[Mapping[str, Any]] = None):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.details: Dict[str, Any] = dict(details or {})

    def __reduce__(self) -> Any:
        return type(self), (self.kind, self.message, self.details)


class CommandError(Error):
    """The command emsim was not found, or did not answer with JSON."""


class UsageError(Error):
    """A wrong argument, flag, knob or file."""

    @property
    def errors(self) -> List[Dict[str, Any]]:
        """Mistakes in a file, each with file, line, column and message."""
        return self.details.get("errors") or []


class AssemblyError(UsageError):
    """Mistakes in an assembly text; ``errors`` lists them."""


class RunError(Error):
    """The modelled machine failed, or was stopped."""

    @property
    def clock(self) -> Optional[int]:
        """The clock of the failure."""
        return self.details.get("clock")

    @property
    def pe(self) -> Optional[Tuple[int, int]]:
        """The PE that failed, as (group, member)."""
        at = self.details.get("pe")
        return (at[0], at[1]) if at else None

    @property
    def statistics(self) -> Optional[Run]:
        """The answer up to the failure."""
        x = self.details.get("statistics")
        return Run(x) if x else None

    @property
    def best(self) -> Optional[Run]:
        """The fastest of the runs that were complete before."""
        x = self.details.get("best")
        return Run(x) if x else None


class SegmentOverflow(RunError):
    """A PE has no free operand segment."""


class StructureOverflow(RunError):
    """A PE has not enough structure memory."""


class MIBOverflow(RunError):
    """A PE's memory input buffer is full."""


class ProgramError(RunError):
    """An instruction or a packet that the machine cannot carry out."""


class Stopped(RunError):
    """The machine came to no end. ``details`` say what every unit waits for."""


class Deadlock(Stopped):
    """Nothing can move any more."""


class NoResult(Stopped):
    """The program ended without a word to the host."""


class MaxClocks(Stopped):
    """The limit of clocks was reached."""


class Interrupted(RunError):
    """A signal ended the command; its name is the key ``signal``."""


class OutOfMemory(RunError):
    """The machine does not fit into what the process may still take."""


KINDS: Dict[str, Type[Error]] = {
    "usage": UsageError,
    "assembly": AssemblyError,
    "segment_overflow": SegmentOverflow,
    "structure_overflow": StructureOverflow,
    "mib_overflow": MIBOverflow,
    "program_error": ProgramError,
    "deadlock": Deadlock,
    "no_result": NoResult,
    "max_clocks": MaxClocks,
    "interrupted": Interrupted,
    "memory": OutOfMemory,
}
"""The class of every kind of error; one of another kind is an Error."""


# ---------------------------------------------------------------------------
# Answers


class Band(NamedTuple):
    """What several runs came to: that of the fastest one, mean, least and greatest."""

    best: float
    mean: float
    min: float
    max: float


class Answer(Dict[str, Any]):
    """A JSON object of emsim: a dict whose keys are attributes, too."""

    _text = ""  # as the command wrote it

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(f"the answer has no key {name!r}; it has {', '.join(self)}") from None
        return Answer(value) if isinstance(value, dict) else value

    def flat(self) -> Dict[str, Any]:
        """The same in one level: the keys of inner objects are joined by dots."""
        flat: Dict[str, Any] = {}
        for key, value in self.items():
            if isinstance(value, dict):
                flat.update((f"{key}.{inner}", v) for inner, v in Answer(value).flat().items())
            else:
                flat[key] = value
        return flat

    def _repr_html_(self) -> str:
        """A notebook's view: the keys and what they say, under the command line."""
        cells = {key: value for key, value in self.flat().items() if not key.startswith("recipe.")}
        return _html(self.get("recipe"), [], cells.items())


class Run(Answer):
    """The answer of a run: docs/COMMAND.md lists the keys."""

    result: List[int]
    type: str
    clocks: int
    time_ms: float
    mips: float
    pe_utilisation: float
    instructions: int
    calls: int
    time: int
    efficiency: float
    transfers: int
    messages: int
    imbalance: float
    runs: List[int]

    @property
    def value(self) -> Any:
        """What the program returned, as Go prints it: a number or a truth value, or a list if
        it is not one word. Of a program that states no type the words are whole numbers."""
        found = [float(v) if isinstance(v, str) else v for v in self.get("values", self["result"])]
        return found[0] if len(found) == 1 and not self.get("type", "").startswith("[") else found

    @property
    def bands(self) -> Dict[str, Band]:
        """Over all runs of ``runs=N``, by statistic; empty if none was complete."""
        return {key: Band(**b) for key, b in (self["bands"] or {}).items() if b}


class Rows(List[Dict[str, Any]]):
    """A table: a list of dicts that have the same keys."""

    _text = ""  # of an answer that is a list

    def where(self, **cells: Any) -> Rows:
        """The rows that have these values."""
        return Rows(r for r in self if all(r[k] == v for k, v in cells.items()))

    def column(self, key: str) -> List[Any]:
        """One column."""
        return [r[key] for r in self]

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame; pandas has to be installed."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame(list(self))

    def _repr_html_(self) -> str:
        """A notebook's view: the table, of a long one its beginning."""
        keys = [k for k in (self[0] if self else ()) if k != "recipe"]
        rows = [[r[k] for k in keys] for r in self[:_SHOWN]]
        if len(self) > _SHOWN:
            rows.append([f"and {len(self) - _SHOWN} more"])
        return _html(self[0].get("recipe") if self else None, keys, rows)


_SHOWN = 60  # rows of a table in a notebook


def _html(recipe: Optional[Mapping[str, Any]], heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table; its caption is the command that the recipe names."""
    lines = [f"<caption>{html.escape(recipe['command'])}</caption>"] if recipe else []
    for tag, cells in [("th", heads), *(("td", r) for r in rows)]:
        lines.append("<tr>" + "".join(f"<{tag}>{html.escape(_shown(c))}</{tag}>" for c in cells) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


# ---------------------------------------------------------------------------
# Calling the command


def find() -> str:
    """The path of the command emsim."""
    name = command or os.environ.get("EMSIM") or "emsim"
    path = shutil.which(os.fspath(name))
    if path is None:
        raise CommandError(
            "command",
            f"there is no command {os.fspath(name)!r}: build it in a clone of emsim with 'go build -o emsim ./cmd/emsim', "
            "then put it on PATH, name it in the environment variable EMSIM, or set emsim.command",
        )
    return path


def call(*arguments: Any, timeout: Optional[float] = None) -> Any:
    """Runs any command of emsim with --json and returns its answer.

    ``call("net", "--pes", 80)["diameter"]`` is 8. A failure raises an Error;
    a timeout (in seconds) raises subprocess.TimeoutExpired. A command that answers
    and ends with status 1, such as verify with a row that is not ok, has answered.
    """
    line = [find(), "--json", *map(_text, arguments)]
    done = subprocess.run(
        line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=timeout
    )
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        said = (done.stderr or done.stdout).strip() or "nothing"
        raise CommandError("command", f"{' '.join(line)} ended with status {done.returncode} and said: {said}") from None
    if done.returncode != 0 and isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        error = answer["error"]
        raise KINDS.get(error["kind"], Error)(error["kind"], error["message"], error)
    return _keep(Answer(answer), done.stdout) if isinstance(answer, dict) else _keep(Rows(answer), done.stdout)


def _keep(answer: Any, text: str) -> Any:
    answer._text = text
    return answer


def _text(value: Any) -> str:
    """A value as the command line and machine files write it."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flags(**given: Any) -> List[str]:
    """Flags for the values that are given: max_clocks=5 becomes --max-clocks=5, a
    mapping a flag for each of its pairs."""
    flags = []
    for name, value in given.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, Mapping):
            flags += [f"{flag}={key}={_text(v)}" for key, v in value.items()]
        elif value is not None:
            flags.append(f"{flag}={_word(value)}")
    return flags


def _word(value: Any) -> str:
    """A value that no command takes for a flag: a file's name may begin with a dash."""
    dashed = isinstance(value, (str, os.PathLike)) and _text(value).startswith("-")
    return os.path.join(os.curdir, _text(value)) if dashed else _text(value)


# ---------------------------------------------------------------------------
# The EM-4


def run(
    program: PathLike,
    *args: int,
    pes: Optional[int] = None,
    policy: Optional[str] = None,
    mlpe: Optional[bool] = None,
    params: Optional[Mapping[str, Value]] = None,
    knobs: Optional[Mapping[str, Value]] = None,
    machine: Optional[PathLike] = None,
    seed: Optional[int] = None,
    runs: Optional[int] = None,
    max_clocks: Optional[int] = None,
    threads: Optional[int] = None,
    stats: Optional[PathLike] = None,
    timeout: Optional[float] = None,
) -> Run:
    """Runs a program on the EM-4.

    program     a built-in one ("fib"), an assembly file or an object file
    args        its arguments
    pes         size of the machine; policy, mlpe, params: the program's parameters
    knobs       of the machine, {"hop_clocks": 2}; machine: a preset or TOML file
    runs        consecutive runs on one machine; the answer is the fastest, its
                ``bands`` are of all
    max_clocks  raises MaxClocks if the run has not ended by then
    stats       a CSV file for every counter of every PE and link; read_csv reads it

    The answer is the same on every computer, but for ``wall_seconds``,
    ``pe_clocks_per_second`` and ``fast_share``.
    """
    flags = _flags(
        pes=pes, policy=policy, mlpe=mlpe, param=params, set=knobs, machine=machine, seed=seed, runs=runs,
        max_clocks=max_clocks, threads=threads, stats=stats,
    )  # fmt: skip
    answer = call("run", *flags, "--", program, *args, timeout=timeout)
    return _keep(Run(answer), answer._text)


def series(program: PathLike, *args: int, sample: int = 1000, **options: Any) -> Rows:
    """What a run does over time: a row for each sample of that many clocks, with
    busy PEs, shares of the states, and counts. Options are those of run."""
    with tempfile.TemporaryDirectory() as dir:
        file = Path(dir) / "series.csv"
        timeout = options.pop("timeout", None)
        options["param"], options["set"] = options.pop("params", None), options.pop("knobs", None)
        call("run", *_flags(series=file, sample=sample, **options), "--", program, *args, timeout=timeout)
        return read_csv(file)


def traffic(pattern: str = "uniform", load: float = 0.05, *, timeout: Optional[float] = None, **options: Any) -> Answer:
    """The network alone under synthetic traffic. Options are the flags of
    'emsim net traffic': pes, clocks, seed, ..."""
    return call("net", "traffic", *_flags(pattern=pattern, load=load, **options), timeout=timeout)


def knobs(machine: PathLike = "emc-r") -> Rows:
    """Every knob of a machine with value, unit, range and source; also of "mnc",
    "rhinet", "spmd" and "pdes"."""
    return Rows(call("machine", "show", "--", machine)["knobs"])


def other(
    machine: str, knobs: Optional[Mapping[str, Value]] = None, *, timeout: Optional[float] = None, **flags: Any
) -> Answer:
    """Runs another machine: "mnc", "rhinet", "spmd" or "pdes". Flags are those of
    'emsim mnc run' and so on: other("rhinet", nodes=8, policy="glb")."""
    return call(machine, "run", *_flags(set=knobs, **flags), timeout=timeout)


# ---------------------------------------------------------------------------
# Many runs


def sweep(
    file: PathLike, *, output: Optional[PathLike] = None, jobs: Optional[int] = None, timeout: Optional[float] = None
) -> Rows:
    """Runs the sweep of a TOML file (docs/SWEEP.md) and returns its table. Results
    are kept in the directory output, so the same call continues a sweep that was
    stopped. A run that failed is a row, too; its kind is in the column outcome."""
    answer = call("sweep", *_flags(output=output, jobs=jobs), "--", file, timeout=timeout)
    return read_csv(answer["table"])


def grid(
    program: Union[PathLike, Sequence[Union[PathLike, Sequence[Any]]], None],
    *,
    params: Optional[Mapping[str, Any]] = None,
    knobs: Optional[Mapping[str, Any]] = None,
    files: Optional[Mapping[str, Any]] = None,
    jobs: Optional[int] = None,
    timeout: Optional[float] = None,
    **lists: Any,
) -> Rows:
    """Runs every combination of the lists and returns the table, as sweep does.

    program     "fib 20", a path, or a list of programs. One with blanks in its name is a
                list with its arguments: [["my prog.s", 5], ["my prog.s", 6]]
                None for another machine: grid(None, machine="mnc", knobs={"pes": [4, 16]})
    params      {"policy": ["ring", "line"]}
    knobs       {"hop_clocks": [1, 2, 3]}
    files       of another machine, by its flags: {"graph": ["a.txt", "b.txt"]}
    lists       pes, machine, seed, runs: a value, or a list of values
    """
    lines = ["[[grid]]"]
    lists["program"] = program
    for key in ("program", "machine"):
        if lists.get(key) is None:
            lists.pop(key, None)
        else:
            lists[key] = [_call(x) if key == "program" else _absolute(x) for x in _list(lists[key])]
    lines += [f"{key} = {_toml(value)}" for key, value in lists.items()]
    own = {flag: [_absolute(x) for x in _list(names)] for flag, names in (files or {}).items()}
    chosen = {name: [_absolute(x) if isinstance(x, (str, os.PathLike)) else x for x in _values(v)] for name, v in (params or {}).items()}
    for key, table in (("param", chosen), ("set", knobs), ("file", own)):
        if table:
            lines.append(f"{key} = {{ {', '.join(f'{_toml(str(k))} = {_toml(v)}' for k, v in table.items())} }}")
    with tempfile.TemporaryDirectory() as dir:
        file = Path(dir) / "grid.toml"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return sweep(file, output=Path(dir) / "results", jobs=jobs, timeout=timeout)


def _list(value: Any) -> List[Any]:
    return [value] if isinstance(value, (str, os.PathLike)) else list(value)


def _values(value: Any) -> List[Any]:
    return list(value) if isinstance(value, (list, tuple, range)) else [value]


def _call(program: Any) -> List[str]:
    """A program with its arguments, as a list of words: of a text those between blanks,
    unless it is the name of a file."""
    if isinstance(program, str):
        program = [program] if os.path.isfile(program) else program.split()
    words = [_text(word) for word in _list(program)]
    return [_absolute(words[0]), *words[1:]] if words else words


def _absolute(name: PathLike) -> str:
    """A file or folder, wherever the sweep's file lies. A name without a folder and an
    ending is one of emsim's."""
    text = os.fspath(name)
    plain = isinstance(name, str) and os.path.basename(text) == text and not os.path.splitext(text)[1]
    return os.path.abspath(text) if not plain and os.path.exists(text) else text


def _toml(value: Any) -> str:
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, str):
        return json.dumps(value)
    return _text(value)


def read_csv(file: PathLike) -> Rows:
    """A table that emsim has written. Numbers and truth values become such, empty
    cells None."""
    with open(file, newline="", encoding="utf-8") as text:
        return Rows({key: _cell(cell) for key, cell in row.items()} for row in csv.DictReader(text))


def _cell(text: str) -> Any:
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


# ---------------------------------------------------------------------------
# The papers


def verify(*prefixes: str, timeout: Optional[float] = None) -> Rows:
    """Compares the models with the papers: a row for each number, those whose ids
    begin with one of the prefixes ("003.t1"), or all. ``row["ok"]`` says whether it
    holds; docs/COMMAND.md and docs/DEVIATIONS.md explain the other keys."""
    return call("verify", *prefixes, timeout=timeout)


def grade(exercise: PathLike, *files: PathLike, seed: Optional[int] = None, timeout: Optional[float] = None) -> Answer:
    """Checks solutions of an exercise, one of emsim's or a TOML file: ``verdicts`` has
    for each file whether it ``passed``, and the ``reason`` if not. seed draws the cases
    that students do not see."""
    return call("grade", *_flags(seed=seed), "--", exercise, *files, timeout=timeout)


def again(result: Union[Answer, Rows, PathLike], *, inputs: Sequence[PathLike] = (), timeout: Optional[float] = None) -> Answer:
    """Makes a result again, as its recipe says, and compares: ``equal``, ``difference``
    and ``model_changed`` say what came of it.

    result      an answer of run, call, other, ... or rows of verify; or a file of the command
    inputs      folders with files that the command read, besides this one
    """
    text = getattr(result, "_text", None)
    if text is None:
        return call("again", *[f"--inputs={_word(x)}" for x in inputs], "--", result, timeout=timeout)
    if not text:
        raise ValueError("this is not as the command answered: give again what run, call or verify returned, or a file")
    with tempfile.TemporaryDirectory() as dir:
        file = Path(dir) / "answer.json"
        file.write_text(text, encoding="utf-8")
        return again(file, inputs=inputs, timeout=timeout)
