{{- define "frontdesk.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels by which the pods of one component are found: (dict "root" $ "name" name). */}}
{{- define "frontdesk.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "frontdesk.labels" -}}
{{ include "frontdesk.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Every component by name: what it is (`facts`), how it is set (`set`), the names of its secrets (`secret`). */}}
{{- define "frontdesk.components" -}}
{{- $all := dict -}}
{{- range $name, $facts := .Files.Get "files/components.yaml" | fromYaml -}}
{{- $set := mustMergeOverwrite (deepCopy $.Values.defaults) (deepCopy (get $.Values.components $name | default dict)) -}}
{{- $secret := dict
    "own" ($set.existingSecret | default (printf "frontdesk-%s" $name))
    "migration" ($set.migration.existingSecret | default (printf "frontdesk-%s-migration" $name))
    "passports" ($set.passports.existingSecret | default (printf "frontdesk-%s-passports" $facts.image))
    "tls" ($set.tls.existingSecret | default (printf "%s-%s-tls" (include "frontdesk.fullname" $) $name)) -}}
{{- $_ := set $all $name (dict "facts" $facts "set" $set "secret" $secret) -}}
{{- end -}}
{{- toYaml $all -}}
{{- end -}}

{{/* An image by its digest: (dict "root" $ "image" name). */}}
{{- define "frontdesk.image" -}}
{{- $digest := get .root.Values.image.digests .image | required (printf "image.digests.%s is missing: images are named by digest" .image) -}}
{{- printf "%s/%s@%s" (.root.Values.image.registry | required "image.registry is missing") .image $digest -}}
{{- end -}}

{{/* Where telemetry goes, by the variable that says so; nothing where it stays in the process. */}}
{{- define "frontdesk.otlp" -}}
{{- $v := .Values.otel -}}
{{- if $v.collector.enabled }}
OTEL_EXPORTER_OTLP_ENDPOINT: http://{{ include "frontdesk.fullname" . }}-collector:4317
{{- else }}
{{- with $v.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . }}
{{- end }}
{{- range $signal, $endpoint := $v.endpoints }}
{{- with $endpoint }}
OTEL_EXPORTER_OTLP_{{ upper $signal }}_ENDPOINT: {{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What a pod of ours may be: the `restricted` level, and no token. */}}
{{- define "frontdesk.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "frontdesk.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* Settings that contradict each other, which a schema can't see or would say badly. */}}
{{- define "frontdesk.checks" -}}
{{- $v := .Values -}}
{{- $_ := $v.publicUrl | required "publicUrl is missing: the address people type" -}}
{{- $_ := $v.trustedProxies | required "trustedProxies is missing: networks of the proxies before the doors, or none" -}}
{{- if eq $v.environment "production" -}}
{{- if not (hasPrefix "https://" $v.publicUrl) }}{{ fail "publicUrl: production needs https" }}{{ end -}}
{{- range $v.allowedOrigins }}{{ if not (hasPrefix "https://" .) }}{{ fail "allowedOrigins: production needs https" }}{{ end }}{{ end -}}
{{- if and $v.securityProfile (ne $v.securityProfile "production") }}{{ fail "securityProfile: production runs under the production profile alone" }}{{ end -}}
{{- if not $v.mail.existingSecret }}{{ fail "mail.existingSecret is missing: production sends mail" }}{{ end -}}
{{- end -}}
{{- if and $v.mail.existingSecret (not $v.mail.from) }}{{ fail "mail.from is missing: mail needs a sender" }}{{ end -}}
{{- if and (eq $v.transport.mode "certManager") (not $v.transport.certManager.issuer.name) -}}
{{- fail "transport.certManager.issuer.name is missing" -}}
{{- end -}}
{{- if and $v.google.clientId (not $v.google.existingSecret) }}{{ fail "google.existingSecret is missing: the client needs its secret" }}{{ end -}}
{{- if and $v.google.calendar.clientId (not $v.google.calendar.existingSecret) }}{{ fail "google.calendar.existingSecret is missing: the client needs its secret" }}{{ end -}}
{{- if and $v.agentModel.url (not $v.agentModel.name) }}{{ fail "agentModel.name is missing: an address alone names no model" }}{{ end -}}
{{- if and $v.recordings.endpoint (eq $v.environment "production") (not (hasPrefix "https://" $v.recordings.endpoint)) }}{{ fail "recordings.endpoint: production wants https" }}{{ end -}}
{{- if and $v.agentModel.url (eq $v.environment "production") (not (hasPrefix "https://" $v.agentModel.url)) }}{{ fail "agentModel.url: production wants https" }}{{ end -}}
{{- if and $v.otel.collector.enabled (or $v.otel.endpoint $v.otel.endpoints.traces $v.otel.endpoints.metrics $v.otel.endpoints.logs) -}}
{{- fail "otel: the collector or an endpoint, not both" -}}
{{- end -}}
{{- if and $v.otel.collector.enabled (ne $v.otel.protocol "grpc") }}{{ fail "otel.protocol: the collector takes grpc" }}{{ end -}}
{{- if and $v.monitoring.serviceMonitor.enabled (not $v.otel.collector.enabled) -}}
{{- fail "monitoring.serviceMonitor scrapes the collector: set otel.collector.enabled" -}}
{{- end -}}
{{- if and $v.httpRoute.enabled (not $v.httpRoute.parentRefs) }}{{ fail "httpRoute.parentRefs is missing: which gateway?" }}{{ end -}}
{{- if and $v.helmTest.enabled (not $v.helmTest.businessId) }}{{ fail "helmTest.businessId is missing" }}{{ end -}}
{{- $connections := 0 -}}
{{- range $name, $c := include "frontdesk.components" . | fromYaml -}}
{{- if and $c.set.autoscaling.enabled $c.set.keda.enabled }}{{ fail (printf "components.%s: autoscaling or keda, not both" $name) }}{{ end -}}
{{- if and $c.set.keda.enabled (not $c.set.keda.triggers) }}{{ fail (printf "components.%s.keda.triggers is missing" $name) }}{{ end -}}
{{- if lt (int $c.set.terminationGracePeriodSeconds) (add (int $c.set.lameDuckSeconds) 25 | int) -}}
{{- fail (printf "components.%s.terminationGracePeriodSeconds: too short for lameDuckSeconds, 20 seconds at the end and 5 for what is under way" $name) -}}
{{- end -}}
{{- $scaled := or $c.set.autoscaling.enabled $c.set.keda.enabled -}}
{{- if and $scaled (gt (int $c.set.autoscaling.minReplicas) (int $c.set.autoscaling.maxReplicas)) -}}
{{- fail (printf "components.%s.autoscaling: minReplicas is more than maxReplicas" $name) -}}
{{- end -}}
{{- if eq $c.facts.kind "service" -}}
{{- $pods := ternary $c.set.autoscaling.maxReplicas $c.set.replicas $scaled | int -}}
{{- $connections = add $connections (mul (add1 $pods) (int $c.set.databasePool)) -}}
{{- end -}}
{{- end -}}
{{- $most := int $v.postgres.maxConnections -}}
{{- if and $most (gt (int $connections) $most) -}}
{{- fail (printf "the pools may open %d connections in a rollout, postgres.maxConnections is %d" (int $connections) $most) -}}
{{- end -}}
{{- end -}}
