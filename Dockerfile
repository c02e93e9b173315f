# An image without a shell: only the program and the libraries that it needs. Building needs BuildKit, the default.
#
# The digests are those of multi-platform images. `.ci/release/pins` renews them.

# Cross-compile on the processor of the builder: emulation takes ten times as long.
FROM --platform=$BUILDPLATFORM rust:1.95.0-slim-trixie@sha256:e14e87345b4d5964ddcc3491d27ee046a0f23820f340c3c1e24da6880141f7c0 AS build
ARG BUILDARCH
ARG TARGETARCH
WORKDIR /build
# The cross toolchain comes first, since it changes least. No pinned versions: Debian keeps only the newest ones.
# hadolint ignore=DL3008
RUN case "$TARGETARCH" in \
      amd64) target=x86_64-unknown-linux-gnu; package=gcc-x86-64-linux-gnu; library=libc6-dev-amd64-cross ;; \
      arm64) target=aarch64-unknown-linux-gnu; package=gcc-aarch64-linux-gnu; library=libc6-dev-arm64-cross ;; \
      *) echo "this image supports amd64 and arm64, not $TARGETARCH" >&2; exit 1 ;; \
    esac \
    && echo "$target" >/target \
    && if [ "$BUILDARCH" != "$TARGETARCH" ]; then \
      apt-get update \
      && apt-get install --yes --no-install-recommends "$package" "$library" \
      && rm -rf /var/lib/apt/lists/* \
      && rustup target add "$target"; \
    fi
ENV CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=x86_64-linux-gnu-gcc
COPY Cargo.toml Cargo.lock ./
COPY benches benches
COPY examples examples
COPY build build
COPY crates crates
COPY docs/guide.md docs/guide.md
COPY openapi openapi
COPY tools tools
COPY src src
ARG REVISION=unknown
ENV CUBLINO_COMMIT=${REVISION}
# Downloads and build results stay in the cache of the builder, not in a layer.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,id=cublino-target-$TARGETARCH,target=/build/target \
    cargo build --profile dist --locked --target "$(cat /target)" --bin cublino \
    && cp "target/$(cat /target)/dist/cublino" /cublino

FROM gcr.io/distroless/cc-debian13:nonroot@sha256:54df941ed0d06a1bd95ef5e0ce391fd8d9f94b64782dc9a60062727849ee3f97
# Build arguments. .ci/release/image takes them from Cargo.toml and the commit.
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=""
LABEL org.opencontainers.image.title="Cublino" \
      org.opencontainers.image.description="Rules, legal moves, scores and good moves of five board games for two, over HTTP" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.base.name="gcr.io/distroless/cc-debian13:nonroot"
COPY --from=build /cublino /usr/local/bin/cublino
# The user of the base image, as a number, so that Kubernetes can see that it is not root.
USER 65532:65532
ENV CUBLINO_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=2s --retries=3 CMD ["/usr/local/bin/cublino", "health"]
ENTRYPOINT ["/usr/local/bin/cublino"]
CMD ["serve"]
