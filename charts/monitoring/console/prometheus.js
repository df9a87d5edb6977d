// Prometheus' HTTP API, and what Grafana does to a query before it is sent.

async function get(path, parameters = {}) {
  const answer = await fetch(`/api/v1/${path}?${new URLSearchParams(parameters)}`);
  const body = await answer.json();
  if (body.status !== "success") throw new Error(body.error);
  return body.data;
}

/** The services that send metrics. */
export const services = () => get("label/service_name/values");

/** Every rule, with its state. */
export async function alerts() {
  const { groups } = await get("rules", { type: "alert" });
  return groups.flatMap((group) => group.rules);
}

/** The query with Grafana's variables filled in. */
export function filled(expression, service, step) {
  const interval = `${Math.max(60, step + 15)}s`;
  return expression.replaceAll("$__rate_interval", interval).replaceAll("$service", service);
}

/** The series of a query over the last `range` seconds, as [{labels, points: [[time, value]]}]. */
export async function series(expression, service, range) {
  const step = Math.max(5, Math.round(range / 200));
  // Aligned, so that a refreshed graph does not shimmer.
  const end = Math.floor(Date.now() / 1000 / step) * step;
  const query = filled(expression, service, step);
  const { result } = await get("query_range", { query, start: end - range, end, step });
  return result.map(({ metric, values }) => ({
    labels: metric,
    points: values.map(([time, value]) => [time, Number(value)]).filter(([, value]) => Number.isFinite(value)),
  }));
}
