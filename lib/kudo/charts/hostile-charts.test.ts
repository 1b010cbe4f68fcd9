import { describe, expect, it } from 'vitest';
import { chartToPackage } from './chart-to-package';
import { readChart } from './read-chart';

/** `e2e/security/fuzz.test.ts` makes random ones. */
describe('charts from outside', () => {
  it('definitions that include each other twice, many levels deep, are refused', () => {
    const levels = Array.from(
      { length: 40 },
      (_, level) => `{{ define "d${level}" }}{{ include "d${level + 1}" . }}\n{{ include "d${level + 1}" . }}{{ end }}`,
    );
    const files = new Map([
      ['Chart.yaml', 'name: x\nversion: 1.0.0'],
      ['templates/_helpers.tpl', `${levels.join('\n')}{{ define "d40" }}x{{ end }}`],
      ['templates/a.yaml', 'a: {{ include "d0" . }}'],
    ]);
    const read = readChart(files);
    const result = read.ok ? chartToPackage(read.chart) : read;
    expect(result).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('more than') }] });
  });

  it('charts in charts have a limit', () => {
    const files = new Map<string, string>();
    let folder = '';
    for (let depth = 0; depth < 10; depth++) {
      files.set(`${folder}Chart.yaml`, `name: c${depth}\nversion: 1.0.0`);
      folder += `charts/c${depth + 1}/`;
    }
    expect(readChart(files)).toMatchObject({ ok: false });
  });
});
