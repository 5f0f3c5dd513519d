# Two commands on a fresh machine (Python 3.11 or later, make): `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock'

.PHONY: help demo demo-board demo-table serve phones test lint unit openapi fuzz audit audit-tools bench evaluate lock clean
.DEFAULT_GOAL := help

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.table: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[table]'
	@touch $@ $(VENV)/.run

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev,postgres,table]'
	@touch $@ $(VENV)/.run $(VENV)/.table

$(VENV)/.audit: pyproject.toml | $(VENV)/.dev
	$(PIP) '.[audit]'
	@touch $@

$(VENV)/.bench: pyproject.toml | $(VENV)/.dev
	$(PIP) '.[bench]'
	@touch $@

demo: $(VENV)/.run ## a whole game to 500, refereed over HTTP (RULESET=power-grab)
	$(BIN)/referee demo $(if $(RULESET),--ruleset $(RULESET)) $(ARGS)

demo-board: $(VENV)/.table ## a round with a sensor board: server, gateway and virtual board
	$(BIN)/referee demo --board $(if $(RULESET),--ruleset $(RULESET)) $(ARGS)

demo-table: $(VENV)/.table ## a game that the table plays by itself: rendered camera, virtual board, gateway, server
	$(BIN)/referee demo --table $(if $(RULESET),--ruleset $(RULESET)) $(ARGS)

serve: $(VENV)/.run ## the server, on http://127.0.0.1:8000
	$(BIN)/referee serve $(ARGS)

phones: $(VENV)/.run ## the server for the phones in this network
	$(BIN)/referee serve --host 0.0.0.0 $(ARGS)

test: lint unit ## everything

lint: $(VENV)/.dev ## format, lint, types, import rules, OpenAPI drift
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m referee.api.openapi --check

openapi: $(VENV)/.dev ## write openapi.yaml anew
	$(BIN)/python -m referee.api.openapi

# Without npm, or without a registry, the tests that need it skip by name.
$(VENV)/.node: examples/typescript/package-lock.json | $(BIN)/python
	-command -v npm >/dev/null && npm ci --prefix examples/typescript --no-audit --no-fund --silent
	@touch $@

unit: $(VENV)/.dev $(VENV)/.node ## the tests
	$(BIN)/pytest -n auto

fuzz: $(VENV)/.dev ## the whole API as everybody, for HOURS=1
	$(BIN)/python -m tests.contract.fuzz --hours $(or $(HOURS),1)

audit-tools: $(VENV)/.audit

audit: $(VENV)/.audit ## known faults of what the image installs, and of the Dockerfile
	$(BIN)/python -m tests.audit

bench: $(VENV)/.bench ## measurements, side by side in one run
	$(BIN)/python -m bench

# Labelled photos beside the project, if there are any; drawn ones otherwise.
PHOTOS ?= $(wildcard ../shared/cards)

evaluate: $(VENV)/.table ## how well cards are read, source by source (PHOTOS=folder DECK=ruleset)
	$(BIN)/python -m lab.measure.evaluate $(PHOTOS) $(if $(PHOTOS),--deck $(or $(DECK),classic-112)) --csv bench/out/evaluate.csv

lock: $(VENV)/.dev ## the pinned requirements of the image, anew
	$(PIP) uv
	$(LOCK) --extra postgres pyproject.toml -o requirements.txt
	$(LOCK) --all-extras pyproject.toml -o requirements-dev.txt
	echo 'hatchling>=1.27' | $(LOCK) - -o requirements-build.txt

clean: ## take away what was set up here
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
