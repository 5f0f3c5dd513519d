# The server. BASE is any Debian-based image with Python 3.11 or later and its venv module.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# Everything is pinned by hash: what builds the server's wheel, and apart from it what the server needs. The pip of
# the one fills the other, which has none.
COPY requirements.txt requirements-build.txt ./
RUN python3 -m venv /opt/build \
    && python3 -m venv --without-pip /opt/referee \
    && /opt/build/bin/pip install --require-hashes --requirement requirements-build.txt \
    && /opt/build/bin/pip --python /opt/referee/bin/python install --require-hashes --requirement requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY docs/notation.md docs/
COPY referee referee
COPY hardware hardware
RUN /opt/build/bin/python -m hatchling build --target wheel --directory /wheel \
    && /opt/build/bin/pip --python /opt/referee/bin/python install --no-deps --no-index /wheel/*.whl

FROM ${BASE}
LABEL org.opencontainers.image.title="The referee" \
      org.opencontainers.image.description="A referee for real UNO tables: validates moves and keeps score over a REST API" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"
# Nothing is installed in a running container, so what BASE has for that goes.
RUN { ! python3 -m pip --version || python3 -m pip uninstall --yes setuptools pip; } \
    && useradd --system --uid 900 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin referee \
    && install --directory --owner=referee --group=referee /data
COPY --from=build /opt/referee /opt/referee
ENV PATH=/opt/referee/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Nobody special, and nothing to write to but /data: it runs with --read-only --tmpfs /tmp --cap-drop ALL.
USER 900
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["referee", "serve", "--host", "0.0.0.0", "--port", "8000", "--database", "/data/referee.sqlite3"]
