{{/*
What kustomize does with the files of base and components, as far as they ask for it, so that the chart has no objects of its own. Each
template makes YAML, which its caller reads again.
*/}}

{{/* An object with a patch over it. Lists whose elements have names are merged by these, others are replaced. */}}
{{- define "cublino.patched" -}}
{{- $object := index . 0 }}
{{- range $key, $value := index . 1 }}
  {{- $old := get $object $key }}
  {{- if and (kindIs "map" $value) (kindIs "map" $old) }}
    {{- $_ := set $object $key (include "cublino.patched" (list $old $value) | fromYaml) }}
  {{- else if and (kindIs "slice" $value) (kindIs "slice" $old) (hasKey (first $value) "name") }}
    {{- $_ := set $object $key (include "cublino.merged" (list $old $value) | fromYamlArray) }}
  {{- else }}
    {{- $_ := set $object $key $value }}
  {{- end }}
{{- end }}
{{- toYaml $object }}
{{- end }}

{{/* Two lists of elements with names. */}}
{{- define "cublino.merged" -}}
{{- $merged := list }}
{{- $patches := dict }}
{{- range index . 1 }}
  {{- $_ := set $patches .name . }}
{{- end }}
{{- range index . 0 }}
  {{- $merged = append $merged (include "cublino.patched" (list . (get $patches .name | default dict)) | fromYaml) }}
  {{- $_ := unset $patches .name }}
{{- end }}
{{- range index . 1 }}
  {{- if hasKey $patches .name }}
    {{- $merged = append $merged . }}
  {{- end }}
{{- end }}
{{- toYaml $merged }}
{{- end }}

{{/* The kustomizations of the components that are switched on, each with its folder. */}}
{{- define "cublino.components" -}}
{{- range $name, $on := .Values.components }}
  {{- if $on }}
    {{- $folder := printf "components/%s" $name }}
    {{- $file := printf "%s/kustomization.yaml" $folder }}
    {{- $text := $.Files.Get $file | required (printf "there is no component %s" $name) }}
- {{ set (fromYaml $text) "folder" $folder | toJson }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The objects of base and components, with the patches of the components over them. */}}
{{- define "cublino.objects" -}}
{{- $root := . }}
{{- $components := include "cublino.components" . | fromYamlArray }}
{{- $base := set (.Files.Get "base/kustomization.yaml" | fromYaml) "folder" "base" }}
{{- range $of := prepend $components $base }}
  {{- range $of.resources }}
    {{- $object := $root.Files.Get (printf "%s/%s" $of.folder .) | fromYaml }}
    {{- range $of.labels }}
      {{- $_ := set $object.metadata "labels" .pairs }}
    {{- end }}
    {{- range $component := $components }}
      {{- range $component.patches }}
        {{- $patch := $root.Files.Get (printf "%s/%s" $component.folder (.path | required "the chart reads patches that are files")) | fromYaml }}
        {{- if and (eq $patch.kind $object.kind) (eq $patch.metadata.name $object.metadata.name) }}
          {{- $object = include "cublino.patched" (list $object $patch) | fromYaml }}
        {{- end }}
      {{- end }}
    {{- end }}
- {{ $object | toJson }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The settings: those of the base, of the components, and of the values. */}}
{{- define "cublino.settings" -}}
{{- $settings := dict }}
{{- range .Files.Lines "base/settings.env" }}
  {{- if hasPrefix "CUBLINO_" . }}
    {{- $pair := splitn "=" 2 . }}
    {{- $_ := set $settings $pair._0 $pair._1 }}
  {{- end }}
{{- end }}
{{- range include "cublino.components" . | fromYamlArray }}
  {{- range .configMapGenerator }}
    {{- range .literals }}
      {{- $pair := splitn "=" 2 . }}
      {{- $_ := set $settings $pair._0 $pair._1 }}
    {{- end }}
  {{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
  {{- /* Numbers have become floating-point numbers on their way here. */}}
  {{- $_ := set $settings $name (kindIs "string" $value | ternary $value (printf "%.0f" (float64 $value))) }}
{{- end }}
{{- toYaml $settings }}
{{- end }}
