{{/* What every process reads, wherever it runs: (dict "root" $ "name" name "c" component). */}}
{{- define "frontdesk.env.everywhere" -}}
{{- $v := .root.Values -}}
- name: ENVIRONMENT
  value: {{ $v.environment }}
{{- with $v.securityProfile }}
- name: SECURITY_PROFILE
  value: {{ . }}
{{- end }}
- name: RUST_LOG
  value: {{ $v.log.filter | quote }}
- name: LOG_FORMAT
  value: {{ $v.log.format }}
{{- end -}}

{{/* The same, of what serves or signs. */}}
{{- define "frontdesk.env.shared" -}}
{{- $v := .root.Values -}}
{{- include "frontdesk.env.everywhere" . }}
- name: LISTEN
  value: {{ printf "%s:%d" $v.listenAddress (int .c.facts.port) | quote }}
- name: PASSPORT_KEYS
  value: /etc/frontdesk/passports/keyring.json
{{- end -}}

{{/* Settings of a service that `create-admin` reads as well. */}}
{{- define "frontdesk.env.service" -}}
- name: DATABASE_POOL
  value: {{ int .c.set.databasePool | quote }}
{{ include "frontdesk.env.restored" . }}
{{ include "frontdesk.env.stores" . }}
{{- end -}}

{{/* Settings of a service that its migration reads as well, after a restore. */}}
{{- define "frontdesk.env.restored" -}}
{{- $v := .root.Values -}}
- name: DATABASE_POOLER
  value: {{ $v.postgres.pooler }}
{{- if $v.redis.ca.existingSecret }}
- name: REDIS_CA_FILE
  value: /etc/frontdesk/redis/ca.crt
{{- end }}
{{- end -}}

{{/* How Postgres and Redis are reached, where TLS is not what encrypts. */}}
{{- define "frontdesk.env.stores" -}}
{{- if eq .root.Values.transport.stores "mesh" -}}
- name: STORES_MESH
  value: "1"
{{- end }}
{{- end -}}

{{/* Secrets that a container reads from files: by their folder under /etc/frontdesk/secrets, the secret and its key for
     each setting. "owner" is as for mounts. */}}
{{- define "frontdesk.secretFiles" -}}
{{- $v := .root.Values -}}
{{- $service := eq .c.facts.kind "service" -}}
{{- $found := dict -}}
{{- $own := dict -}}
{{- if and $service (or (not .owner) $v.migrations.afterRestore) -}}
{{- $_ := set $own "DATABASE_URL" "database-url" -}}
{{- $redis := dict -}}
{{- if .c.facts.redis }}{{ $_ := set $redis "REDIS_URL" "redis-url" }}{{ end -}}
{{- if .c.facts.cache }}{{ $_ := set $redis "CACHE_URL" "cache-url" }}{{ end -}}
{{- if $redis }}{{ $_ := set $found "redis" (dict "secret" $v.redis.existingSecret "keys" $redis) }}{{ end -}}
{{- end -}}
{{- if .owner -}}
{{- $_ := set $found "migration" (dict "secret" .c.secret.migration "keys" (dict "MIGRATION_URL" "migration-url")) -}}
{{- else -}}
{{- $own = merge $own (.c.facts.secrets | default dict) -}}
{{- if and (eq .name "auth") $v.mail.existingSecret -}}
{{- $_ := set $found "mail" (dict "secret" $v.mail.existingSecret "keys" (dict "SMTP_URL" "smtp-url")) -}}
{{- end -}}
{{- if and (eq .name "auth") $v.google.clientId -}}
{{- $_ := set $found "google" (dict "secret" $v.google.existingSecret "keys" (dict "GOOGLE_CLIENT_SECRET" "client-secret")) -}}
{{- end -}}
{{- if and (eq .name "calendar-sync") $v.google.calendar.clientId -}}
{{- $_ := set $found "google-calendar" (dict "secret" $v.google.calendar.existingSecret "keys" (dict "GOOGLE_CALENDAR_CLIENT_SECRET" "client-secret")) -}}
{{- end -}}
{{- if and (eq .name "telemetry") $v.recordings.url $v.recordings.existingSecret -}}
{{- $_ := set $found "recordings" (dict "secret" $v.recordings.existingSecret "keys" (dict "RECORDINGS_ACCESS_KEY_ID" "access-key-id" "RECORDINGS_SECRET_ACCESS_KEY" "secret-access-key")) -}}
{{- end -}}
{{- if and (has "model" (.c.facts.outside | default list)) $v.agentModel.url $v.agentModel.existingSecret -}}
{{- $_ := set $found "agent-model" (dict "secret" $v.agentModel.existingSecret "keys" (dict "AGENT_MODEL_KEY" "api-key")) -}}
{{- end -}}
{{- end -}}
{{- if $own }}{{ $_ := set $found "own" (dict "secret" .c.secret.own "keys" $own) }}{{ end -}}
{{- toYaml $found -}}
{{- end -}}

{{- define "frontdesk.env.files" -}}
{{- range $folder, $from := include "frontdesk.secretFiles" . | fromYaml }}
{{- range $setting, $key := $from.keys }}
- name: {{ $setting }}_FILE
  value: /etc/frontdesk/secrets/{{ $folder }}/{{ $key }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "frontdesk.env.own" -}}
{{- $v := .root.Values -}}
{{- include "frontdesk.env.files" . }}
{{- if or (has .name (list "auth" "tenancy" "calendar-sync")) (eq .c.facts.kind "door") }}
- name: PUBLIC_URL
  value: {{ $v.publicUrl | quote }}
{{- end }}
{{- if eq .name "tenancy" }}
- name: RETELL_API_URL
  value: {{ $v.voicePlatforms.retell | quote }}
- name: VAPI_API_URL
  value: {{ $v.voicePlatforms.vapi | quote }}
- name: ELEVENLABS_API_URL
  value: {{ $v.voicePlatforms.elevenlabs | quote }}
- name: TWILIO_API_URL
  value: {{ $v.voicePlatforms.twilio | quote }}
{{- end }}
{{- if and (or (eq .name "auth") .c.facts.web) $v.allowedOrigins }}
- name: ALLOWED_ORIGINS
  value: {{ join "," $v.allowedOrigins | quote }}
{{- end }}
{{- if eq .c.facts.kind "door" }}
- name: DOORS
  value: {{ .c.facts.door }}
- name: TRUSTED_PROXIES
  value: {{ $v.trustedProxies | quote }}
{{- end }}
{{- if .c.facts.web }}
- name: WEB_ROOT
  value: /srv/web
{{- if not (kindIs "invalid" $v.requestsPerSecond) }}
- name: REQUESTS_PER_SECOND
  value: {{ int $v.requestsPerSecond | quote }}
{{- end }}
{{- end }}
{{- if eq .name "calendar-sync" }}
- name: SYNC_INTERVAL
  value: {{ $v.syncInterval }}
{{- if $v.providerProfiles.existingConfigMap }}
- name: PROVIDER_PROFILES
  value: /etc/frontdesk/provider-profiles
{{- end }}
{{- with $v.google.calendar.clientId }}
- name: GOOGLE_CALENDAR_CLIENT_ID
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if and (eq .name "telemetry") $v.recordings.url }}
{{- with $v.recordings }}
- name: RECORDINGS_URL
  value: {{ .url | quote }}
{{- with .endpoint }}
- name: RECORDINGS_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with .region }}
- name: RECORDINGS_REGION
  value: {{ . | quote }}
{{- end }}
{{- if .ca.existingSecret }}
- name: RECORDINGS_CA_FILE
  value: /etc/frontdesk/recordings/ca.crt
{{- end }}
- name: RECORDINGS_PATH_STYLE
  value: {{ .pathStyle | quote }}
{{- end }}
{{- end }}
{{- if eq .name "auth" }}
{{- if $v.mail.existingSecret }}
- name: MAIL_FROM
  value: {{ $v.mail.from | quote }}
{{- end }}
{{- if $v.mail.ca.existingSecret }}
- name: SMTP_CA_FILE
  value: /etc/frontdesk/mail/ca.crt
{{- end }}
{{- with $v.google.clientId }}
- name: GOOGLE_CLIENT_ID
  value: {{ . | quote }}
- name: OIDC_ISSUER
  value: {{ $v.google.issuer }}
{{- end }}
{{- end }}
{{- if has "model" (.c.facts.outside | default list) }}
{{- with $v.agentModel.url }}
- name: AGENT_MODEL_URL
  value: {{ . | quote }}
- name: AGENT_MODEL
  value: {{ $v.agentModel.name | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* How other services are called. */}}
{{- define "frontdesk.env.transport" -}}
{{- $scheme := "https" -}}
{{- if eq .root.Values.transport.mode "mesh" -}}
{{- $scheme = "http" -}}
- name: MESH
  value: "1"
{{- else -}}
- name: TLS_CERT
  value: /etc/frontdesk/tls/tls.crt
- name: TLS_KEY
  value: /etc/frontdesk/tls/tls.key
- name: TLS_CA
  value: /etc/frontdesk/tls/ca.crt
{{- end }}
{{- $all := include "frontdesk.components" .root | fromYaml }}
{{- range $name, $peer := $all }}
{{- if and (eq $peer.facts.kind "service") (has $name $.c.facts.peers) }}
- name: {{ $name | upper | replace "-" "_" }}_URL
  value: {{ printf "%s://%s-%s:%d" $scheme (include "frontdesk.fullname" $.root) $name (int $peer.facts.port) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* How a process stops: what it is given before it is killed, without the lame-duck time and the end's own. */}}
{{- define "frontdesk.env.stop" -}}
- name: LAME_DUCK_SECONDS
  value: {{ int .c.set.lameDuckSeconds | quote }}
- name: DRAIN_SECONDS
  value: {{ sub (sub (int .c.set.terminationGracePeriodSeconds) (int .c.set.lameDuckSeconds)) 20 | quote }}
{{- end -}}

{{- define "frontdesk.env.telemetry" -}}
{{- with include "frontdesk.otlp" .root | fromYaml }}
{{- range $name, $endpoint := . }}
- name: {{ $name }}
  value: {{ $endpoint }}
{{- end }}
- name: OTEL_EXPORTER_OTLP_PROTOCOL
  value: {{ $.root.Values.otel.protocol }}
- name: OTEL_METRIC_EXPORT_INTERVAL
  value: {{ mul 1000 (int $.root.Values.otel.metricsInterval) | quote }}
- name: OTEL_TRACES_SAMPLER
  value: {{ $.root.Values.otel.sampler }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ $.root.Values.otel.samplerArg | quote }}
- name: POD_NAME
  valueFrom:
    fieldRef:
      apiVersion: v1
      fieldPath: metadata.name
- name: NODE_NAME
  valueFrom:
    fieldRef:
      apiVersion: v1
      fieldPath: spec.nodeName
- name: OTEL_RESOURCE_ATTRIBUTES
  value: k8s.namespace.name={{ $.root.Release.Namespace }},k8s.deployment.name={{ include "frontdesk.fullname" $.root }}-{{ $.name }},k8s.pod.name=$(POD_NAME),k8s.node.name=$(NODE_NAME)
{{- end }}
{{- end -}}

{{/* A migration is told of the database alone, and after a restore of what is emptied and woken as well. */}}
{{- define "frontdesk.env.migration" -}}
{{- include "frontdesk.env.everywhere" . }}
{{ include "frontdesk.env.stores" . }}
{{- if .root.Values.migrations.afterRestore }}
{{ include "frontdesk.env.restored" . }}
{{- end }}
{{- include "frontdesk.env.files" . }}
{{- end -}}

{{/* Another Job calls no service and needs no certificate, which may not be issued yet when a hook runs. */}}
{{- define "frontdesk.env.job" -}}
{{- include "frontdesk.env.shared" . }}
{{ include "frontdesk.env.service" . }}
{{- include "frontdesk.env.own" . }}
- name: MESH
  value: "1"
{{- end -}}

{{/* Volumes and their mounts; "tls" leaves certificates out where it is false, "owner" what a migration does not read. */}}
{{- define "frontdesk.mounts" -}}
{{- if not .owner }}
- name: passports
  mountPath: /etc/frontdesk/passports
  readOnly: true
{{- end }}
{{- if and .tls (ne .root.Values.transport.mode "mesh") }}
- name: tls
  mountPath: /etc/frontdesk/tls
  readOnly: true
{{- end }}
{{- if and (eq .c.facts.kind "service") .root.Values.postgres.ca.existingSecret }}
- name: postgres-ca
  mountPath: /etc/frontdesk/postgres
  readOnly: true
{{- end }}
{{- if and (eq .c.facts.kind "service") (or (not .owner) .root.Values.migrations.afterRestore) .root.Values.redis.ca.existingSecret }}
- name: redis-ca
  mountPath: /etc/frontdesk/redis
  readOnly: true
{{- end }}
{{- range $folder, $_ := include "frontdesk.secretFiles" . | fromYaml }}
- name: secret-{{ $folder }}
  mountPath: /etc/frontdesk/secrets/{{ $folder }}
  readOnly: true
{{- end }}
{{- if and (eq .name "auth") (not .owner) .root.Values.mail.ca.existingSecret }}
- name: mail-ca
  mountPath: /etc/frontdesk/mail
  readOnly: true
{{- end }}
{{- if and (eq .name "calendar-sync") (not .owner) .root.Values.providerProfiles.existingConfigMap }}
- name: provider-profiles
  mountPath: /etc/frontdesk/provider-profiles
  readOnly: true
{{- end }}
{{- if and (eq .name "telemetry") (not .owner) .root.Values.recordings.url .root.Values.recordings.ca.existingSecret }}
- name: recordings-ca
  mountPath: /etc/frontdesk/recordings
  readOnly: true
{{- end }}
{{- if eq (.c.facts.door | default "") "voice" }}
- name: recordings
  mountPath: /tmp
{{- end }}
{{- end -}}

{{- define "frontdesk.volumes" -}}
{{- if not .owner }}
- name: passports
  secret:
    secretName: {{ .c.secret.passports }}
    defaultMode: 0440
    items:
      - key: keyring.json
        path: keyring.json
{{- end }}
{{- if and .tls (ne .root.Values.transport.mode "mesh") }}
- name: tls
  secret:
    secretName: {{ .c.secret.tls }}
    defaultMode: 0440
{{- end }}
{{- if and (eq .c.facts.kind "service") .root.Values.postgres.ca.existingSecret }}
- name: postgres-ca
  secret:
    secretName: {{ .root.Values.postgres.ca.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ .root.Values.postgres.ca.key }}
        path: ca.crt
{{- end }}
{{- if and (eq .c.facts.kind "service") (or (not .owner) .root.Values.migrations.afterRestore) .root.Values.redis.ca.existingSecret }}
- name: redis-ca
  secret:
    secretName: {{ .root.Values.redis.ca.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ .root.Values.redis.ca.key }}
        path: ca.crt
{{- end }}
{{- range $folder, $from := include "frontdesk.secretFiles" . | fromYaml }}
- name: secret-{{ $folder }}
  secret:
    secretName: {{ $from.secret }}
    defaultMode: 0440
    items:
      {{- range $setting, $key := $from.keys }}
      - key: {{ $key }}
        path: {{ $key }}
      {{- end }}
{{- end }}
{{- if and (eq .name "auth") (not .owner) .root.Values.mail.ca.existingSecret }}
- name: mail-ca
  secret:
    secretName: {{ .root.Values.mail.ca.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ .root.Values.mail.ca.key }}
        path: ca.crt
{{- end }}
{{- if and (eq .name "calendar-sync") (not .owner) .root.Values.providerProfiles.existingConfigMap }}
- name: provider-profiles
  configMap:
    name: {{ .root.Values.providerProfiles.existingConfigMap }}
{{- end }}
{{- if and (eq .name "telemetry") (not .owner) .root.Values.recordings.url .root.Values.recordings.ca.existingSecret }}
- name: recordings-ca
  secret:
    secretName: {{ .root.Values.recordings.ca.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ .root.Values.recordings.ca.key }}
        path: ca.crt
{{- end }}
{{- /* Recordings that a platform delivers are written here until their signature is checked: four of 48 MiB at most. */}}
{{- if eq (.c.facts.door | default "") "voice" }}
- name: recordings
  emptyDir:
    sizeLimit: 256Mi
{{- end }}
{{- end -}}

{{/* Services answer kubelet by gRPC on a port of plain text, doors over HTTP. Liveness asks nothing
     but whether the process answers. */}}
{{- define "frontdesk.probes" -}}
{{- $service := eq .c.facts.kind "service" -}}
{{- range $probe, $path := dict "startupProbe" "/healthz" "readinessProbe" "/readyz" "livenessProbe" "/healthz" }}
{{ $probe }}:
  {{- if $service }}
  grpc:
    port: 7100
  {{- else }}
  httpGet:
    path: {{ $path }}
    port: http
  {{- end }}
  timeoutSeconds: 3
  {{- if eq $probe "startupProbe" }}
  periodSeconds: 1
  failureThreshold: 120
  {{- else if eq $probe "readinessProbe" }}
  periodSeconds: 5
  failureThreshold: 2
  {{- else }}
  periodSeconds: 10
  failureThreshold: 3
  {{- end }}
{{- end }}
{{- end -}}
