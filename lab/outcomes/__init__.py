"""Fits and checks the scorer of what happened at the pile: ``python -m lab.outcomes``.

``cases`` gathers evidence with its truth from films, ``regression`` fits the weights to it, and
``reliability`` compares probabilities with how often they were right.
"""
