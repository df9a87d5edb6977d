// The dashboards of the chart, drawn from the files that Grafana reads, and the state of the alerts.

import { color, graph, shown } from "./graph.js";
import { alerts, filled, series, services } from "./prometheus.js";

const DASHBOARDS = ["overview", "scheduling", "calls", "sync", "security", "runtime", "business"];
const REFRESH_MS = 10_000;

const [nav, main, service, range] = ["pages", "page", "service", "range"].map((id) => document.getElementById(id));
const runbook = document.getElementById("runbook");

function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

async function open(name) {
  const answer = await fetch(`../runbooks/${name}.md`);
  runbook.querySelector("pre").textContent = await answer.text();
  runbook.showModal();
}

function runbookLink(name) {
  const link = element("a", { href: `../runbooks/${name}.md`, textContent: `Runbook: ${name}` });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    open(name);
  });
  return link;
}

function named(target, labels) {
  return target.legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? "").trim() || "(none)";
}

function at(points, time) {
  if (time === undefined) return points.at(-1)?.[1];
  return points.findLast(([when]) => when <= time)?.[1];
}

/** Draws a panel's series into `place`. */
function fill(place, panel, lines) {
  const unit = panel.fieldConfig.defaults.unit;
  if (lines.every((line) => line.points.length === 0)) {
    place.replaceChildren(element("div", { className: "empty" }, "No data in this time."));
    return;
  }
  const numbers = lines.map(() => element("b"));
  const show = (time) => numbers.forEach((number, index) => {
    number.textContent = shown(at(lines[index].points, time), unit);
  });
  const legend = element("div", { className: "legend" }, ...lines.map((line, index) => {
    const mark = element("i");
    mark.style.background = color(index);
    return element("span", {}, mark, `${line.name} `, numbers[index]);
  }));
  const limits = (panel.fieldConfig.defaults.thresholds?.steps ?? []).flatMap(({ value }) => value ?? []);
  const drawn = graph(lines, { unit, limits, range: Number(range.value), pointed: show });
  const large = panel.type === "stat" && lines.length === 1;
  const number = element("div", { className: "number" }, shown(at(lines[0].points), unit));
  show();
  place.replaceChildren(...(large ? [number] : [drawn, legend]));
}

async function refresh(place, panel) {
  try {
    const found = await Promise.all(panel.targets.map(async (target) => {
      const lines = await series(target.expr, service.value, Number(range.value));
      return lines.map((line) => ({ ...line, name: named(target, line.labels) }));
    }));
    fill(place, panel, found.flat());
  } catch (error) {
    place.replaceChildren(element("div", { className: "failed" }, String(error)));
  }
}

function card(panel) {
  const place = element("div");
  const names = panel.links.map((link) => link.url.split("/").at(-1));
  const queries = element("details", {},
    element("summary", {}, panel.targets.length === 1 ? "Query" : "Queries"),
    ...panel.targets.map((target) => element("pre", {}, filled(target.expr, service.value, 15))));
  const article = element("article", {},
    element("h3", {}, panel.title), element("p", {}, panel.description), place,
    element("div", { className: "links" }, ...names.map(runbookLink)), queries);
  article.style.gridColumn = `span ${panel.gridPos.w}`;
  return { article, refresh: () => refresh(place, panel) };
}

async function dashboard(name) {
  const answer = await fetch(`../dashboards/${name}.json`);
  const { panels } = await answer.json();
  const refreshes = [];
  main.replaceChildren(...panels.map((panel) => {
    if (panel.type === "row") return element("h2", {}, panel.title);
    const made = card(panel);
    refreshes.push(made.refresh);
    return made.article;
  }));
  return () => Promise.all(refreshes.map((again) => again()));
}

async function alertsPage() {
  const body = element("tbody");
  const heads = ["State", "Alert", "Severity", "What", "Query"].map((text) => element("th", {}, text));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
  const article = element("article", {}, table);
  article.style.gridColumn = "1 / -1";
  main.replaceChildren(article);
  return async () => {
    const rules = (await alerts()).sort((a, b) => a.state.localeCompare(b.state) || a.name.localeCompare(b.name));
    body.replaceChildren(...rules.map((rule) => {
      const summaries = rule.alerts.map((alert) => alert.annotations.summary);
      const link = runbookLink(rule.name);
      link.textContent = rule.name;
      return element("tr", {},
        element("td", { className: rule.state }, rule.state), element("td", {}, link),
        element("td", {}, rule.labels.severity), element("td", {}, summaries.join("\n") || "–"),
        element("td", {}, element("details", {}, element("summary", {}, "Query"), element("pre", {}, rule.query))));
    }));
  };
}

let again = async () => {};

async function show() {
  const name = location.hash.slice(1) || "overview";
  nav.replaceChildren(...[...DASHBOARDS, "alerts"].map((page) => {
    const link = element("a", { href: `#${page}` }, page);
    if (page === name) link.setAttribute("aria-current", "page");
    return link;
  }));
  again = name === "alerts" ? await alertsPage() : await dashboard(name);
  await again();
}

async function listServices() {
  const found = [["all", ".*"], ...(await services()).map((name) => [name, name])];
  service.replaceChildren(...found.map(([text, value]) => element("option", { value }, text)));
}

addEventListener("hashchange", show);
service.addEventListener("change", show);
range.addEventListener("change", () => again());
setInterval(() => document.hidden || again(), REFRESH_MS);
await listServices();
await show();
