// What the engine is asked, and its answers. Written by go test ./internal/play/engine -run TypesOfThePage -update.
declare namespace Emsim {
  // Questions are an argument and an answer, by name.
  interface Questions {
    ahead: [number, Ahead]
    blocks: [number, Blocks]
    called: [number, number[]]
    catalogue: [null, Catalogue]
    check: [HandedIn, Verdict]
    complete: [string, string[]]
    do: [string, Moved]
    follow: [string, Way]
    frame: [null, Frame]
    goto: [Goal, Moved]
    hash: [null, string]
    open: [Setup, Opened]
    part: [number, Parting]
    pe: [number, Inside]
    restore: [string, View]
    series: [null, SeriesAnswer]
    share: [View, string]
    strip: [null, Strip]
    text: [string, string]
    tree: [boolean, Tree]
    graph: [Setup, Picture]
  }
  interface Ahead {
    clocks: number[]
    states: [number, number, number, number][]
    length: number
    ended: boolean
  }
  interface Arg {
    name: string
    min: number
    max: number
  }
  interface Block {
    label: string
    times: number
    pes: number[]
  }
  interface Blocks {
    list: Block[]
    opened?: string
    when?: string
  }
  interface Box {
    name: string
    call: boolean
    begins: string[]
    x: number
    y: number
    width: number
    height: number
    texts: Text[]
  }
  interface Case {
    args: number[]
    pes?: number
    seed?: number
  }
  interface Catalogue {
    programs: Program[]
    sizes: number[]
    knobs: Knob[]
    words: Word[]
    states: State[]
    default_pes: number
    exercises: Exercise[]
  }
  interface Check {
    what: string
    ok: boolean
    message?: string
    clocks?: number
  }
  interface Code {
    when: string
    label: string
    text: string
    file?: string
    line?: number
  }
  interface CompiledProgram {
    text?: string
    errors?: Error[]
    more?: number
    error?: string
    choices: Record<string, string[]>
  }
  interface Counts {
    instructions: number
    calls: number
    sent: number
    spilled: number
    states: [number, number, number, number]
  }
  interface DebugWord {
    name: string
    value: number
    text: string
  }
  interface Edge {
    from: number
    to: number
    kind: string
    start: [number, number]
    curve: [number, number][][]
    tip: [number, number]
  }
  interface Error {
    File: string
    Line: number
    Column: number
    Message: string
    Source: string
    Width: number
    Chain: Step[]
  }
  interface Exercise {
    name: string
    title: string
    lesson: string
    kind: string
    task: string
    program: string
    text?: string
    pes: number
    set: Record<string, string>
    params: Record<string, string>
    case: Case[]
    question: Question[]
  }
  interface File {
    name: string
    text: string
    own: boolean
    given: boolean
    made: boolean
  }
  interface Frame {
    clock: number
    furthest: number
    length?: number
    ended: boolean
    failure?: string
    failed?: string
    chosen: number
    state: string
    load: number[]
    fifo: number[]
    mib: number[]
    operands: number[]
    segments: number[]
    calls: number[]
    spilled: number[]
    packets: Moving[]
    circle?: number[]
    answer: string
    all_words: number
    result?: Result
  }
  interface Goal {
    clock: number
  }
  interface HandedIn {
    name: string
    setup: Setup
    answers: Record<string, string>
  }
  interface Inside {
    pe: string
    number: number
    clock: number
    state: string
    why: string
    units: Unit[]
    load: number
    code: Code
    locals: DebugWord[]
    registers: DebugWord[]
    left: boolean
    specials: DebugWord[]
    fifo_words: number
    mib_words: number
    queues: Queues
    cut: number
    slots: Slot[]
    segments: Segment[]
    more_segments: boolean
    in_use: number
    operands: number
    counts: Counts
  }
  interface Instance {
    level: number
    pe: number
    text: string
    ended: boolean
    runs: boolean
  }
  interface Kind {
    kind: string
    words: string
  }
  interface Knob {
    key: string
    unit: string
    range: string
    values?: string[]
    default: string
    doc: string
    source: string
  }
  interface Mark {
    clock: number
    kind: string
    text?: string
  }
  interface Moved {
    text: string
    error?: string
    stopped?: string
    hits: string[]
    stops: Stop[]
    marks: Mark[]
    frame: Frame
  }
  interface Moving {
    id: string
    pe: number
    in: number
    out: number
    left?: number
    wait?: boolean
    kind: string
    to: number
    load: number
    best: number
  }
  interface Network {
    groups: number
    members: number
    next: [number, number][]
    hop_clocks: number
    fifo_words: number
    mib_words: number
    start: number
  }
  interface Opened {
    problems: Problem[]
    more?: number
    error?: string
    files: File[]
    params: Param[]
    args: Arg[]
    labels: string[]
    network?: Network
    frame?: Frame
  }
  interface Operand {
    displacement: number
    node: string
    have: string
    wants: string
    value: string
  }
  interface Packet {
    id: string
    about: string
  }
  interface Panel {
    name: string
    line: number
    title: string
    x: number
    y: number
    width: number
    height: number
    boxes: Box[]
    edges: Edge[]
  }
  interface Param {
    name: string
    values: string[]
    min: number
    max: number
    chosen: string
    doc: string
  }
  interface Parting {
    clock: number
    pe: number
    at?: string
  }
  interface Picture {
    width: number
    height: number
    panels: Panel[]
    kinds: Kind[]
    legend: string
    font_size: number
    line_space: number
    arrow: number
  }
  interface Problem {
    file: string
    line: number
    column: number
    width: number
    message: string
    via?: Step[]
  }
  interface Program {
    name: string
    main: string
    does: string
    args: string[]
    text?: string
  }
  interface Question {
    key: string
    text: string
  }
  interface Queues {
    urgent: Packet[]
    fifo: Packet[]
    mib: Packet[]
    intake?: Packet
    coming?: number
  }
  interface Result {
    clocks: number
    time_ms: number
    states: [number, number, number, number]
    pe_utilisation: number
    instructions: number
    calls: number
    packets: number
    spilled: number
  }
  interface Segment {
    base: number
    template: string
    live: boolean
    operands: Operand[]
  }
  interface SeriesAnswer {
    clocks: number[]
    states: [number, number, number, number][]
  }
  interface Setup {
    main: string
    files?: Record<string, string>
    args?: string[]
    pes?: number
    sets?: Record<string, string>
    params?: Record<string, string>
    seed?: number
    compiled?: CompiledProgram
  }
  interface Slot {
    place: string
    packet: Packet
    by: string
    why: string
  }
  interface State {
    letter: string
    doc: string
  }
  interface Station {
    clock: number
    pe: number
    what: string
    text: string
  }
  interface Step {
    macro?: string
    inside: boolean
    file: string
    line: number
    column: number
    source: string
  }
  interface Stop {
    number: number
    text: string
    on: boolean
    hits: number
  }
  interface Strip {
    clocks: number[]
    states: string[]
  }
  interface Text {
    role: string
    words: string
    shown: string
    line?: number
    x: number
    y: number
  }
  interface Tree {
    total: number
    live: number
    cut: number
    instances: Instance[]
  }
  interface Unit {
    name: string
    does: string
    waits?: string
  }
  interface Verdict {
    file: string
    passed: boolean
    reason?: string
    checks: Check[]
  }
  interface View {
    setup: Setup
    clock?: number
    pe?: number
    colour?: string
    mode?: string
    stage?: string
    tab?: string
    lesson?: string
    marks?: Mark[]
    vs?: Setup
    side?: string
  }
  interface Way {
    packet: Packet
    stations: Station[]
    done: boolean
  }
  interface Word {
    name: string
    kind: string
    form?: string
    doc?: string
  }
}
