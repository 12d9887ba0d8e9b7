# Every target sets up what it needs by itself: nothing but Python 3.11 or newer has to be there.
.DEFAULT_GOAL := help
PYTHON ?= python3
WORKERS ?= 3
BIN := .venv/bin
READY := .venv/.ready
TESTED := .venv/.ready-to-test
WORKSHOP := web/node_modules/.ready
NODE := $(BIN)/python web/node.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
SHELL := /bin/bash
# Everything starts sooner with its bytecode kept, and the tests start some hundred processes.
export PYTHONDONTWRITEBYTECODE :=

play: $(READY)  ## Start a local server and open the games in your browser
	@$(BIN)/dracotheque play $(ARGS)

terminal: $(READY)  ## Play in the terminal, against bots or friends (GAME=emerald, ARGS="--help" for more)
	@$(BIN)/dracotheque terminal $(GAME) $(ARGS)

test: $(TESTED) lint page-test  ## Run every test: lint, types, unit, property, whole games, server, browser (WORKERS=3 processes at once: some wait)
	@$(BIN)/dracotheque compile
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --durations=25

lint: $(TESTED)  ## Check style, types and which package imports which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/basedpyright

page-test: $(WORKSHOP)  ## Check the types of the page's scripts and run their unit tests (a part of make test)
	$(NODE) node node_modules/typescript/bin/tsc -p .
	$(NODE) node node_modules/vitest/vitest.mjs run

bench: $(READY)  ## Measure speed beside OpenSpiel, python-chess and Pgx; writes benchmarks/results.md
	$(BIN)/python benchmarks/run.py $(ARGS)

page-bench: $(TESTED)  ## Measure how soon the page can be played and how smoothly pieces move; writes benchmarks/results-page.md
	$(BIN)/python benchmarks/page.py $(ARGS)

look: $(TESTED)  ## Take pictures of every page, board and question into build/look, to judge by eye (ARGS="--quick", ARGS=--help for more)
	$(BIN)/python tools/look.py $(ARGS)

load: $(READY)  ## Measure the server under load beside boardgame.io; writes benchmarks/results-load.md (about ten minutes)
	PYTHONPATH=benchmarks $(BIN)/python benchmarks/load/run.py $(ARGS)

check-equal: $(READY)  ## Check that compiled and interpreted rules agree in 20,000 games of every option set (over an hour on 2 cores)
	$(BIN)/python -m dracotheque.simulation.equivalence --games 20000 $(ARGS)

mutants: $(READY)  ## Break the rules in every small way and see that a test notices (some hours on 2 cores)
	@$(BIN)/python -c "import cosmic_ray" 2>/dev/null || $(PIP) ".[mutants]"
	$(BIN)/python tests/mutation/run.py $(ARGS)

ptx: $(READY)  ## Compile the rules for NVIDIA cards, for machines without numba-cuda (see docs/how-to/use-a-gpu.md)
	@$(BIN)/python -c "import numba_cuda" 2>/dev/null || $(PIP) ".[cuda]"
	$(BIN)/python -m dracotheque.training.devices $(ARGS)
	$(BIN)/python -m research.training.train_cave --ptx

types: $(READY)  ## Write the TypeScript types of all messages (src/dracotheque/server/page/protocol.d.ts)
	$(BIN)/python -m dracotheque.server.openapi $(ARGS)

# --- Research: studies and proofs, not in the wheel ---------------------------------------------------------------
research-test: $(TESTED)  ## Run the tests of research (not a part of make test; some minutes on 2 cores)
	@$(BIN)/dracotheque compile
	$(BIN)/python -m pytest research/tests -n $(WORKERS) --dist loadgroup --durations=25

study: $(READY)  ## Choose the coins of Dragon's Cave again by playing, GAME=gran for its map, GAME=save-the-dragon for the rock, GAME=solved for its perfect play, GAME=strategies for mixed strategies in small caves, GAME=equilibrium-bots for the bots that play them, GAME=learned for the pictures of learning (ARGS=--quick for a rough look)
	@test -n "$(STUDY_OF_$(or $(GAME),dragons-cave))" || { echo "There is no study of $(GAME): GAME=dragons-cave, gran, save-the-dragon, solved, strategies, equilibrium-bots or learned."; exit 1; }
	$(BIN)/python -m research.$(STUDY_OF_$(or $(GAME),dragons-cave)) $(ARGS)

STUDY_OF_dragons-cave := dragons_cave.dragons_cave_board
STUDY_OF_gran := gran.gran_map
STUDY_OF_save-the-dragon := save_the_dragon.rock_falls
STUDY_OF_solved := save_the_dragon.solved_stairs
STUDY_OF_strategies := dragons_cave.cave_exploitability
STUDY_OF_equilibrium-bots := dragons_cave.cave_equilibrium_bots
STUDY_OF_learned := training.learned

strength: $(READY)  ## Measure how strong the bots are, 2,000 games a step; writes docs/explanation/reports/strength.md (about two hours on 2 cores)
	$(BIN)/python -m research.strength.strength $(ARGS)

solve: $(READY)  ## Solve Save the Dragon for two players exactly, or GAME=dragons-cave a small cave (ARGS=--check proves it)
	$(BIN)/python -m research.shared.solve $(or $(GAME),save-the-dragon) $(ARGS)

train-cave: $(READY)  ## Train a value network for Dragon's Cave with two players on a GPU (ARGS=--reply: to beat the bot mixer:1)
	$(BIN)/python -m research.training.train_cave $(ARGS)

docs: $(READY)  ## Build the documentation as a site into build/docs; a dead link or a missing name fails
	@$(BIN)/python -c "import material, mkdocstrings" 2>/dev/null || $(PIP) ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "The site is in build/docs: open build/docs/index.html."

clean:  ## Remove the environment and everything built
	rm -rf .venv .venv-bench web/node_modules src/dracotheque/ptx/*.ptx build dist .pytest_cache .ruff_cache .hypothesis

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Dracothèque needs Python 3.11 or newer. Name one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || { echo "Making the environment .venv …"; $(PYTHON) -m venv .venv; } || \
	  { rm -rf .venv; echo "Python cannot make a virtual environment here. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Installing what Dracothèque needs into .venv (once, about half a minute) …"
	@$(PIP) .
	@touch $(READY)

$(TESTED): $(READY)
	@echo "Installing what the tests need: ruff, basedpyright, pytest, PostgreSQL, numba-cuda … (once, about a minute)"
	@$(PIP) ".[dev]"
	@$(BIN)/python -m tests.browser.chromium
	@touch $(TESTED)

# The page is played without a build step; TypeScript and Vitest only check it. Node may come from basedpyright's package.
$(WORKSHOP): web/package-lock.json web/package.json | $(TESTED)
	@echo "Installing what checks the page: TypeScript, Vitest … (once, a few seconds)"
	@$(NODE) npm ci --no-progress --loglevel=error
	@touch $(WORKSHOP)

.PHONY: play terminal load look test page-test page-bench lint bench check-equal mutants ptx types research-test study
.PHONY: strength solve train-cave docs clean help
