"""Parts objects of kinds that every Kubernetes has from those of others, so that each can be held against its description.

    custom_resources.py FOLDER

Of every FOLDER/*.yaml, what every Kubernetes has is written to FOLDER/built-in/*.yaml. The others are written to FOLDER/custom.ts as
constants of the types that the packages @kubernetes-models have for them: its compiler refuses members that the kind does not have, and
when it is run, values that the kind does not take.
"""

import json
import pathlib
import sys

import yaml

# Where the types of a group and version are. A kind of another group has to be added here.
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
