"""What the wiki costs: synthetic bundles of any size, a floor to compare with, and one table of figures."""
