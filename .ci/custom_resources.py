"""Separates built-in objects of Kubernetes from custom resources, so that each can be validated against its schema.

    custom_resources.py FOLDER

Writes the built-in objects of every FOLDER/*.yaml to FOLDER/built-in/*.yaml. Writes the custom resources to FOLDER/custom.ts, as
objects of the classes in the packages @kubernetes-models. The TypeScript compiler then rejects fields that a kind does not have, and
running the program rejects invalid values.
"""

import json
import pathlib
import sys

import yaml

# The packages with the types of each group and version.
PACKAGES = {
    "gateway.networking.k8s.io/v1": "@kubernetes-models/gateway-api",
    "keda.sh/v1alpha1": "@kubernetes-models/keda",
    "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator",
}

folder = pathlib.Path(sys.argv[1])
(folder / "built-in").mkdir()
imports, checks = set(), []
for path in folder.glob("*.yaml"):
    objects = list(yaml.safe_load_all(path.read_text()))
    built_in = [one for one in objects if one["apiVersion"] not in PACKAGES]
    (folder / "built-in" / path.name).write_text(yaml.safe_dump_all(built_in))
    for one in objects:
        if one["apiVersion"] in PACKAGES:
            kind, version = one.pop("kind"), one.pop("apiVersion")
            imports.add(f'import {{ {kind} }} from "{PACKAGES[version]}/{version}/{kind}";')
            # `validate` throws an error that names what is wrong.
            checks.append(f"new {kind}({json.dumps(one, indent=2)}).validate();")
(folder / "custom.ts").write_text("\n".join([*imports, *checks]))
