// The memory port (TIMING.md "The memory port"): whose it is, and what it carries.
module mcu_bench;
  (* anyconst *) emcr_pkg::cfg_t  cfg;
  (* anyseq *) logic              rst;
  (* anyseq *) logic              ibu_request, ibu_we, exu_request, exu_idle, exu_en, exu_we, fmu_en, fmu_we, fmu_tag_we;
  (* anyseq *) emcr_pkg::addr_t   ibu_addr, exu_addr, fmu_addr;
  (* anyseq *) emcr_pkg::word_t   ibu_wdata, exu_wdata, fmu_wdata;
  (* anyseq *) logic [1:0]        fmu_wtag;
  logic            ibu_port, exu_port, fmu_port, mem_en, mem_we, mem_tag_we;
  emcr_pkg::addr_t mem_addr;
  emcr_pkg::word_t mem_wdata;
  logic [1:0]      mem_wtag;

  mcu unit (.*);

  always_comb begin
    // P: one unit has the port in each clock, never two, never none
    assert ({2'b0, ibu_port} + {2'b0, exu_port} + {2'b0, fmu_port} == 3'd1);
    // P: IBU and EXU have it only if they ask for it
    if (ibu_port) assert (ibu_request);
    if (exu_port) assert (exu_request);
    // P: the IBU comes first, unless it may not interrupt a block and the EXU, in one, asks [003 §4.2; TIMING]
    assert (ibu_port == (ibu_request && !(!cfg.spill_interrupts && exu_request && !exu_idle)));
    // P: the FMU has it only when nobody else asks [TIMING]
    assert (fmu_port == (!ibu_request && !exu_request));
    // P: address, data and enables are those of the unit that has it
    if (!rst && ibu_port) assert (mem_en && mem_we == ibu_we && mem_addr == ibu_addr && mem_wdata == ibu_wdata);
    if (!rst && exu_port) assert (mem_en == exu_en && mem_we == exu_we && mem_addr == exu_addr && mem_wdata == exu_wdata);
    if (!rst && fmu_port) assert (mem_en == fmu_en && mem_we == fmu_we && mem_addr == fmu_addr && mem_wdata == fmu_wdata);
    // P: only the FMU writes tags [MACHINE, Word tags]
    assert (!mem_tag_we || fmu_port && mem_en && fmu_tag_we && mem_wtag == fmu_wtag);
    if (!rst && fmu_port && fmu_en && fmu_tag_we) assert (mem_tag_we);
    // P: in reset nothing is read, written or tagged
    if (rst) assert (!mem_en && !mem_we && !mem_tag_we);
  end
endmodule
