# The steps of the workflows, to run them by hand: `just --list` lists them. Each is a script that also runs without just.

# Run all checks of CI
check:
    .ci/run

# Make the pictures of the page in the documents again
pictures:
    cargo test --locked --test browser -- pictures
    cp target/screenshots/readme.png docs/play.png
    cp target/screenshots/share.png src/http/play/share.png

# Build the image and test it
image-test:
    tests/image/run

# Check the version numbers and the changelog before a tag such as v1.2.3
versions *tag:
    .ci/versions {{tag}}

# Build the archives for amd64 and arm64, their SBOM and checksums, in target/dist
dist:
    rm -rf target/dist
    .ci/release/binary amd64
    .ci/release/binary arm64
    .ci/release/sbom

# Sign the checksums, and so all files that they name, with a key of cosign or your login
sign *arguments:
    cosign sign-blob --yes --bundle target/dist/SHA256SUMS.sigstore.json {{arguments}} target/dist/SHA256SUMS

# Build the image for amd64 and arm64, push it with SBOM and provenance, and sign its digest
image name:
    .ci/release/image {{name}} --push
    cosign sign --yes {{name}}@`jq --raw-output '."containerimage.digest"' target/image.json`

# Print the changelog of this version
notes:
    .ci/release/notes

# Release the tag that is checked out
release tag name: (versions tag) check image-test dist sign (image name) notes

# Renew the digests of the base images
pins:
    .ci/release/pins
