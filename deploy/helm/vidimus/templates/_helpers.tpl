{{- define "vidimus.name" -}}
{{- if contains "vidimus" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-vidimus{{ end }}
{{- end }}

{{- define "vidimus.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* What the pods of a component are selected by. */}}
{{- define "vidimus.selector" -}}
app.kubernetes.io/name: vidimus
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vidimus.labels" -}}
{{ include "vidimus.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The parts of a pod that the service and the migration share. */}}
{{- define "vidimus.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "vidimus.secretEnvironment" -}}
- name: DATABASE_URL_FILE
  value: /run/secrets/vidimus/database-url
- name: KMS_SECRET_KEY_FILE
  value: /run/secrets/vidimus/kms-secret-key
{{- end }}

{{- define "vidimus.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "vidimus.mounts" -}}
- name: secrets
  mountPath: /run/secrets/vidimus
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if .Values.agentYml }}
- name: agent
  mountPath: /etc/vidimus
  readOnly: true
{{- end }}
{{- end }}

{{- define "vidimus.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    # 0440
    defaultMode: 288
    # Both must be there: without them the service would make itself a database and a secret of its own.
    items:
      - key: database-url
        path: database-url
      - key: kms-secret-key
        path: kms-secret-key
- name: tmp
  emptyDir:
    medium: Memory
    sizeLimit: 64Mi
{{- if .Values.agentYml }}
- name: agent
  configMap:
    name: {{ include "vidimus.name" . }}-agent
{{- end }}
{{- end }}
