# The two commands of the README: `make demo` and `make test`. Both set up what they need.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test mutation test-cluster test-servers test-interop nightly check lint types layers bench docs pictures release lock clean

demo: $(READY)
	$(BIN)/modex run --model demo --headless || test $$? -eq 1
	@echo
	@echo "Look around with: $(BIN)/modex"

test: check
	$(BIN)/python -m pytest -n 3 --dist worksteal

mutation: $(READY)
	$(BIN)/python -m benchmarks mutation --changed --jobs 2

test-cluster: $(READY)
	TEST_CLUSTER=1 $(BIN)/python -m pytest -n 0 -rs tests/core/engine/executors

test-servers: $(READY)
	TEST_SERVERS=1 $(BIN)/python -m pytest -n 0 -rs tests/servers

test-interop: $(READY)
	TEST_INTEROP=1 $(BIN)/python -m pytest -n 0 -rs tests/interop

nightly: $(READY)
	TEST_NIGHTLY=1 $(BIN)/python -m pytest -n 0 -rs -s tests/whole

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
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

release: $(READY)
	PYTHON=$(PYTHON) .ci/release

lock:
	uv pip compile pyproject.toml --group dev --extra inspect --extra mcp --extra parquet --extra javascript --extra cluster --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --output-file requirements.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
