"""The engine: laws from logits, uniforms, cached models, the block loop, and the two public ways to run it."""

from specdemo.decoding.plain import speculative_decode
from specdemo.decoding.recorded import Decoding, decode, decode_run

__all__ = ["Decoding", "decode", "decode_run", "speculative_decode"]
