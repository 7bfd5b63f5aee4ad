# A fresh clone needs python3 (3.11 or newer) and make; the targets install the rest into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PYTEST_ARGS ?= -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help demo test test-long fuzz soak lint docs site release bench bench-peers clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 13

demo: $(RUNTIME) ## Try Quaid with a temporary memory
	@PATH="$(CURDIR)/$(BIN):$$PATH" tools/demo.sh

test: $(DEV) ## Run the tests (PYTEST_ARGS="tests/store -x" chooses)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# On the disk, which the other tests avoid: it gives the number of a removed file to the next one.
test-long: $(DEV) ## Run the long form of tests: hundreds of kills, thousands of inputs
	TMPDIR=$${TMPDIR:-/tmp} $(BIN)/python -m pytest -m "long or hypothesis" --hypothesis-profile=long $(PYTEST_ARGS)

SECONDS_OF_FUZZ ?= 600
fuzz: $(DEV) ## Look for inputs that break parsers, guided by coverage; what is found is replayed by `make test`
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris -c constraints.txt
	$(BIN)/python -m tests.fuzz.search $(SECONDS_OF_FUZZ)

MINUTES ?= 30
soak: $(DEV) ## Writers, readers, watcher, editor, sync, kills, clock jumps and full disks for MINUTES=30; a report
	$(BIN)/python bench/soak.py --minutes $(MINUTES)

lint: $(DEV) ## Check format, rules, types, layers, sizes and what is generated
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_sizes.py
	$(BIN)/python tools/docs.py --check
	$(BIN)/python tools/plugin.py --check
	$(BIN)/python tools/diagrams.py --check
	$(BIN)/python tools/stubs.py --check

docs: $(DEV) ## Rewrite what is generated: parts of the documentation, the plugin, types of the library
	$(BIN)/python tools/docs.py
	$(BIN)/python tools/plugin.py
	$(BIN)/python tools/stubs.py

site: $(DEV) ## Build the documentation as a site, in build/site
	$(BIN)/zensical build --strict
	@echo "Open build/site/index.html"

release: $(DEV) ## Make wheel, source, an archive for machines without a network, and their sums, in dist
	$(BIN)/python tools/release.py

bench: $(DEV) ## Measure start-up, scale, folders and search (bench/quality.py and bench/bulk.py want data: see docs/benchmarks.md)
	@set -e; for name in startup scale vault knowledge search_speed mcp server notebook hooks conversations routing kb emacs dashboard; do echo "== $$name"; $(BIN)/python "bench/$$name.py"; done

PEERS ?= build/peers
bench-peers: $(DEV) ## Measure programs for the same purpose beside Quaid (DATA=…; PEERS=… keeps their environments)
	$(BIN)/python bench/peers.py $(or $(DATA),$(error name the folder of data: make bench-peers DATA=…)) --cache $(PEERS) $(PEERS_ARGS)

clean: ## Remove the environment and all caches
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .cache
	find src tests tools -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or \
		sys.exit("Quaid needs Python 3.11 or newer, not " + sys.version.split()[0] + "; choose one: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

# The stamps are as new as the last install. What `test` needs includes what `demo` needs.
$(RUNTIME): pyproject.toml constraints.txt | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e . -c constraints.txt
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c constraints.txt
	@touch $(RUNTIME) $@
