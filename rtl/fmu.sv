// FMU, the fetch and matching unit: finds the partner of an operand by direct matching, and the node's code
// (TIMING.md "The FMU"; paper, section 2).
module fmu (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    // IBU: the oldest packet
    input  logic             head_valid,
    input  emcr_pkg::word_t  head_address,
    input  emcr_pkg::word_t  head_data,
    output logic             pop,
    // memory
    input  logic             port,
    output logic             mem_en, mem_we, mem_tag_we,
    output emcr_pkg::addr_t  mem_addr,
    output emcr_pkg::word_t  mem_wdata,
    output logic [1:0]       mem_wtag,
    input  emcr_pkg::word_t  mem_rdata,
    input  logic [1:0]       mem_rtag,
    // status of the packet's operand segment
    output logic [2:0]       seg_op,
    output emcr_pkg::addr_t  seg_addr,
    input  logic             seg_ok,      // the address is a node's word of a segment in use
    // EXU: the node
    output logic             node_valid,
    output emcr_pkg::addr_t  node_code,
    output emcr_pkg::data_t  node_left, node_right, node_fp,
    input  logic             node_taken,
    // loader
    input  logic             boot,
    input  emcr_pkg::addr_t  boot_pc,
    output logic             active,      // it does one of its steps
    output logic             idle,        // it holds no packet
    output logic             fault,
    output logic [4*64-1:0]  probe
);
  typedef enum logic [2:0] { IDLE, WRITE, TEMPLATE, READY, READ } state_t;

  state_t             state_q, state_d;
  emcr_pkg::address_t packet_q;             // in matching
  emcr_pkg::addr_t    code_q;
  emcr_pkg::data_t    left_q, right_q, fp_q;

  // The packet of this clock: in idle the one that may be taken.
  emcr_pkg::address_t packet;
  emcr_pkg::data_t    payload;
  assign packet  = state_q == IDLE ? head_address : packet_q;
  assign payload = state_q == IDLE ? head_data[31:0] : left_q;

  // Its operand segment: word 0 names the template, and the displacement leads to the node in both.
  emcr_pkg::addr_t displacement, segment;
  assign displacement = packet.addr & ~(18'h3ffff << cfg.segment_shift);
  assign segment      = packet.addr & (18'h3ffff << cfg.segment_shift);

  // ---- The step ----

  logic takes, one, looks, waits, partner, fetches;
  assign takes   = state_q == IDLE && head_valid && (port || packet.direct);
  assign one     = packet.match == emcr_pkg::MATCH_ONE;
  // The matching word is read: in the clock in which the packet is taken, or after an access to word 0.
  assign looks   = takes && !one && !packet.direct && !cfg.match_three || state_q == READ && port;
  // The tag of a waiting operand is its matching condition.
  assign waits   = mem_rtag == emcr_pkg::MATCH_LEFT || mem_rtag == emcr_pkg::MATCH_RIGHT;
  assign partner = waits && mem_rtag != packet.match;
  // Word 0 is read: for one operand at once, for two when both are there.
  assign fetches = takes && one && !packet.direct || state_q == TEMPLATE && port;

  assign idle   = state_q == IDLE;
  assign active = takes || port && (state_q == WRITE || state_q == TEMPLATE || state_q == READ);
  assign pop    = takes;

  always_comb begin
    case (state_q)
      IDLE: begin
        if (packet.direct) seg_op = emcr_pkg::SEG_NONE;
        else               seg_op = takes ? emcr_pkg::SEG_TAKE : emcr_pkg::SEG_NONE;
      end
      READ:     seg_op = port ? emcr_pkg::SEG_TAKE : emcr_pkg::SEG_NONE;
      WRITE:    seg_op = port ? emcr_pkg::SEG_WAIT : emcr_pkg::SEG_NONE;
      TEMPLATE: seg_op = port ? emcr_pkg::SEG_MATCHED : emcr_pkg::SEG_NONE;
      default:  seg_op = emcr_pkg::SEG_NONE;
    endcase
  end
  assign seg_addr = packet.addr;

  assign fault = takes && !packet.direct && !seg_ok || looks && (!seg_ok || waits && !partner)
              || state_q == WRITE && port && !seg_ok;

  always_comb begin
    state_d = state_q;
    if (!fault)
      case (state_q)
        IDLE:     if (takes) state_d = one || packet.direct ? READY : !looks ? READ : partner ? TEMPLATE : WRITE;
        READ:     if (port) state_d = partner ? TEMPLATE : WRITE;
        WRITE:    if (port) state_d = IDLE;
        TEMPLATE: if (port) state_d = READY;
        default:  if (node_taken) state_d = IDLE;
      endcase
  end

  // ---- Memory ----

  assign mem_en     = state_q == IDLE ? head_valid && !packet.direct : state_q != READY;
  assign mem_addr   = one || state_q == TEMPLATE || state_q == IDLE && cfg.match_three ? segment : packet.addr;
  assign mem_we     = state_q == WRITE && !fault;
  assign mem_wdata  = {7'd0, payload};
  // The access that finds the partner clears its tag; an operand that begins to wait sets it.
  assign mem_tag_we = (state_q == WRITE || looks && partner) && !fault;
  assign mem_wtag   = state_q == WRITE ? packet.match : emcr_pkg::TAG_NONE;

  // ---- Registers ----

  always_ff @(posedge clk) begin
    state_q <= state_d;
    if (takes) packet_q <= packet;
    if (takes || looks) begin
      if (!looks || !partner) begin
        left_q  <= payload;
        right_q <= 32'd0;
      end else if (packet.match == emcr_pkg::MATCH_LEFT) begin
        left_q  <= payload;
        right_q <= mem_rdata[31:0];
      end else begin
        left_q  <= mem_rdata[31:0];
        right_q <= payload;
      end
    end
    if (takes && packet.direct) begin
      code_q <= packet.addr;
      fp_q   <= emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, 18'd0);
    end else if (fetches) begin
      code_q <= mem_rdata[17:0] + displacement;
      fp_q   <= emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, segment);
    end
    if (rst) state_q <= IDLE;
    if (boot) begin
      state_q <= READY;
      code_q  <= boot_pc;
      left_q  <= 32'd0;
      right_q <= 32'd0;
      fp_q    <= emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, 18'd0);
    end
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (state_q <= READ);
    assert (!pop || head_valid && state_q == IDLE);
    assert (!(mem_we && mem_en) || mem_tag_we);  // an operand that waits is written with its side
  end

  assign node_valid = state_q == READY;
  assign node_code  = code_q;
  assign node_left  = left_q;
  assign node_right = right_q;
  assign node_fp    = fp_q;

  assign probe = {32'd0, node_valid ? fp_q : 32'd0,
                  state_q != IDLE ? {right_q, left_q} : 64'd0,
                  25'd0, state_q != IDLE && state_q != READY ? packet_q : 39'd0,
                  43'd0, node_valid ? code_q : 18'd0, state_q};

  logic unused;
  assign unused = &{1'b0, cfg, head_data, mem_rdata};
endmodule
