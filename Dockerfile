# The service in an image without a shell: the program, the libraries it needs, and nothing else.
FROM rust:1.95.0-slim-bookworm AS build
WORKDIR /build
# Dependencies change less often than sources: they are built first, for an empty program, and the layer is kept.
COPY Cargo.toml Cargo.lock ./
COPY benches benches
COPY build build
RUN mkdir src \
    && echo 'fn main() {}' >src/main.rs \
    && touch src/lib.rs \
    && cargo build --release --locked --bin cublino
COPY src src
ARG REVISION=unknown
ENV CUBLINO_COMMIT=${REVISION}
RUN touch src/main.rs src/lib.rs \
    && cargo build --release --locked --bin cublino

FROM gcr.io/distroless/cc-debian12:nonroot
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Cublino" \
      org.opencontainers.image.description="Rules, legal moves, scores and good moves of five board games for two, over HTTP" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /build/target/release/cublino /usr/local/bin/cublino
# The user of the base image, by number, so that a cluster can see that it is not root.
USER 65532:65532
ENV CUBLINO_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=2s --retries=3 CMD ["/usr/local/bin/cublino", "health"]
ENTRYPOINT ["/usr/local/bin/cublino"]
CMD ["serve"]
