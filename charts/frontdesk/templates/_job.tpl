{{/* A Job of a component`s program: (dict "root" $ "name" name "c" component "job" job "args" args "owner" bool "tls" false "hook" annotations). */}}
{{- define "frontdesk.job" -}}
{{- $full := printf "%s-%s-%s" (include "frontdesk.fullname" .root) .name .job -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $full }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "frontdesk.labels" (dict "root" .root "name" .job) | nindent 4 }}
  annotations:
    {{- toYaml .hook | nindent 4 }}
spec:
  backoffLimit: {{ int .root.Values.migrations.backoffLimit }}
  activeDeadlineSeconds: {{ int .root.Values.migrations.activeDeadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      labels:
        {{- include "frontdesk.labels" (dict "root" .root "name" .job) | nindent 8 }}
      annotations:
        # A sidecar would keep the Job from ending.
        linkerd.io/inject: disabled
        sidecar.istio.io/inject: "false"
    spec:
      restartPolicy: Never
      {{- include "frontdesk.podSecurity" .root | nindent 6 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      {{- with .c.set.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .c.set.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .job }}
          image: {{ include "frontdesk.image" (dict "root" .root "image" .c.facts.image) }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args:
            {{- toYaml .args | nindent 12 }}
          {{- include "frontdesk.containerSecurity" .root | nindent 10 }}
          env:
            {{- include (ternary "frontdesk.env.migration" "frontdesk.env.job" .owner) . | nindent 12 }}
            {{- with .c.set.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          resources:
            {{- toYaml .c.set.resources | nindent 12 }}
          volumeMounts:
            {{- include "frontdesk.mounts" . | fromYamlArray | toYaml | nindent 12 }}
      volumes:
        {{- include "frontdesk.volumes" . | fromYamlArray | toYaml | nindent 8 }}
{{- end -}}

{{/* What a Job of this kind may reach: names and databases; with "redis", caches where they are emptied. */}}
{{- define "frontdesk.job.policy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "frontdesk.fullname" .root }}-{{ .job }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "frontdesk.labels" (dict "root" .root "name" .job) | nindent 4 }}
  annotations:
    {{- toYaml .hook | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "frontdesk.selector" (dict "root" .root "name" .job) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    - to:
        {{- toYaml .root.Values.networkPolicy.dns | nindent 8 }}
      ports:
        - protocol: UDP
          port: 53
        - protocol: TCP
          port: 53
    - to:
        {{- toYaml .root.Values.networkPolicy.postgres | nindent 8 }}
      ports:
        - protocol: TCP
          port: {{ int .root.Values.postgres.port }}
    {{- if and .redis .root.Values.migrations.afterRestore }}
    - to:
        {{- toYaml .root.Values.networkPolicy.redis | nindent 8 }}
      ports:
        - protocol: TCP
          port: {{ int .root.Values.redis.port }}
    {{- end }}
{{- end -}}
