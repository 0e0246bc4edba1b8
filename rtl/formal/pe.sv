// One PE with all its units (MACHINE.md "The units of a PE"), for anything that comes in. What each unit does is in its own bench; here
// stands what holds between them, most of it as assertions in pe.sv.
module pe_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyseq *) logic [2:0]       fill_ok0, fill_ok1;
  (* anyseq *) logic [1:0]       rx_valid, rx_bank0, rx_bank1;
  (* anyseq *) logic [38:0]      rx_word0, rx_word1, mem_rdata;
  (* anyseq *) logic             host_in_valid, str_ok;
  (* anyseq *) logic [77:0]      host_in_word0;
  (* anyseq *) logic [1:0]       mem_rtag;
  (* anyseq *) logic [7:0]       seg_rdata;
  (* anyseq *) logic [17:0]      str_result;
  (* anyseq *) logic [15:0]      str_free;

  logic             rst, boot, host_in_taken, host_out_valid, mem_en, mem_we, mem_tag_we, seg_en, seg_we, str_en, str_op;
  logic [1:0]       tx_valid, tx_bank0, tx_bank1, mem_wtag;
  logic [38:0]      tx_word0, tx_word1, host_out_word, mem_wdata;
  logic [2:0]       rx_fill_ok0, rx_fill_ok1, fault;
  logic [17:0]      mem_addr, boot_pc;
  logic [12:0]      seg_index;
  logic [7:0]       seg_wdata;
  logic [31:0]      str_arg;
  logic [37*64-1:0] probe;

  pe #(.FIFO_MAX(2)) unit (.*);

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst     = !begun_q;
  assign boot    = 1'b0;
  assign boot_pc = 18'd0;

  // What the units say of a clock; Yosys connects what has their names.
  (* hierconn *) logic       \unit.fmu_fault , \unit.overflow , \unit.fmu_active , \unit.exu_active , \unit.ibu_port , \unit.network_wait ;
  (* hierconn *) logic       \unit.fmu_idle , \unit.exu_idle , \unit.executing ;
  (* hierconn *) logic [2:0] \unit.exu_fault ;

  logic [2:0] fault_q, next_fault_q;
  logic [1:0] activity_q;
  always_ff @(posedge clk) begin
    fault_q      <= begun_q ? fault : 3'd0;
    next_fault_q <= !begun_q ? 3'd0 : \unit.fmu_fault ? emcr_pkg::FAULT_PROGRAM : \unit.exu_fault != 0 ? \unit.exu_fault : \unit.overflow ? emcr_pkg::FAULT_MIB : 3'd0;
    activity_q   <= !begun_q ? 2'd3 : \unit.fmu_active || \unit.exu_active ? 2'd0 : \unit.ibu_port ? 2'd1 : \unit.network_wait ? 2'd2 : 2'd3;
  end

  always_comb if (begun_q) begin
    // P: one unit has the memory port in each clock, and no other touches memory or the status of a segment (pe.sv) [TIMING, The memory port]
    if (mem_we || mem_tag_we) assert (mem_en);
    // P: a node is taken by an idle EXU with the port, a packet by an IBU to which one has come (pe.sv)
    // P: a packet leaves the port register before the next one is put there (pe.sv) [MACHINE, The pins between SU and PE]
    // P: the first fault stays [MACHINE, Faults]
    if (fault_q != 0) assert (fault == fault_q);
    // P: of one clock's faults that of the FMU is told, before the EXU's, before the IBU's; without one there is none [MACHINE, Faults]
    if (fault_q == 0) assert (fault == next_fault_q);
    // P: a clock counts as exu_fmu, ibu_only, network_wait or idle: the first that applies [TIMING, The activity of a clock]
    assert (probe[64*36 +: 2] == activity_q);
    // P: the load of a PE that executes is told where the strap asks for it, while FMU or EXU is not idle [MACHINE, The load value]
    assert (\unit.executing == (cfg.load_counts_execution && (!\unit.fmu_idle || !\unit.exu_idle )));
  end
endmodule
