# The server. BASE is any Debian-based image with Python 3.11 or later and its venv module.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
WORKDIR /src
RUN python3 -m venv /opt/referee
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# Everything is pinned by hash: what the server needs, and apart from it what builds its wheel.
COPY requirements.txt requirements-build.txt ./
RUN /opt/referee/bin/pip install --require-hashes --requirement requirements.txt \
    && python3 -m venv /opt/build \
    && /opt/build/bin/pip install --require-hashes --requirement requirements-build.txt
COPY pyproject.toml README.md ./
COPY referee referee
COPY hardware hardware
RUN /opt/build/bin/python -m hatchling build --target wheel --directory /wheel \
    && /opt/referee/bin/pip install --no-deps --no-index /wheel/*.whl

FROM ${BASE}
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin referee \
    && install --directory --owner=referee --group=referee /data
COPY --from=build /opt/referee /opt/referee
ENV PATH=/opt/referee/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Nobody special, and nothing to write to but /data: it runs with --read-only --tmpfs /tmp --cap-drop ALL.
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["referee", "serve", "--host", "0.0.0.0", "--port", "8000", "--database", "/data/referee.sqlite3"]
