"""The JSON Schema of small.json and large.json."""

from __future__ import annotations

from typing import Any

from specdemo.auditor.vectors.exact_rules import rules
from specdemo.auditor.vectors.record import SCHEMA, VERSION
from specdemo.auditor.vectors.tags import MEANING

FRACTION = {"type": "string", "pattern": "^[0-9]+(/[1-9][0-9]*)?$"}
COUNT = {"type": "integer", "minimum": 0}
UNIT = {"type": "number", "minimum": 0, "maximum": 1}
NAMES = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
FRACTIONS = {"type": "array", "items": {"$ref": "#/$defs/fraction"}}
LAWS = {"type": "array", "items": {"type": "array", "items": {"$ref": "#/$defs/fraction"}, "minItems": 2}}
MEMORY = {
    "type": ["array", "null"],
    "items": {
        "type": "array", "prefixItems": [{"$ref": "#/$defs/fraction"}, {"type": "integer", "minimum": 1}],
        "minItems": 2, "maxItems": 2,
    },
}  # fmt: skip


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a file of vectors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Conformance vectors of verifiers for speculative decoding",
        "type": "object",
        "required": ["schema", "version", "vectors"],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": SCHEMA},
            "version": {"const": VERSION},
            "vectors": {"type": "array", "items": {"$ref": "#/$defs/vector"}},
        },
        "$defs": {"fraction": FRACTION, "vector": _vector(), "expected": _expected()},
    }


def _vector() -> dict[str, Any]:
    properties: dict[str, Any] = {
        "name": {"type": "string"},
        "rule": {"enum": list(rules())},
        "gamma": COUNT,
        "vocab_size": {"type": "integer", "minimum": 2},
        "tokens": {"type": "array", "items": COUNT},
        "uniforms": {**FRACTIONS, "minItems": 1},
        "draft": LAWS,
        "target": {**LAWS, "minItems": 1},
        "recipe": _object({"seed": COUNT}),
        "memory": MEMORY,
        "expected": {"$ref": "#/$defs/expected"},
        "margin": UNIT,
        "condition": UNIT,
        "tags": {**NAMES, "items": {"enum": list(MEANING)}},
        "kills": NAMES,
        "kills_in_numbers": NAMES,
        "about": {"type": "string"},
    }
    either = [{"required": ["recipe"]}, {"required": ["draft", "target"]}]
    return _object(properties, frozenset({"recipe", "draft", "target", "memory", "about"})) | {"oneOf": either}


def _expected() -> dict[str, Any]:
    properties: dict[str, Any] = {
        "accepted": COUNT,
        "next_token": COUNT,
        "accept_prob": FRACTIONS,
        "prefix_weight": {**FRACTIONS, "minItems": 1},
        "next_law": FRACTIONS,
        "next_law_at": {
            "type": "object",
            "patternProperties": {"^[0-9]+$": {"$ref": "#/$defs/fraction"}},
            "additionalProperties": False,
        },
        "memory": MEMORY,
    }
    either = [{"required": ["next_law_at"]}, {"required": ["next_law"]}]
    return _object(properties, frozenset({"next_law", "next_law_at", "memory"})) | {"oneOf": either}


def _object(properties: dict[str, Any], optional: frozenset[str] = frozenset()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}
