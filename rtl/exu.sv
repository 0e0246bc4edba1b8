// EXU, the execution unit: runs a block of instructions from the node that fires it to its end mark
// (TIMING.md "The EXU"; ISA.md; paper, section 2).
module exu (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    // FMU: the node
    input  logic             node_valid,
    input  emcr_pkg::addr_t  node_code,
    input  emcr_pkg::data_t  node_left, node_right, node_fp,
    output logic             node_taken,
    // memory
    output logic             request, idle,
    input  logic             port,
    output logic             mem_en, mem_we,
    output emcr_pkg::addr_t  mem_addr,
    output emcr_pkg::word_t  mem_wdata,
    input  emcr_pkg::word_t  mem_rdata,
    input  logic [1:0]       mem_rtag,
    // port register: the address word with put, the data word in the clock after
    input  logic             room,
    output logic             put,
    output emcr_pkg::word_t  put_word,
    input  logic             granted,
    // operand segments
    output logic [2:0]       seg_op,
    output emcr_pkg::addr_t  seg_addr,
    input  emcr_pkg::addr_t  seg_base,
    input  emcr_pkg::addr_t  seg_released,
    input  logic [2:0]       seg_fault,
    input  logic [12:0]      segs_free,
    // structure memory
    output logic             str_en, str_op,
    output emcr_pkg::data_t  str_arg,
    input  logic             str_ok,
    input  emcr_pkg::addr_t  str_result,
    input  logic [15:0]      str_free,
    // prefetch register
    output logic             prefetch_read, prefetch_write,
    output emcr_pkg::data_t  prefetch_wdata,
    input  emcr_pkg::data_t  prefetch_rdata,
    input  logic [3:0]       load,
    output logic             active,         // it does anything but wait
    output logic             network_wait,   // it waits for the switch at the end of this clock
    output logic [2:0]       fault,
    output logic [9*64-1:0]  probe
);
  typedef enum logic [2:0] { IDLE, FETCH, MEMORY, BUSY, NO_ROOM, HOLD } state_t;

  state_t           state_q, state_d;
  logic [4:0]       left_q, left_d;       // clocks left, in MEMORY and BUSY
  emcr_pkg::addr_t  pc_q, pc_d;           // the next instruction
  emcr_pkg::instr_t instr_q;              // the instruction that has been fetched
  emcr_pkg::addr_t  address_q;            // its A register's address bits plus its constant
  emcr_pkg::data_t  payload_q;            // the data word that follows the address word
  emcr_pkg::data_t  clock_q;              // clocks since the machine's start

  // ---- The instruction of this clock ----

  logic             fire, fetch;
  emcr_pkg::instr_t instr;
  emcr_pkg::addr_t  pc;
  assign fire       = state_q == IDLE && node_valid && port;
  assign fetch      = fire || state_q == FETCH && port;
  assign instr      = fetch ? mem_rdata : instr_q;
  assign pc         = fire ? node_code : pc_q;
  assign node_taken = fire;

  logic [1:0] memory_clocks;              // ISA.md "Instructions", clocks after the fetch
  logic [4:0] busy_clocks;
  logic       sends, writes;              // it sends a packet, it writes a register
  always_comb begin
    memory_clocks = 2'd0;
    busy_clocks   = 5'd0;
    sends         = 1'b0;
    writes        = 1'b0;
    case (instr.code)
      emcr_pkg::ADD, emcr_pkg::SUB, emcr_pkg::AND, emcr_pkg::OR, emcr_pkg::XOR, emcr_pkg::SHL,
      emcr_pkg::SHR, emcr_pkg::SAR, emcr_pkg::CONT, emcr_pkg::RDS, emcr_pkg::MOVPE:
        writes = 1'b1;
      emcr_pkg::MUL, emcr_pkg::MULHU:
        begin writes = 1'b1; busy_clocks = 5'd1; end
      emcr_pkg::DIV, emcr_pkg::REM:
        begin writes = 1'b1; busy_clocks = 5'd31; end
      emcr_pkg::FADD, emcr_pkg::FSUB, emcr_pkg::FMUL, emcr_pkg::ITOF:
        begin writes = 1'b1; busy_clocks = 5'd2; end
      emcr_pkg::FBLT:
        busy_clocks = 5'd2;
      emcr_pkg::LD:
        begin writes = 1'b1; memory_clocks = 2'd1; end
      emcr_pkg::GETSEG:
        begin writes = 1'b1; memory_clocks = cfg.getseg; end
      emcr_pkg::ST, emcr_pkg::RELSEG:
        memory_clocks = 2'd1;
      emcr_pkg::GETSTR:
        begin writes = 1'b1; memory_clocks = 2'd2; end
      emcr_pkg::RELSTR:
        memory_clocks = 2'd2;
      emcr_pkg::SEND, emcr_pkg::OUT, emcr_pkg::MLPE:
        sends = 1'b1;
      default: ;
    endcase
  end

  logic ok;                               // no fault in this clock

  // What happens to it in this clock: it finishes what it does in its last clock, or begins to send.
  logic one_clock, last_clock, finish, begin_send, access, compute;
  assign one_clock  = memory_clocks == 2'd0 && busy_clocks == 5'd0 && !sends;
  assign last_clock = left_q == 5'd1;
  assign access     = state_q == MEMORY && port && last_clock;
  assign compute    = state_q == BUSY && last_clock;
  assign finish     = fetch && one_clock || access || compute;
  assign begin_send = (fetch || state_q == NO_ROOM) && sends && room;

  // ---- Operands ----

  emcr_pkg::data_t ra, rb, s, constant;
  logic [1:0]      to_match;              // ra as a continuation
  emcr_pkg::ga_t   to_ga;
  emcr_pkg::ca_t   to_ca;
  emcr_pkg::addr_t to_addr;
  emcr_pkg::addr_t address;
  assign constant = {{13{instr.constant[18]}}, instr.constant};
  assign s        = instr.literal ? constant : rb;
  assign address  = to_addr + constant[17:0];
  assign {to_match, to_ga, to_ca, to_addr} = ra[29:0];

  // ---- Results ----

  emcr_pkg::data_t alu_result, quotient, remainder, fpu_result, special, result;
  logic            branch, less, taken;

  alu alu_i (
      .code(finish ? instr.code : emcr_pkg::OUT), .a(ra), .b(s), .result(alu_result), .taken(branch)
  );

  logic divides;
  assign divides = instr.code == emcr_pkg::DIV || instr.code == emcr_pkg::REM;
  divider divider_i (
      .clk, .start(fetch && divides), .a(ra), .b(s), .step(state_q == BUSY && divides), .quotient, .remainder
  );

  fpu fpu_i (
      .enable(compute), .code(instr.code), .a(ra), .b(rb), .result(fpu_result), .less
  );

  assign taken = branch || compute && instr.code == emcr_pkg::FBLT && less;

  always_comb begin
    case (instr.constant)
      emcr_pkg::SP_PE:       special = emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, 18'd0);
      emcr_pkg::SP_GA:       special = {25'd0, cfg.ga};
      emcr_pkg::SP_CA:       special = {29'd0, cfg.ca};
      emcr_pkg::SP_K:        special = {28'd0, cfg.k};
      emcr_pkg::SP_CLOCK:    special = clock_q;
      emcr_pkg::SP_LOAD:     special = {28'd0, load};
      emcr_pkg::SP_MLPE:     special = prefetch_rdata;
      emcr_pkg::SP_SEGS:     special = {19'd0, segs_free};
      emcr_pkg::SP_STRS:     special = {16'd0, str_free};
      emcr_pkg::SP_SEED:     special = cfg.seed;
      emcr_pkg::SP_GAPOS:    special = 32'd21;
      emcr_pkg::SP_PREFETCH: special = 32'd1;
      default:               special = 32'd0;
    endcase
  end

  // send and cont: where the result goes. The form is the suffix of ISA.md "Suffixes".
  logic [3:0]      form;
  emcr_pkg::cont_t target;
  assign form = instr.code == emcr_pkg::CONT ? instr.b : instr.d;
  always_comb begin
    target = {2'b00, to_match, to_ga, to_ca, address};
    case (form)
      4'd1:    target.match = emcr_pkg::MATCH_ONE;
      4'd2:    target.match = emcr_pkg::MATCH_LEFT;
      4'd3:    target.match = emcr_pkg::MATCH_RIGHT;
      4'd4:    begin target.match = emcr_pkg::MATCH_DIRECT; target.addr = instr.constant[17:0]; end
      default: ;
    endcase
  end

  always_comb begin
    case (instr.code)
      emcr_pkg::DIV:    result = quotient;
      emcr_pkg::REM:    result = remainder;
      emcr_pkg::FADD, emcr_pkg::FSUB, emcr_pkg::FMUL, emcr_pkg::ITOF: result = fpu_result;
      emcr_pkg::LD:     result = mem_rdata[31:0];
      emcr_pkg::CONT:   result = target;
      emcr_pkg::GETSEG: result = emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, seg_base);
      emcr_pkg::GETSTR: result = emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, str_result);
      emcr_pkg::RDS:    result = special;
      emcr_pkg::MOVPE:  result = {4'd0, instr.constant[9:0], 18'd0};  // the loader's [GA,CA]
      default:          result = alu_result;
    endcase
  end

  registers registers_i (
      .clk, .rst, .fire, .left(node_left), .right(node_right), .fp(node_fp),
      .a(instr.a), .b(instr.b), .ra, .rb,
      .we(finish && writes && ok), .d(instr.d), .wdata(result), .probe(probe[9*64-1:64])
  );

  // ---- Packets ----

  // A system block's continuation makes a packet in direct mode (MACHINE.md "A packet").
  logic               direct;
  emcr_pkg::address_t send_word;
  emcr_pkg::data_t    payload;
  assign direct = target.match == emcr_pkg::MATCH_DIRECT;
  always_comb begin
    payload = rb;
    case (instr.code)
      emcr_pkg::OUT:  send_word = {1'b1, 38'd0};
      emcr_pkg::MLPE: begin
        send_word = {1'b0, emcr_pkg::KIND_MLPE, emcr_pkg::MATCH_ONE, 1'b1, cfg.ga, cfg.ca, instr.constant[17:0]};
        payload   = emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, {14'd0, load});
      end
      default: send_word = {1'b0, emcr_pkg::KIND_DATA, direct ? emcr_pkg::MATCH_ONE : target.match, direct,
                            target.ga, target.ca, target.addr};
    endcase
  end
  assign put      = begin_send && ok;
  assign put_word = put ? send_word : {7'd0, payload_q};

  // ---- Memory ----

  assign idle    = state_q == IDLE;
  assign request = state_q == IDLE && node_valid || state_q == FETCH || state_q == MEMORY;

  always_comb begin
    if (state_q == IDLE)                              mem_addr = node_code;
    else if (state_q == FETCH)                        mem_addr = pc_q;
    else if (instr_q.code == emcr_pkg::GETSEG)        mem_addr = seg_base;
    else                                              mem_addr = address_q;
    case (instr_q.code)
      emcr_pkg::GETSEG: mem_wdata = {21'd0, s[17:0]};
      emcr_pkg::RELSEG: mem_wdata = {21'd0, seg_released};
      default:          mem_wdata = {7'd0, rb};
    endcase
  end
  // The lists of structure memory are not in this memory: getstr and relstr only take its clocks.
  logic in_memory;
  assign in_memory = instr_q.code != emcr_pkg::GETSTR && instr_q.code != emcr_pkg::RELSTR;
  assign mem_en    = state_q != MEMORY || last_clock && in_memory;
  assign mem_we    = access && in_memory && instr_q.code != emcr_pkg::LD && ok;

  always_comb begin
    seg_op = emcr_pkg::SEG_NONE;
    if (access && instr_q.code == emcr_pkg::GETSEG) seg_op = emcr_pkg::SEG_GET;
    if (access && instr_q.code == emcr_pkg::RELSEG) seg_op = emcr_pkg::SEG_RELEASE;
  end
  assign seg_addr = address_q;

  assign str_en  = !rst && access && !in_memory;
  assign str_op  = instr_q.code == emcr_pkg::RELSTR;
  assign str_arg = str_op ? {14'd0, address_q} : s;

  assign prefetch_read  = fetch && instr.code == emcr_pkg::RDS && instr.constant == emcr_pkg::SP_MLPE && ok;
  assign prefetch_write = fetch && instr.code == emcr_pkg::WRS && ok;
  assign prefetch_wdata = ra;

  // ---- Faults (MACHINE.md "Faults") ----

  logic no_such_pe, beyond;
  assign no_such_pe = {1'b0, target.ca} > cfg.k || (8'd1 << cfg.k) <= {1'b0, target.ga};
  // A machine whose MIB has no words and whose memory has all 2^18 has this strap 0.
  assign beyond     = address_q >= cfg.mib_base && cfg.mib_base != 18'd0;

  always_comb begin
    fault = emcr_pkg::FAULT_NONE;
    if (fetch && mem_rtag != emcr_pkg::TAG_INSTR) begin
      fault = emcr_pkg::FAULT_PROGRAM;
    end else begin
      case (instr.code)
        emcr_pkg::SEND: if (begin_send && no_such_pe) fault = emcr_pkg::FAULT_PROGRAM;
        emcr_pkg::WRS:  if (fetch && instr.constant != emcr_pkg::SP_MLPE) fault = emcr_pkg::FAULT_PROGRAM;
        emcr_pkg::LD:   if (access && beyond) fault = emcr_pkg::FAULT_PROGRAM;
        emcr_pkg::ST:   if (access && (beyond || mem_rtag == emcr_pkg::TAG_INSTR)) fault = emcr_pkg::FAULT_PROGRAM;
        emcr_pkg::GETSEG, emcr_pkg::RELSEG: fault = seg_fault;
        emcr_pkg::GETSTR:
          if (access && !str_ok) fault = s == 32'd0 ? emcr_pkg::FAULT_PROGRAM : emcr_pkg::FAULT_STRUCTURE;
        emcr_pkg::RELSTR: if (access && !str_ok) fault = emcr_pkg::FAULT_PROGRAM;
        default: ;
      endcase
    end
  end
  assign ok = fault == emcr_pkg::FAULT_NONE;

  // ---- Sequence ----

  always_comb begin
    state_d = state_q;
    left_d  = left_q;
    pc_d    = pc_q;
    if (ok) begin
      if (state_q == MEMORY && port || state_q == BUSY) left_d = left_q - 5'd1;
      if (fetch) begin
        pc_d = pc + 18'd1;
        if (memory_clocks != 2'd0) begin
          state_d = MEMORY;
          left_d  = {3'd0, memory_clocks};
        end else if (busy_clocks != 5'd0) begin
          state_d = BUSY;
          left_d  = busy_clocks;
        end else if (sends) begin
          state_d = NO_ROOM;
          pc_d    = pc;
        end
      end
      if (begin_send) begin
        state_d = HOLD;
        pc_d    = pc + 18'd1;
      end
      // The instruction is done.
      if (finish || state_q == HOLD && granted) begin
        state_d = instr.last && !taken ? IDLE : FETCH;
        if (taken) pc_d = instr.constant[17:0];
      end
    end
  end

  assign active       = fetch && (room || !sends) || state_q == MEMORY && port || state_q == BUSY || state_q == HOLD && granted
                     || begin_send;
  assign network_wait = state_d == NO_ROOM || state_d == HOLD;

  always_ff @(posedge clk) begin
    state_q <= state_d;
    left_q  <= left_d;
    pc_q    <= pc_d;
    clock_q <= clock_q + 32'd1;
    if (fetch) begin
      instr_q   <= mem_rdata;
      address_q <= address;
    end
    if (put) payload_q <= payload;
    if (rst) begin
      state_q <= IDLE;
      clock_q <= 32'd0;
    end
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (state_q <= HOLD);
    assert (!(state_q == MEMORY || state_q == BUSY) || left_q != 5'd0);
    assert (!put || room);
    assert (!node_taken || node_valid && port);
  end

  logic timed;
  assign timed = state_q == MEMORY || state_q == BUSY;
  assign probe[63:0] = {37'd0, state_q != IDLE ? pc_q : 18'd0, (timed || state_q == HOLD) && instr_q.last,
                              timed ? left_q : 5'd0, state_q};

  logic unused;
  assign unused = &{1'b0, cfg};
endmodule
