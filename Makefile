# Each target sets up what it needs; a machine with Python 3.11, pip and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := env,train,figures,web,ray,dev
# Nothing is compiled when it is installed, only what is imported. Where Python is told not to keep
# that, every process would compile torch and the rest anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: reproduce play test check quick compiled bench hostile clean

# Kernels are compiled beside the checks, once for all test processes.
test: $(VENV)/.ready
	$(MAKE) --no-print-directory -j 2 check compiled
	$(BIN)/python -m pytest -n 2 --dist loadgroup --durations 10

# The inner loop: what an edit breaks first.
quick: $(VENV)/.ready
	$(BIN)/python -m pytest -m quick -n 2 --dist loadgroup

compiled: compiled-solvers compiled-engine compiled-orders
compiled-%: $(VENV)/.ready
	$(BIN)/python tests/kernels.py $*

check: $(VENV)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini
	$(BIN)/python tests/web/check_page.py

# The paper's figures, tables and claims, in a few minutes; HOW=--full for 1,000 games a point.
HOW ?= --quick
reproduce: $(VENV)/.ready
	$(BIN)/pinchpoint reproduce $(HOW) --out reproduction

play: $(VENV)/.ready
	$(BIN)/pinchpoint serve --open

# The long fuzzers of files, and whatever else is too long for the ordinary tests of hostile input.
hostile: $(VENV)/.ready
	$(BIN)/python -m pytest -m full -s tests/hostile

bench: $(VENV)/.ready
	$(BIN)/python benchmarks/engine.py

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt -e ".[$(EXTRAS)]"
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
