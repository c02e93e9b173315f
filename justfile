# What the workflows do, for people without that forge: `just --list`. Each step is a script, and can be run without just.

# Everything that is checked before a change lands
check:
    .ci/run

# The pictures of the page in the documents, made from the page as it is
pictures:
    cargo test --locked --test browser -- pictures
    cp target/screenshots/readme.png docs/play.png
    cp target/screenshots/share.png src/http/play/share.png

# The image, built and asked
image-test:
    tests/image/run

# Versions, and the section of the changelog, before a tag such as v1.2.3
versions *tag:
    .ci/versions {{tag}}

# Archives for amd64 and arm64, the list of parts and the sums, in target/dist
dist:
    rm -rf target/dist
    .ci/release/binary amd64
    .ci/release/binary arm64
    .ci/release/sbom

# Signs the sums, and so everything that they name; with a key of cosign, or by a person's login
sign *arguments:
    cosign sign-blob --yes --bundle target/dist/SHA256SUMS.sigstore.json {{arguments}} target/dist/SHA256SUMS

# The image for both processors, pushed with its list of parts and provenance, then signed by its digest
image name:
    .ci/release/image {{name}} --push
    cosign sign --yes {{name}}@`jq --raw-output '."containerimage.digest"' target/image.json`

# What the changelog says about this version
notes:
    .ci/release/notes

# A release from a tag that is checked out
release tag name: (versions tag) check image-test dist sign (image name) notes

# Newer digests of the base images
pins:
    .ci/release/pins
