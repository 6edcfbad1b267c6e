"""Draft/target pairs: the registry, loading, and (in `training`) how the embedded pair was made."""

from specdemo.pairs.errors import CannotStepBack
from specdemo.pairs.loading import PairUnavailable, fetch_pair, load_pair
from specdemo.pairs.pair import Pair
from specdemo.pairs.vocabulary import TokenizersDiffer

__all__ = ["CannotStepBack", "Pair", "PairUnavailable", "TokenizersDiffer", "fetch_pair", "load_pair"]
