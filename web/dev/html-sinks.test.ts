import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What makes HTML, scripts or styles of text, or an address of a script. What people enter reaches all of the page. */
const SINKS =
  /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*\+?=|insertAdjacentHTML|document\.write|createContextualFragment|parseFromString|setHTMLUnsafe|srcdoc|srcDoc|\beval\s*\(|new Function\s*\(|javascript:/;

const src = fileURLToPath(new URL('../src/', import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^(?:gen|testing)\//.test(path),
);

test('no page makes HTML or scripts of text', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((path) => SINKS.test(readFileSync(src + path, 'utf8')))).toEqual([]);
});

test('what would make them is found', () => {
  for (const sink of [
    '<p dangerouslySetInnerHTML={x} />',
    'box.innerHTML = x',
    'eval(x)',
    '<a href="javascript:x">',
  ]) {
    expect(sink).toMatch(SINKS);
  }
});
