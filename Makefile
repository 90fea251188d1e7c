# Two commands do everything from a fresh clone: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := pyproject.toml constraints.txt
# Constrains the build environment of our own package too, not only what is installed.
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test lint bench system-deps clean

demo: $(VENV)/.core
	$(BIN)/kgpath demo

test: $(VENV)/.all lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Ratios measured in one run; reads ../shared/data.
bench: $(VENV)/.all
	$(BIN)/python tests/bench/build.py
	$(BIN)/python tests/bench/look.py
	$(BIN)/python tests/bench/paths.py
	$(BIN)/python tests/bench/paths.py --large
	$(BIN)/python tests/bench/scaling.py
	$(BIN)/python tests/bench/dialogue.py

# What needs a system package is skipped by the tests where it is missing.
system-deps:
	@echo "No system packages are needed yet."

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
	$(BIN)/pip install --quiet --editable ".[dialogue,learn,neural,serve,spark,test]"
	@touch $@ $(VENV)/.core
