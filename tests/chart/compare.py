"""The chart makes the objects that kustomize makes.

    compare.py CHART KUSTOMIZE

Both are files with objects. Three things differ, and have to: kustomize makes the namespace; it ends the name of the settings in a hash of
them, where the chart has that hash in an annotation of the pods, because Helm would take away the settings of pods that still run.
"""

import re
import sys

import yaml


def objects(path):
    """What a file has, by kind, namespace and name."""
    found = {}
    for one in yaml.safe_load_all(open(path)):
        if one is None or one["kind"] == "Namespace":
            continue
        if one["kind"] == "Deployment":
            pod = one["spec"]["template"]
            pod["metadata"].get("annotations", {}).pop("checksum/settings", None)
            if not pod["metadata"].get("annotations"):
                pod["metadata"].pop("annotations", None)
            for source in pod["spec"]["containers"][0]["envFrom"]:
                source["configMapRef"]["name"] = without_hash(source["configMapRef"]["name"])
        meta = one["metadata"]
        meta["name"] = without_hash(meta["name"])
        key = f"{one['kind']} {meta['namespace']}/{meta['name']}"
        if key in found:
            sys.exit(f"{path} has {key} twice")
        found[key] = one
    return found


def without_hash(name):
    return re.sub(r"^cublino-[a-z0-9]{10}$", "cublino", name)


def differences(one, other, at):
    """Where two values are not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys(), key=str):
            yield from differences(one.get(key), other.get(key), f"{at}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{at}[{i}]")
    elif one != other:
        yield f"{at}: {one!r} in the chart, {other!r} with kustomize"


chart, kustomize = (objects(path) for path in sys.argv[1:])
found = list(differences(chart, kustomize, ""))
print(f"{sys.argv[1]}: {len(chart)} objects, {len(kustomize)} with kustomize")
sys.exit("\n".join(found) or None)
