// Graphs as SVG, and values as people read them.

const COLORS = [
  "#2a78d6", "#d9822b", "#2b9f6b", "#c4387f", "#7a5bd0", "#8a7a1f", "#1f98a8", "#c6493c", "#6b7785", "#4f8a10",
];
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [600, 150, 52, 16];

function scaled(value, units) {
  const [factor, suffix] = units.find(([factor]) => Math.abs(value) >= factor) ?? units.at(-1);
  return `${Number((value / factor).toPrecision(3))}${suffix}`;
}

/** A value in a unit of Grafana's. */
export function shown(value, unit) {
  if (value === undefined) return "–";
  if (value === 0) return unit === "percentunit" ? "0 %" : "0";
  switch (unit) {
    case "s": return scaled(value, [[86400, " d"], [3600, " h"], [60, " min"], [1, " s"], [1e-3, " ms"], [1e-6, " µs"]]);
    case "percentunit": return `${Number((value * 100).toPrecision(3))} %`;
    case "reqps": case "ops": return `${Number(value.toPrecision(3))}/s`;
    case "bytes": return scaled(value, [[2 ** 30, " GiB"], [2 ** 20, " MiB"], [2 ** 10, " KiB"], [1, " B"]]);
    default: return scaled(value, [[1e6, " M"], [1e3, " k"], [1, ""]]);
  }
}

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export const color = (number) => COLORS[number % COLORS.length];

/** Lines over time. `pointed` is called with the time under the pointer, or with nothing. */
export function graph(lines, { unit, limits, range, pointed }) {
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  const values = lines.flatMap((line) => line.points.map(([, value]) => value));
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values) * 1.05 || 1];
  const end = Math.max(...lines.flatMap((line) => line.points.map(([time]) => time)));
  const x = (time) => LEFT + ((time - (end - range)) / range) * (WIDTH - LEFT);
  const y = (value) => 4 + (1 - (value - least) / (most - least)) * (HEIGHT - BOTTOM - 4);
  for (const share of [0, 0.5, 1]) {
    const value = least + (most - least) * share;
    svg.append(draw("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }));
    svg.append(draw("text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end" }, shown(value, unit)));
    const time = end - range * (1 - share);
    const label = new Date(time * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const anchor = ["start", "middle", "end"][share * 2];
    svg.append(draw("text", { x: x(time), y: HEIGHT - 2, "text-anchor": anchor }, label));
  }
  for (const limit of limits.filter((limit) => limit <= most)) {
    svg.append(draw("line", { class: "limit", x1: LEFT, x2: WIDTH, y1: y(limit), y2: y(limit) }));
  }
  lines.forEach((line, number) => {
    const points = line.points.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    svg.append(draw("polyline", { class: "series", points, stroke: color(number) }));
  });
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT);
    pointed(end - range * (1 - Math.min(1, Math.max(0, share))));
  });
  svg.addEventListener("pointerleave", () => pointed());
  return svg;
}
