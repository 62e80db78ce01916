"""The paper from rows: its experiments, claims, figures and report.

`Reproduction(QUICK, folder).run(phase)` plays what the paper plays, looks into games, checks the
paper's claims, draws its figures and writes a report.
"""
