"""A page about a model and a table: one HTML file with everything inside, by numpy and pyarrow alone."""

from dtf._report.page import make_report, write_report

__all__ = ["make_report", "write_report"]
