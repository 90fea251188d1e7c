# Two commands do everything from a fresh clone: `make demo` and `make test`.
# `make check` is the quick loop between two edits: under two minutes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := pyproject.toml constraints.txt
PYTEST = $(BIN)/python -m pytest -n 2 --dist worksteal
# Constrains the build environment of our own package too, not only what is installed.
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: model demo check test lint types quick bench fuzz system-deps clean

demo: $(VENV)/.core
	$(BIN)/kgpath demo

# Side by side: what mypy leaves of the cores is for the tests.
check: $(VENV)/.all
	@$(MAKE) --no-print-directory --jobs 3 lint types quick

test: $(VENV)/.all lint types
	$(PYTEST) --durations=10

lint: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.all
	$(BIN)/mypy

# All but what trains, reads all of the real data, starts servers or builds the package.
quick: $(VENV)/.all
	$(PYTEST) -m "not slow"

# Ratios measured in one run; reads ../shared/data.
bench: $(VENV)/.all
	$(BIN)/python tests/bench/build.py
	$(BIN)/python tests/bench/look.py
	$(BIN)/python tests/bench/paths.py
	$(BIN)/python tests/bench/paths.py --large
	$(BIN)/python tests/bench/scaling.py
	$(BIN)/python tests/bench/dialogue.py
	$(BIN)/python tests/bench/live.py
	$(BIN)/python tests/bench/wikidata.py

# The model that ships with kgpath-general: the same bytes again, where the data is.
model: $(VENV)/.all
	$(BIN)/python -m kgpath.learning.general_model ../shared/data

# For an hour or so, see tests/fuzz/README.md: make fuzz SEED=7 INPUTS=50000
SEED ?= 1
INPUTS ?= 10000
fuzz: $(VENV)/.all
	$(BIN)/python tests/fuzz/run.py --inputs $(INPUTS) --seed $(SEED) --jobs 2
	$(BIN)/python tests/fuzz/kills.py --kills 50 --seed $(SEED)
	$(BIN)/python tests/fuzz/soak.py --rounds 200 --readers 3

# Virtuoso, for the tests of live endpoints: skipped by them where it is missing.
system-deps:
	@if command -v virtuoso-t >/dev/null && command -v isql-vt >/dev/null; then \
		echo "Virtuoso is installed."; \
	elif ! command -v apt-get >/dev/null; then \
		echo "No apt-get here: install Virtuoso by hand, or its tests are skipped."; \
	elif [ "$$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then \
		echo "No right to install Virtuoso, its tests are skipped: sudo make system-deps"; \
	else \
		export DEBIAN_FRONTEND=noninteractive; \
		run() { if [ "$$(id -u)" = 0 ]; then "$$@"; else sudo -n -E "$$@"; fi; }; \
		run apt-get -qq update; \
		run apt-get -qq install -y --no-install-recommends virtuoso-opensource-7 >/dev/null || \
			echo "Virtuoso could not be installed: its tests are skipped."; \
	fi

clean:
	rm -rf $(VENV) build *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Everything installed serves the demo as well: .all stands in for .core.
$(VENV)/.core: $(VENV)/bin/python $(LOCK)
	@test $(VENV)/.all -nt pyproject.toml -a $(VENV)/.all -nt constraints.txt || \
		$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/.all: $(VENV)/bin/python $(LOCK)
	$(BIN)/pip install --quiet --editable ".[dialogue,learn,neural,test]"
	@touch $@ $(VENV)/.core
