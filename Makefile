# HexMarshal. `make` alone lists the targets; each one sets up what it needs in .venv.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
READY  := $(VENV)/.ready
COLLECTED := $(VENV)/.collected
# Tests run on all cores; `make test PYTEST_ARGS="-n0 -k sequence"` for one thing.
# Neighbours stay in one process, which shares what they build; who is done first takes from the others.
PYTEST_ARGS ?= -n auto --dist worksteal

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start many processes: what is compiled stays so, also where the environment says otherwise.
unexport PYTHONDONTWRITEBYTECODE

$(READY): pyproject.toml constraints.txt
	@if ! [ -x $(PY) ] || ! $(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	  rm -rf $(VENV); $(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else f"Python 3.11 or newer is needed, this is {v[0]}.{v[1]}: make PYTHON=python3.12")'; \
	  echo "Setting up $(VENV) ..."; $(PYTHON) -m venv $(VENV); fi
	@echo "Installing into $(VENV) ..."
	@$(PY) -m pip install --quiet --root-user-action=ignore -c constraints.txt -e '.[dev]'
	@touch $(READY)

.PHONY: help setup demo test checks compiled browser database lint typecheck imports proto proto-check unit bench serve clean wheel lock test-lowest

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## Make the virtual environment

demo: $(READY) ## The main job, end to end; ends by itself
	@$(PY) -m hexmarshal demo

test: checks unit ## Everything CI needs

checks: $(READY) ## All of it but the tests, two at a time
	@$(MAKE) --no-print-directory -j2 typecheck lint imports proto-check compiled

# Else every process that runs tests compiles the same files at the same time.
compiled: $(READY) $(COLLECTED)
	@$(PY) -m compileall -q converters geometry proto service modules

$(COLLECTED): $(READY) $(shell find tests -name '*.py')
	@$(PY) -m pytest --collect-only -qq -n0 >/dev/null || true  # what is wrong, `unit` tells
	@touch $(COLLECTED)

lint: $(READY) ## ruff: lint and format check
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

typecheck: $(READY) ## mypy --strict on our code
	@$(PY) -m mypy

imports: $(READY) ## Who may import whom
	@$(PY) -c 'from importlinter.cli import lint_imports_command as c; c()' --no-cache

proto: $(READY) ## Generate Python from proto/, and the client for threads
	@$(PY) proto/generate.py

proto-check: $(READY) ## Generated code must be as it is made; style and compatibility by buf
	@$(PY) proto/generate.py --check

unit: $(READY) ## pytest, in parallel; the slowest tests are listed
	@$(PY) -m pytest $(PYTEST_ARGS)

# Pages and the HTML report are tried in a real browser. A developer's machine has one, or the test says that it
# is skipped; a bare CI machine gets one.
ifdef CI
unit: browser database
endif

browser: ## Install Chromium for the tests of pages (Debian, as root)
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
	  echo "Installing chromium ..."; export DEBIAN_FRONTEND=noninteractive; \
	  timeout 600 bash -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium' >/dev/null 2>&1; } || \
	  echo "No browser could be installed: its tests will be skipped."

# As for the browser: matches in PostgreSQL are tried on a real server, each test with one of its own.
database: ## Install PostgreSQL for the tests of its store (Debian, as root)
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || { \
	  echo "Installing postgresql ..."; export DEBIAN_FRONTEND=noninteractive; \
	  timeout 600 bash -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends postgresql' >/dev/null 2>&1; } || \
	  echo "No PostgreSQL could be installed: its tests will be skipped."

bench: $(READY) ## Speed, as ratios within one run
	@$(PY) tests/bench/run.py

serve: $(READY) ## The rules service on loopback
	@$(PY) -m hexmarshal serve

wheel: $(READY) ## Build the wheel and try it in an empty environment
	@$(PY) tests/packaging/try_wheel.py

lock: $(READY) ## Renew constraints.txt
	@$(PY) -m pip install --quiet uv
	@$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-header --no-annotate --upgrade pyproject.toml -o constraints.txt

test-lowest: ## pytest with the oldest dependencies that pyproject.toml admits
	@rm -rf build/lowest && $(PYTHON) -m venv build/lowest
	@build/lowest/bin/python -m pip install --quiet uv
	@build/lowest/bin/python -m uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct -e '.[dev]'
	@build/lowest/bin/python -m pytest $(PYTEST_ARGS)

clean: ## Remove what the targets made
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
