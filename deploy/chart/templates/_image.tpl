{{/* No template uses a function that Helm adds to Go's and Sprig's, so that Bravo's own engine renders the chart in its tests. */}}
{{- define "bravo.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default (printf "v%s" .Chart.AppVersion) }}
{{- end }}
