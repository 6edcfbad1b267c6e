/** The papers that the glossary names, as they are cited in every language. */

export const PAPERS = {
  leviathan: { cited: "Leviathan, Kalman, Matias: Fast Inference from Transformers via Speculative Decoding. ICML 2023", arxiv: "2211.17192" },
  chen: { cited: "Chen et al.: Accelerating Large Language Model Decoding with Speculative Sampling. 2023", arxiv: "2302.01318" },
  sun: { cited: "Sun et al.: Block Verification Accelerates Speculative Decoding. ICLR 2025", arxiv: "2403.10444" },
  spectr: { cited: "Sun et al.: SpecTr: Fast Speculative Decoding via Optimal Transport. NeurIPS 2023", arxiv: "2310.15141" },
  stern: { cited: "Stern, Shazeer, Uszkoreit: Blockwise Parallel Decoding for Deep Autoregressive Models. NeurIPS 2018", arxiv: "1811.03115" },
  medusa: { cited: "Cai et al.: Medusa: Simple LLM Inference Acceleration Framework with Multiple Decoding Heads. ICML 2024", arxiv: "2401.10774" },
  fan: { cited: "Fan, Lewis, Dauphin: Hierarchical Neural Story Generation. ACL 2018", arxiv: "1805.04833" },
  holtzman: { cited: "Holtzman et al.: The Curious Case of Neural Text Degeneration. ICLR 2020", arxiv: "1904.09751" },
  villani: { cited: "Villani: Optimal Transport, Old and New. Springer 2009", arxiv: null },
};
