// One PE of the EM-4: the chip EMC-R (MACHINE.md; paper, figure 2).
//
//   links ->+----+                +-----+    +-----+    +-----+
//           | SU |-> port ------->| IBU |--->| FMU |--->| EXU |---> port -> SU
//   links <-+----+   (intake)     +-----+    +-----+    +-----+
//                                    |          |          |
//                                    +---- MCU: memory ----+
module pe #(
    parameter int FIFO_MAX = 64
) (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    output logic [1:0]       tx_valid,
    output logic [1:0]       tx_bank0, tx_bank1,
    output logic [38:0]      tx_word0, tx_word1,
    input  logic [2:0]       fill_ok0, fill_ok1,
    input  logic [1:0]       rx_valid,
    input  logic [1:0]       rx_bank0, rx_bank1,
    input  logic [38:0]      rx_word0, rx_word1,
    output logic [2:0]       rx_fill_ok0, rx_fill_ok1,
    input  logic             host_in_valid,
    input  logic [77:0]      host_in_word0,
    output logic             host_in_taken,
    output logic             host_out_valid,
    output logic [38:0]      host_out_word,
    output logic             mem_en, mem_we, mem_tag_we,
    output logic [17:0]      mem_addr,
    output logic [38:0]      mem_wdata,
    output logic [1:0]       mem_wtag,
    input  logic [38:0]      mem_rdata,
    input  logic [1:0]       mem_rtag,
    output logic             seg_en, seg_we,
    output logic [12:0]      seg_index,
    output logic [7:0]       seg_wdata,
    input  logic [7:0]       seg_rdata,
    output logic             str_en, str_op,
    output logic [31:0]      str_arg,
    input  logic             str_ok,
    input  logic [17:0]      str_result,
    input  logic [15:0]      str_free,
    input  logic             boot,
    input  logic [17:0]      boot_pc,
    output logic [2:0]       fault,
    output logic [37*64-1:0] probe
);
  // ---- SU and port ----

  logic            offered, offer_granted, to_intake;
  emcr_pkg::word_t offered_word, port_data, own_word;
  logic            put, room, intake_free, intake_full, consume;
  emcr_pkg::word_t put_word, intake_address, intake_data;
  logic [3:0]      load_value;

  su su_i (
      .clk, .rst, .cfg,
      .rx_valid, .rx_bank0, .rx_bank1, .rx_word0, .rx_word1, .rx_fill_ok0, .rx_fill_ok1,
      .tx_valid, .tx_bank0, .tx_bank1, .tx_word0, .tx_word1, .fill_ok0, .fill_ok1,
      .offered, .offered_word, .port_data, .offer_granted,
      .intake_free, .to_intake, .to_host(host_out_valid), .own_word,
      .load(load_value), .probe(probe[0 +: 13*64])
  );
  assign host_out_word = own_word;

  port port_i (
      .clk, .rst, .cfg,
      .put, .put_word, .room,
      .host_in_valid, .host_in_word(host_in_word0), .host_in_taken,
      .offered, .offered_word, .port_data, .offer_granted,
      .to_intake, .own_word,
      .intake_free, .intake_full, .intake_address, .intake_data, .consume,
      .probe(probe[64*13 +: 4*64])
  );

  // ---- IBU ----

  logic            head_valid, pop, fill, ibu_request, ibu_port, ibu_we, overflow;
  emcr_pkg::word_t head_address, head_data, ibu_wdata;
  emcr_pkg::addr_t ibu_addr;
  logic [7:0]      fifo_count;
  logic [16:0]     mib_count;

  ibu #(.FIFO_MAX(FIFO_MAX)) ibu_i (
      .clk, .rst, .cfg,
      .intake_full, .intake_address, .intake_data, .consume, .fill,
      .head_valid, .head_address, .head_data, .pop,
      .request(ibu_request), .port(ibu_port), .mem_we(ibu_we), .mem_addr(ibu_addr), .mem_wdata(ibu_wdata),
      .mem_rdata, .fifo_count, .mib_count, .overflow, .probe(probe[64*17 +: 3*64])
  );

  // ---- FMU ----

  logic            fmu_port, fmu_en, fmu_we, fmu_tag_we, fmu_active, fmu_idle, fmu_fault;
  emcr_pkg::addr_t fmu_addr;
  emcr_pkg::word_t fmu_wdata;
  logic [1:0]      fmu_wtag;
  logic            node_valid, node_taken;
  emcr_pkg::addr_t node_code;
  emcr_pkg::data_t node_left, node_right, node_fp;
  logic [2:0]      fmu_seg_op;
  emcr_pkg::addr_t fmu_seg_addr;
  logic            fmu_seg_ok;

  fmu fmu_i (
      .clk, .rst, .cfg,
      .head_valid, .head_address, .head_data, .pop,
      .port(fmu_port), .mem_en(fmu_en), .mem_we(fmu_we), .mem_tag_we(fmu_tag_we), .mem_addr(fmu_addr),
      .mem_wdata(fmu_wdata), .mem_wtag(fmu_wtag), .mem_rdata, .mem_rtag,
      .seg_op(fmu_seg_op), .seg_addr(fmu_seg_addr), .seg_ok(fmu_seg_ok),
      .node_valid, .node_code, .node_left, .node_right, .node_fp, .node_taken,
      .boot, .boot_pc, .active(fmu_active), .idle(fmu_idle), .fault(fmu_fault), .probe(probe[64*20 +: 4*64])
  );

  // ---- EXU, operand segments, prefetch register ----

  logic            exu_request, exu_idle, exu_port, exu_en, exu_we, exu_active, network_wait;
  emcr_pkg::addr_t exu_addr;
  emcr_pkg::word_t exu_wdata;
  logic [2:0]      exu_seg_op, exu_seg_fault, exu_fault;
  emcr_pkg::addr_t exu_seg_addr, seg_base, seg_released;
  logic [12:0]     segs_free;
  logic            prefetch_read, prefetch_write;
  emcr_pkg::data_t prefetch_wdata, prefetch_rdata;

  exu exu_i (
      .clk, .rst, .cfg,
      .node_valid, .node_code, .node_left, .node_right, .node_fp, .node_taken,
      .request(exu_request), .idle(exu_idle), .port(exu_port), .mem_en(exu_en), .mem_we(exu_we),
      .mem_addr(exu_addr), .mem_wdata(exu_wdata), .mem_rdata, .mem_rtag,
      .room, .put, .put_word, .granted(offer_granted),
      .seg_op(exu_seg_op), .seg_addr(exu_seg_addr), .seg_base, .seg_released, .seg_fault(exu_seg_fault),
      .segs_free,
      .str_en, .str_op, .str_arg, .str_ok, .str_result, .str_free,
      .prefetch_read, .prefetch_write, .prefetch_wdata, .prefetch_rdata,
      .load(load_value), .active(exu_active), .network_wait, .fault(exu_fault), .probe(probe[64*24 +: 9*64])
  );

  segment segment_i (
      .clk, .rst, .cfg,
      .fmu_op(fmu_seg_op), .fmu_addr(fmu_seg_addr), .fmu_ok(fmu_seg_ok),
      .exu_op(exu_seg_op), .exu_addr(exu_seg_addr), .get_base(seg_base), .released(seg_released),
      .link(mem_rdata[17:0]), .exu_fault(exu_seg_fault), .segs_free,
      .seg_en, .seg_we, .seg_index, .seg_wdata, .seg_rdata, .probe(probe[64*33 +: 64])
  );

  prefetch prefetch_i (
      .clk, .rst, .read(prefetch_read), .write(prefetch_write), .wdata(prefetch_wdata),
      .fill, .fdata(intake_data[31:0]), .rdata(prefetch_rdata), .probe(probe[64*34 +: 64])
  );

  // ---- MCU ----

  mcu mcu_i (
      .cfg, .rst,
      .ibu_request, .ibu_port, .ibu_we, .ibu_addr, .ibu_wdata,
      .exu_request, .exu_idle, .exu_port, .exu_en, .exu_we, .exu_addr, .exu_wdata,
      .fmu_port, .fmu_en, .fmu_we, .fmu_tag_we, .fmu_addr, .fmu_wdata, .fmu_wtag,
      .mem_en, .mem_we, .mem_tag_we, .mem_addr, .mem_wdata, .mem_wtag
  );

  // ---- Load, activity, fault ----

  logic executing;
  assign executing = cfg.load_counts_execution && !(fmu_idle && exu_idle);

  load load_i (.segs_free, .strs_free(str_free), .fifo_count, .mib_count, .executing, .value(load_value));

  // TIMING.md "The activity of a clock".
  localparam logic [1:0] EXU_FMU = 2'd0, IBU_ONLY = 2'd1, NETWORK_WAIT = 2'd2, IDLE = 2'd3;
  logic [1:0] activity_q;
  logic [2:0] fault_q;

  always_ff @(posedge clk) begin
    if      (fmu_active || exu_active) activity_q <= EXU_FMU;
    else if (ibu_port)                 activity_q <= IBU_ONLY;
    else if (network_wait)             activity_q <= NETWORK_WAIT;
    else                               activity_q <= IDLE;
    // The first fault stays; of one clock that of the FMU comes first, then the EXU's, then the IBU's.
    if (fault_q == emcr_pkg::FAULT_NONE) begin
      if      (fmu_fault)                          fault_q <= emcr_pkg::FAULT_PROGRAM;
      else if (exu_fault != emcr_pkg::FAULT_NONE)  fault_q <= exu_fault;
      else if (overflow)                           fault_q <= emcr_pkg::FAULT_MIB;
    end
    if (rst) begin
      activity_q <= IDLE;
      fault_q    <= emcr_pkg::FAULT_NONE;
    end
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (ibu_port + exu_port + fmu_port == 2'd1);                       // one unit has the memory port
    assert (exu_seg_op == emcr_pkg::SEG_NONE || exu_port);                 // who asks for a segment's status has it
    assert (fmu_seg_op == emcr_pkg::SEG_NONE || fmu_port);
    assert (!(offer_granted && put));                                      // a packet leaves before the next one comes
    assert (!node_taken || exu_port && exu_idle);
    assert (!consume || intake_full);
  end

  assign fault             = fault_q;
  assign probe[64*35 +: 64] = {44'd0, str_free, load_value};
  assign probe[64*36 +: 64] = {59'd0, fault_q, activity_q};
endmodule
