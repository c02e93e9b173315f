"""Separates built-in objects of Kubernetes from custom resources, so that each can be validated against its schema.

    custom_resources.py FOLDER

Writes the built-in objects of every FOLDER/*.yaml to FOLDER/built-in/*.yaml. Writes the custom resources to FOLDER/custom.ts, as
constants of the types in the packages @kubernetes-models. The TypeScript compiler then rejects fields that a kind does not have, and
running the program rejects invalid values.
"""

import json
import pathlib
import sys

import yaml

# The packages with the types of each group and version. Add those of other groups here.
PACKAGES = {
    "gateway.networking.k8s.io/v1": "@kubernetes-models/gateway-api",
    "keda.sh/v1alpha1": "@kubernetes-models/keda",
    "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator",
}

folder = pathlib.Path(sys.argv[1])
(folder / "built-in").mkdir(exist_ok=True)
imports, values = set(), []
for path in sorted(folder.glob("*.yaml")):
    built_in = []
    for found in yaml.safe_load_all(path.read_text()):
        if found["apiVersion"] not in PACKAGES:
            built_in.append(found)
            continue
        kind, version = found["kind"], found["apiVersion"]
        imports.add(f'import {{ {kind}, type I{kind} }} from "{PACKAGES[version]}/{version}/{kind}";')
        number = len(values)
        values.append(
            f"const object{number}: I{kind} = {json.dumps(found, indent=2)};\n"
            f"check({json.dumps(f'{path.name}: {kind}')}, new {kind}(object{number}));\n"
        )
    (folder / "built-in" / path.name).write_text(yaml.safe_dump_all(built_in))

check = """
function check(what: string, object: { validate(): void }) {
  try {
    object.validate();
  } catch (error) {
    console.error(`${what}: ${error}`);
    process.exitCode = 1;
  }
}
"""
(folder / "custom.ts").write_text("\n".join([*sorted(imports), check, *values]))
