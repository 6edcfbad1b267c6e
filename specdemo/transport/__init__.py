"""Couplings, their optimum and exact laws, on small alphabets."""

from specdemo.transport.exact import coupling, expected_accepted, output_law
from specdemo.transport.linear import optimal_coupling
from specdemo.transport.mass import accepted_mass, closed_form_accepted
from specdemo.transport.positions import PositionCoupling, position_coupling

__all__ = [
    "PositionCoupling",
    "accepted_mass",
    "closed_form_accepted",
    "coupling",
    "expected_accepted",
    "optimal_coupling",
    "output_law",
    "position_coupling",
]
