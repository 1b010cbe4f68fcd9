{{/* vim: set filetype=mustache: */}}
{{- define "database.fullname" -}}
{{- printf "%s-%s" .Release.Name (default .Chart.Name .Values.nameOverride) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "database.labels" }}
app: {{ template "database.fullname" . }}
chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
release: {{ .Release.Name }}
heritage: {{ .Release.Service }}
{{- end }}

{{- define "database.validate" -}}
{{- if and .Values.readReplicas.enabled (not .Values.persistence.enabled) -}}
{{- fail "read replicas need persistence" -}}
{{- end -}}
{{- end -}}

{{- define "database.databaseName" -}}
{{- tpl .Values.auth.database . -}}
{{- end -}}
