// What the engine is asked, and its answers. Written by go test ./internal/play/engine -run TypesOfThePage -update.
declare namespace Emsim {
  // Questions are an argument and an answer, by name.
  interface Questions {
    ahead: [number, Ahead]
    blocks: [number, Blocks]
    called: [number, number[]]
    calls: [number, string]
    catalogue: [null, Catalogue]
    change: [Changes, Setup]
    check: [HandedIn, string]
    compared: [number, string]
    complete: [string, Completion]
    do: [string, Moved]
    ends: [Room, string]
    follow: [string, Way]
    frame: [null, Frame]
    hash: [null, string]
    open: [Setup, Opened]
    part: [number, Parting]
    pe: [number, Inside]
    restore: [string, View]
    result: [null, string]
    runs: [string, Runs]
    share: [View, string]
    strip: [null, Strip]
    tokens: [Arrow[], Token[]]
    graph: [Setup, Graph]
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
  interface Arrow {
    packet: string
    links: number
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
    line: number
    function: number
    x: number
    y: number
    label: string
  }
  interface Catalogue {
    programs: Program[]
    sizes: number[]
    words: Word[]
    exercises: Task[]
  }
  interface Changes {
    setup: Setup
    changes: string[]
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
  interface Completion {
    line: string
    words?: string
  }
  interface DebugWord {
    name: string
    value: number
    text: string
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
  interface Graph {
    svg: string
    kinds: string
    boxes: Box[]
  }
  interface HandedIn {
    name: string
    setup: Setup
    answers: Record<string, string>
  }
  interface Inside {
    pe: string
    number: number
    why: string
    code: Code
    locals: DebugWord[]
    last?: string
    html: string
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
    args: Arg[]
    labels: string[]
    form: string
    network?: Network
    frame?: Frame
  }
  interface Packet {
    id: string
    about: string
  }
  interface Parting {
    clock: number
    pe: number
    at?: string
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
    own: boolean
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
  interface Room {
    width: number
    height: number
  }
  interface Runs {
    setup: Setup
    vs?: Setup
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
  interface Task {
    name: string
    lesson: string
    kind: string
    setup: Setup
  }
  interface Token {
    seen: boolean
    at: number
    waits: boolean
    value: string
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
    html: string
  }
  interface Word {
    label: string
    type: string
    detail?: string
    info?: string
  }
}
