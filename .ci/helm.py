"""Lints a chart and prints the output of Helm for it: for machines without helm, with Helm's library.

    helm.py CHART NAMESPACE VALUES
"""

import sys

from helm_python import chart, values_from_yaml

path, namespace, values = sys.argv[1:]
values = values_from_yaml(open(values).read())
report = chart.lint(path, values, strict=True, namespace=namespace)
if report["errors"]:
    sys.exit("\n".join(report["errors"]))
made = chart.Chart.load(path).render(values, name="cublino", namespace=namespace)
print("\n".join(text for template, text in made.items() if not template.endswith("NOTES.txt")))
