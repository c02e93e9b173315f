"""Extracts the rules and the dashboard from the manifests, and checks that everything they name exists.

    monitoring.py MANIFESTS FOLDER PROGRAM

Writes the rules to FOLDER/rules.yaml, for promtool. It fails
- if a rule or a panel uses a metric or a label that neither the service, which is started for this, nor OTHERS have;
- if an alert has no severity, summary, description or runbook, or the runbook links to a heading that does not exist;
- if no fault in tests/monitoring/faults.yaml raises an alert.
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.request

import yaml

# Metrics of other exporters: Prometheus itself, kube-state-metrics, and the kubelet (cAdvisor).
OTHERS = {
    "up",
    "kube_deployment_spec_replicas",
    "kube_deployment_status_condition",
    "kube_deployment_status_replicas_available",
    "kube_horizontalpodautoscaler_spec_max_replicas",
    "kube_horizontalpodautoscaler_status_desired_replicas",
    "kube_job_failed",
    "kube_pod_container_resource_limits",
    "kube_pod_container_resource_requests",
    "kube_pod_container_status_last_terminated_reason",
    "kube_pod_container_status_restarts_total",
    "kube_pod_container_status_waiting_reason",
    "container_cpu_cfs_periods_total",
    "container_cpu_cfs_throttled_periods_total",
    "container_memory_working_set_bytes",
}
# Labels that Prometheus adds to all metrics of a target.
TARGET = {"instance", "job", "namespace", "pod"}
KEYWORDS = {"and", "bool", "offset", "or", "unless"}

faults = []


def ask(url, method="GET"):
    """Sends a request, and returns the body of the response, whatever its status."""
    headers = {"Content-Type": "application/json"}
    body = None if method == "GET" else b"{}"
    try:
        return urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=20).read().decode()
    except urllib.error.HTTPError as refused:
        return refused.read().decode()


def metrics_of(program):
    """The metrics of a service after a request to each operation, with the values of their labels, and all problem codes."""
    arguments = ["serve", "--listen", "127.0.0.1:0", "--drain-seconds", "0", "--log-format", "text"]
    service = subprocess.Popen([program, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        for line in service.stderr:
            if found := re.search(r"listening on (http://[^,]*),", line):
                url = found[1]
                break
        else:
            sys.exit("the service does not start")
        document = json.loads(ask(f"{url}/openapi.json"))
        for path, operations in document["paths"].items():
            for method in operations.keys() & {"get", "post"}:
                # Requests count for their operation even if they are invalid.
                ask(url + path.replace("{game}", "wari").replace("{code}", "busy"), method.upper())
        text = ask(f"{url}/metrics")
        codes = document["components"]["schemas"]["ProblemCode"]["enum"]
        exist = {}
        for line in text.splitlines():
            if found := re.match(r"([a-z_]+)(?:\{(.*)\})? ", line):
                labels = exist.setdefault(found[1], {})
                for name, value in re.findall(r'(\w+)="([^"]*)"', found[2] or ""):
                    labels.setdefault(name, set()).add(value)
        exist["cublino_requests_total"]["code"].update(codes)
        return exist
    finally:
        service.terminate()
        service.wait()


def selectors(expression):
    """The metrics in a PromQL expression, each with its label matchers."""
    expression = re.sub(r"\[[^\]]*\]", "", expression)
    expression = re.sub(r"\b(by|ignoring|on|without|group_left|group_right)\s*\([^)]*\)", "", expression)
    for found in re.finditer(r"(?<![\w:$])([a-zA-Z_][\w:]*)\s*(?:\{([^}]*)\})?\s*(\(?)", expression):
        name, labels, called = found.groups()
        if not called and name not in KEYWORDS:
            yield name, re.findall(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"', labels or "")


def look(where, expression, exist, recorded):
    """Adds a fault for each metric or label of an expression that does not exist."""
    for name, labels in selectors(expression):
        if name in OTHERS or name in recorded:
            continue
        if name not in exist:
            faults.append(f"{where}: there is no metric {name}")
            continue
        for label, operator, value in labels:
            # The value of a dashboard variable is not known here.
            if label in TARGET or value.startswith("$"):
                continue
            values = exist[name].get(label)
            if values is None:
                faults.append(f"{where}: {name} has no label {label}")
            # Some rules wait for a status that no request has had yet.
            elif label != "status":
                for one in value.split("|") if "~" in operator else [re.escape(value)]:
                    if not any(re.fullmatch(one, known) for known in values):
                        faults.append(f"{where}: no {label} of {name} is {one}")


def anchors(path):
    """The anchors of the headings of a Markdown page."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


manifests, folder, program = sys.argv[1:]
objects = {(found["kind"], found["metadata"]["name"]): found for found in yaml.safe_load_all(open(manifests))}
spec = objects["PrometheusRule", "cublino"]["spec"]
pathlib.Path(folder, "rules.yaml").write_text(yaml.safe_dump(spec))
dashboard = json.loads(objects["ConfigMap", "cublino-dashboard"]["data"]["cublino.json"])

exist = metrics_of(program)
rules = [rule for group in spec["groups"] for rule in group["rules"]]
recorded = {rule["record"] for rule in rules if "record" in rule}
alerts = {rule["alert"]: rule for rule in rules if "alert" in rule}
for rule in rules:
    look(rule.get("alert") or rule["record"], rule["expr"], exist, recorded)
for name, alert in alerts.items():
    if alert["labels"].get("severity") not in {"critical", "warning"}:
        faults.append(f"{name}: no severity")
    faults += [f"{name}: no {what}" for what in ("summary", "description", "runbook_url") if not alert["annotations"].get(what)]
    page, _, heading = alert["annotations"].get("runbook_url", "").partition("#")
    if not pathlib.Path(page).is_file() or heading not in anchors(pathlib.Path(page)):
        faults.append(f"{name}: {page} has no heading {heading}")

for panel in dashboard["panels"]:
    for target in panel.get("targets", []):
        look(f"the panel {panel['title']!r}", target["expr"], exist, recorded)
for variable in dashboard["templating"]["list"]:
    if found := re.match(r"label_values\((.*), *\w+\)", str(variable["query"] if isinstance(variable["query"], str) else variable["query"]["query"])):
        look(f"the variable {variable['name']!r}", found[1], exist, recorded)

tests = yaml.safe_load(pathlib.Path("tests/monitoring/faults.yaml").read_text())["tests"]
samples = itertools.chain.from_iterable(check["exp_samples"] for test in tests for check in test["promql_expr_test"])
raised = {re.search(r'alertname="(\w+)"', sample["labels"])[1] for sample in samples}
faults += [f"{name}: no fault of tests/monitoring raises it" for name in alerts.keys() - raised]

print(f"{len(alerts)} alerts, {len(dashboard['panels'])} panels, {len(exist)} metrics of the service")
sys.exit("\n".join(faults) or None)
