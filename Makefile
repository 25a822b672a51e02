# Every target first creates or updates the virtual environment .venv that it needs.
.PHONY: help serve tournament test test-all test-without-numba bench docs lint clean
.DEFAULT_GOAL := help

# The first Python found that is 3.11 or newer; `make PYTHON=/path/to/python …` overrides it.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
COMPILE = $(BIN)/literature hint examples/table.lit >/dev/null
SETUP_ERROR := "This needs Python 3.11 or newer, and none was found. Install one (python.org/downloads, or your system's package manager) and run make again; if it is not on the PATH: make PYTHON=/path/to/python3.11 …"

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/.made:
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo $(SETUP_ERROR) >&2; exit 2; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.base: pyproject.toml .venv/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[report]'
	@touch $@

.venv/.installed: .venv/.base
	@# Compile the counting kernels now, so that no later command waits for it.
	$(COMPILE)
	@touch $@

.venv/.installed-test: .venv/.base
	@# Meanwhile compile, and install the browser of the tests of pages, where it is missing.
	@sh tests/support/install_browser.sh & \
	$(COMPILE) & compiling=$$!; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[report,dask,docs,test,dev]'; \
	status=$$?; wait $$compiling || $(COMPILE); wait; exit $$status
	@touch .venv/.installed $@

.venv/.installed-web: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[report,web]'
	@touch $@

.venv/.installed-bench: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[report,bench]' || \
		echo "Not all peers could be installed here; their rows will say so." >&2
	@touch $@

serve: .venv/.installed-web ## play in a browser: serve the pages and open the first one
	$(BIN)/literature serve

tournament: .venv/.installed ## play a small tournament between three agents
	$(BIN)/literature tournament random certain greedy --pairs 20 --seed 1 --workers 2

test: .venv/.installed-test ## style, types, documentation and the fast tests (under 10 minutes)
	@$(MAKE) -j2 lint test-without-numba
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

test-without-numba: .venv/.installed-test
	@# The engines alone; queries that are too slow in plain Python are left out.
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -m "not slow" \
		tests/inference/test_cases.py tests/solver/test_counting.py \
		-k "not hint_command and not exact_arithmetic and not best_layouts \
		and not interchangeable and not ruled and not only"

test-all: lint ## all tests, including the slow ones
	$(BIN)/python -m pytest -n 2 --dist worksteal

bench: .venv/.installed-bench ## all speed benchmarks beside their yardsticks (some minutes)
	$(BIN)/python benchmarks/run.py

docs: .venv/.installed-test ## build the documentation into build/docs
	$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/docs

lint: .venv/.installed-test ## ruff and the strict type check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean: ## remove the virtual environment and all caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist docs/api *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
