{{- define "dashboards.fullname" -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}-{{ .Chart.Name }}
{{- end }}

{{- define "dashboards.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{ include "dashboards.selectorLabels" . }}
{{- end }}

{{- define "dashboards.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dashboards.pod" -}}
containers:
  - name: dashboards
    {{- if .Values.image.sha }}
    image: "{{ .Values.image.repository }}@sha256:{{ .Values.image.sha }}"
    {{- else }}
    image: "{{ .Values.image.repository }}:{{ .Chart.AppVersion | trimPrefix "v" }}"
    {{- end }}
    ports:
      - name: http
        containerPort: {{ (index .Values "dashboards.ini").server.http_port }}
    env:
      - name: ADMIN_USER
        valueFrom:
          secretKeyRef:
            name: {{ .Values.admin.existingSecret | default (include "dashboards.fullname" .) }}
            key: user
      {{- if .Values.plugins }}
      - name: PLUGINS
        value: {{ join "," .Values.plugins | quote }}
      {{- end }}
    volumeMounts:
      - name: config
        mountPath: /etc/dashboards
volumes:
  - name: config
    configMap:
      name: {{ include "dashboards.fullname" . }}
  {{- if and .Values.persistence.enabled (eq .Values.persistence.type "pvc") }}
  - name: storage
    persistentVolumeClaim:
      claimName: {{ include "dashboards.fullname" . }}
  {{- else }}
  - name: storage
    emptyDir: {}
  {{- end }}
{{- end }}
