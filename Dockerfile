# Runs the two commands of the README on a plain Debian:
#
#   docker build -t literature .
#   docker run --rm literature .venv/bin/literature hint examples/table.lit --seat A1
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --no-install-recommends --yes make perl python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /literature
COPY . .
RUN make tournament
RUN make test
CMD ["make", "help"]
