"""The Sandbox: the block transport problem on alphabets small enough to see whole, as records that a page draws (docs/sandbox.md)."""
