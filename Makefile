# Frontdesk. `make help` lists what can be done.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

LOCAL := target/debug/local
# A test is named so that cargo builds with the features that tests need: what one command builds, the other finds.
BUILD_LOCAL := cargo build --workspace --bin local --bin google-fake --bin provider-fakes --test ids
# As the images have them.
BUILD_RELEASE := CARGO_PROFILE_RELEASE_STRIP=symbols cargo build --quiet --release -p local \
	-p auth -p tenancy -p scheduling -p calendar-sync -p telemetry -p bff

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: tools
tools: # PostgreSQL and Redis, and what the build needs
	@.ci/install postgres redis node rust

.PHONY: run
run: tools build ## Build and start everything at http://localhost:8080
	@RUST_LOG=$${RUST_LOG:-warn} exec $(LOCAL) all --demo-year

.PHONY: build
build: $(LOCAL) web/dist/development/index.html # Everything `make run` starts

.PHONY: $(LOCAL)
$(LOCAL):
	@test -x $@ || echo "Building Frontdesk: some minutes the first time, seconds after that."
	@$(BUILD_LOCAL)

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Folders are named as well: they change when a file in them goes.
WEB := web/node_modules/.package-lock.json $(shell find web/src web/public web/dev web/index.html web/vite.config.ts 2>/dev/null)

web/dist/development/index.html: $(WEB) # What `make run` and the browser tests serve
	@cd web && npm run --silent build:development
	@touch $@

web/dist/production/index.html: $(WEB) # What ships
	@cd web && npm run --silent build
	@touch $@

.PHONY: dev
dev: web/node_modules/.package-lock.json ## The SPA with hot reload at :3000, over a running `make run`
	@cd web && npm run dev

.PHONY: demo-call
demo-call: ## Play a telephone call through the signed webhooks (PLATFORM=retell, vapi, twilio or elevenlabs)
	@test -x $(LOCAL) || $(BUILD_LOCAL) --quiet
	@$(LOCAL) demo-call

.PHONY: test
test: ## Everything that must hold, from a clean checkout
	@.ci/test

.PHONY: check
check: lint ## Lints and unit tests, without a browser
	@.ci/install radicale
	@cargo test --workspace --quiet
	@cd web && npm run --silent test

.PHONY: lint
lint: dependencies web/node_modules/.package-lock.json ## Formatters and linters, Rust and web
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --quiet -- -D warnings
	@cd web && npm run --silent lint && npm run --silent lint:contract && npm run --silent typecheck

target/tools/installed.txt: .ci/tools.txt
	@.ci/install checks
	@touch $@

.PHONY: dependencies
dependencies: target/tools/installed.txt web/node_modules/.package-lock.json ## What is depended on: licences, sources, bans, and nothing unused
	@target/tools/bin/cargo-deny --locked check -D warnings bans licenses sources
	@target/tools/bin/cargo-shear --locked --deny-warnings
	@cd web && npm run --silent unused

.PHONY: audit
audit: target/tools/installed.txt web/node_modules/.package-lock.json ## Known holes in what is depended on (asks the network; its answer changes from day to day)
	@target/tools/bin/cargo-deny --locked check -D warnings advisories
	@cd web && npm audit --audit-level=high

target/chart/installed.txt: charts/tests/requirements.txt
	@.ci/install chart
	@touch $@

.PHONY: chart
chart: target/chart/installed.txt ## Render the Helm chart, and hold it against Kubernetes and the code (UPDATE_GOLDEN=1 accepts the renders)
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=target/chart python3 -m pytest -q -p no:cacheprovider charts/tests

.PHONY: chart-live
chart-live: tools target/chart/installed.txt web/dist/production/index.html ## Start what the chart renders as processes of this machine: production, migrations, mutual TLS (as root)
	@test -x $(LOCAL) || $(BUILD_LOCAL) --quiet
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=target/chart python3 charts/tests/processes.py

.PHONY: watch
watch: tools build ## `make run` with a Prometheus beside it: dashboards and alerts at http://localhost:7195/user/console/
	@.ci/install prometheus
	@RUST_LOG=$${RUST_LOG:-warn} exec $(LOCAL) all --demo-year --processes --prometheus target/prometheus/prometheus

.PHONY: watch-live
watch-live: tools ## Ask a real Prometheus every query of the dashboards, rules and runbooks, under traffic
	@.ci/install prometheus
	@cargo test --quiet -p local --test it watch:: -- --ignored

.PHONY: prove-chart
prove-chart: target/chart/installed.txt ## Install, upgrade and remove the chart on a real API server (builds Kubernetes: minutes the first time)
	@.ci/install cluster node
	@k8s/apiserver/build
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=target/chart:charts/tests python3 -m pytest -q -p no:cacheprovider charts/prove

.PHONY: prove-pods
prove-pods: tools target/chart/installed.txt web/dist/production/index.html ## Run the chart's pods in containers on a kubelet of this machine, and upgrade them under load (as root)
	@.ci/install cluster pods
	@k8s/apiserver/build
	@test -x $(LOCAL) || $(BUILD_LOCAL) --quiet
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=target/chart:charts/tests:charts/prove:charts/prove_images unshare -nm --propagation private \
		python3 -m pytest -q -p no:cacheprovider charts/prove_pods

.PHONY: prove-images
prove-images: tools target/chart/installed.txt ## Build the images with a BuildKit of this machine, look into each, and run the pods from them (as root)
	@.ci/install cluster pods images
	@k8s/images/engine/build
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=target/chart:charts/tests python3 -m pytest -q -s -p no:cacheprovider charts/prove_images
	@k8s/apiserver/build
	@IMAGES=built PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=target/chart:charts/tests:charts/prove:charts/prove_images unshare -nm --propagation private \
		python3 -m pytest -q -p no:cacheprovider charts/prove_pods

.PHONY: images
images: ## Build the images that the chart names, where a container engine runs (REGISTRY=…)
	@k8s/images/build

.PHONY: cluster
cluster: ## Frontdesk in a cluster on this machine, where a container engine runs
	@k8s/kind/up

.PHONY: gen
gen: web/node_modules/.package-lock.json ## Regenerate TypeScript and OpenAPI from proto/
	@cd web && npm run --silent gen
	@UPDATE_OPENAPI=1 cargo test --quiet -p proto --test it openapi

.PHONY: baseline
baseline: web/node_modules/.package-lock.json ## Take the contract as it is for what later changes must not break
	@web/node_modules/.bin/buf build proto --exclude-source-info -o proto/baseline.binpb

.PHONY: e2e
e2e: ## Chromium on the real stack
	@.ci/e2e

.PHONY: prove
prove: ## The slow proofs: random worlds, long races, every test behind PgBouncer, answers alike in time, crashes, every query
	@.ci/install postgres pgbouncer redis radicale versitygw
	@PROPTEST_CASES=20000 cargo test --quiet --profile prove -p engine -p scheduling -p telemetry -p auth -p calendar-sync --lib
	@PROVE_WORLDS=200 cargo test --quiet -p engine --lib optimiser
	@PROVE_ROUNDS=1000 cargo test --quiet -p scheduling --test it -- race:: failover::
	@PROVE_HISTORIES=1000 cargo test --quiet -p scheduling --test it inbox_recount::
	@TEST_POOLER=transaction cargo test --quiet -p database -p outbox -p auth -p tenancy -p scheduling -p calendar-sync -p telemetry
	@cargo test --quiet -p tenancy --test it -- --ignored --nocapture customer_search::
	@cargo test --quiet -p calendar-sync --test it -- --ignored --nocapture chaos::
	@cargo test --quiet -p telemetry --test it -- --ignored --nocapture at_scale::
	@$(MAKE) --no-print-directory prove-recordings
	@PROVE_SAMPLES=1000 cargo test --quiet -p auth --test it alike -- --nocapture --test-threads=1
	@for cycle in 1 2 3 4 5; do cargo test --quiet -p local --test it crash; done
	@# Here because Prometheus takes two minutes to build; asking it takes half a minute.
	@$(MAKE) --no-print-directory watch-live
	@$(MAKE) --no-print-directory restore-drill
	@$(MAKE) --no-print-directory faults
	@$(MAKE) --no-print-directory prove-rolling
	@if [ "$$(id -u)" = 0 ]; then $(MAKE) --no-print-directory chart-live; else echo "make chart-live: not tried, it needs root"; fi

.PHONY: prove-rolling
prove-rolling: tools ## Replace every part of what ships under 200 requests/s and a telephone call: none may fail (two minutes)
	@$(BUILD_RELEASE)
	@PROVE_PROGRAM=$(CURDIR)/target/release/local cargo test --quiet -p local --test it -- --ignored --nocapture rolling::

.PHONY: prove-recordings
prove-recordings: ## Keep recordings in a real S3 server: what a folder does, wrong credentials, a server that is away (builds it: two minutes)
	@.ci/install postgres versitygw
	@TEST_RECORDINGS=s3 cargo test --quiet -p telemetry --test it -- recordings:: erasure::
	@cargo test --quiet -p telemetry --test it -- --ignored s3::

.PHONY: restore-drill
restore-drill: ## Back up all databases while bookings are made, restore them in three ways, compare (half a minute)
	@cargo test --quiet -p local --test it -- --ignored --nocapture restore::

.PHONY: faults
faults: tools ## Stop, freeze, slow down and fill up parts of the installation under load; print what people saw (three minutes)
	@cargo test --quiet -p local --test it -- --ignored --nocapture faults::

.PHONY: prove-flakes
prove-flakes: ## Every test again and again, idle and busy, at odd hours: none may fail (hours)
	@.ci/flakes

.PHONY: bench
bench: tools web/dist/production/index.html ## Measure what ships, beside the targets
	@$(BUILD_RELEASE)
	@.ci/bench

.PHONY: soak
soak: tools web/dist/production/index.html ## Ten minutes at 70 % of what one core answers: failures, and whether memory grows
	@$(BUILD_RELEASE)
	@.ci/bench soak

.PHONY: reset
reset: ## Forget the local databases, secrets and demo data
	@if pgrep -f '$(LOCAL) all' >/dev/null; then echo "stop \`make run\` first"; exit 1; fi
	@rm -rf .local
