import { describe, expect, it } from 'vitest';
import type { Parameter } from '@/lib/kudo/types';
import { seededRandom } from '@/lib/random/random';
import { parseTemplate, renderTemplate } from '@/lib/template/template';
import { goldenText } from '@/test/golden/golden-files';
import { unwrapParameter } from './unwrap';

interface Case {
  id: string;
  type?: string;
  value?: string;
  declaration?: string;
  wrapped?: string | null;
  printed?: string;
  toYaml?: string;
  toJson?: string;
  error?: string;
}

const { cases } = JSON.parse(goldenText('templates', 'params.json')) as { cases: Case[] };
const environment = { clock: { now: () => 0 }, random: seededRandom('x') };

describe('unwrapParameter', () => {
  it('gives templates what KUDO gave them, in every golden case', () => {
    expect(cases.length).toBeGreaterThan(200);
    const differences: string[] = [];
    for (const each of cases) {
      const type = each.type ?? /^type: (.*)$/m.exec(each.declaration ?? '')?.[1];
      const text = each.value ?? each.wrapped;
      if (text === undefined || text === null) continue;
      const parameter: Parameter = { name: 'P', ...(type === undefined ? {} : { 'value-type': type }) };
      const printed = printedOf(parameter, text);
      const expected = each.error === undefined ? `${each.printed}|${each.toYaml}|${each.toJson}` : 'error';
      if (printed !== expected)
        differences.push(`${each.id}: ${JSON.stringify(text)} gives ${printed}, not ${expected}`);
    }
    expect(differences).toEqual([]);
  });

  it('leaves numbers and booleans text, and gives empty maps and lists', () => {
    expect(unwrapParameter({ name: 'P', 'value-type': 'integer' }, '3')).toBe('3');
    expect(unwrapParameter({ name: 'P', 'value-type': 'map' }, '')).toBeNull();
    expect(unwrapParameter({ name: 'P', 'value-type': 'array' }, undefined)).toEqual([]);
  });

  it('PRM-13 refuses a list that is none', () => {
    expect(() => unwrapParameter({ name: 'P', 'value-type': 'array' }, 'foo')).toThrow(
      'parameter "P" cannot be read as array',
    );
  });
});

function printedOf(parameter: Parameter, text: string): string {
  try {
    const value = unwrapParameter(parameter, text);
    const template = parseTemplate('t', '{{ .Params.P }}|{{ toYaml .Params.P }}|{{ toJson .Params.P }}');
    return renderTemplate(template, { Params: { P: value } }, { environment });
  } catch {
    return 'error';
  }
}
