# Each target sets up what it needs; a machine with Python 3.11, pip and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := env,train,figures,web,ray,dev

.PHONY: reproduce play test check bench clean

test: check
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The paper's figures, tables and claims, in a few minutes; HOW=--full for 1,000 games a point.
HOW ?= --quick
reproduce: $(VENV)/.ready
	$(BIN)/chokepoint reproduce $(HOW) --out reproduction

play: $(VENV)/.ready
	$(BIN)/chokepoint serve --open

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/engine.py

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt torch==2.13.0
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[$(EXTRAS)]"
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
