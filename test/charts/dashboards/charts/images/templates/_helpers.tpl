{{- define "images.labels" -}}
app: {{ .Release.Name }}-{{ .Chart.Name }}
{{- end -}}
