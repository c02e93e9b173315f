"""Writes an SPDX 2.3 document about the program, from what `cargo metadata` says (standard input) and the sums of Cargo.lock."""

import json
import re
import sys
import tomllib
from datetime import datetime, timezone

lock, committed, commit = sys.argv[1:]
metadata = json.load(sys.stdin)
with open(lock, "rb") as file:
    sums = {(p["name"], p["version"]): p.get("checksum") for p in tomllib.load(file)["package"]}
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = metadata["resolve"]["root"]


def needed(node):
    """What a package is built with; what only tests need is no part of the program."""
    for dependency in nodes[node]["deps"]:
        if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"]):
            yield dependency["pkg"]


reached, left = {root}, [root]
while left:
    new = set(needed(left.pop())) - reached
    reached |= new
    left += new


def name(package):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{package['name']}-{package['version']}")


def described(package):
    checksum = sums.get((package["name"], package["version"]))
    registry = package["source"] is not None
    # Older packages write alternatives with a slash.
    licence = (package["license"] or "NOASSERTION").replace("/", " OR ")
    purl = f"pkg:cargo/{package['name']}@{package['version']}"
    return {
        "SPDXID": name(package),
        "name": package["name"],
        "versionInfo": package["version"],
        "downloadLocation": f"https://crates.io/api/v1/crates/{package['name']}/{package['version']}/download" if registry else "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}],
        **({"checksums": [{"algorithm": "SHA256", "checksumValue": checksum}]} if checksum else {}),
    }


program = packages[root]
listed = sorted((packages[node] for node in reached), key=lambda package: (package["id"] != root, package["name"], package["version"]))
relations = [("SPDXRef-DOCUMENT", "DESCRIBES", name(program))]
relations += [(name(packages[node]), "DEPENDS_ON", name(packages[other])) for node in sorted(reached) for other in sorted(set(needed(node)))]
json.dump(
    {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{program['name']}-{program['version']}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{program['name']}-{program['version']}-{commit}",
        "creationInfo": {
            # The time of the commit, so that the document is reproducible.
            "created": datetime.fromisoformat(committed).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: cargo-metadata"],
        },
        "packages": [described(package) for package in listed],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations
        ],
    },
    sys.stdout,
    indent=1,
)
print()
