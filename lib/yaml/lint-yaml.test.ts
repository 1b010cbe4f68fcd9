import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { lintYaml } from './lint-yaml';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: {
      type: 'object',
      properties: { name: { type: 'string' }, labels: { type: 'object', additionalProperties: { type: 'string' } } },
    },
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1 },
        members: { type: 'array', items: { type: 'object', properties: { image: { type: 'string' } } } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

/** Severity, the marked text, the message. */
const lint = (text: string, known: JsonSchema | undefined = schema) =>
  lintYaml(text, () => known).map(({ from, to, severity, message }) => [severity, text.slice(from, to), message]);

const head = 'apiVersion: test/v1\nkind: Thing\n';

describe('lintYaml', () => {
  it('has nothing to say of a right object, nor of an empty document', () => {
    expect(lint(`${head}spec:\n  size: 3\n  free: {any: thing}\n---\n# nothing here\n`)).toEqual([]);
    expect(lint('')).toEqual([]);
  });

  it('marks the value that has the wrong type', () => {
    const [[severity, marked, message] = []] = lint(`${head}spec:\n  size: ten\n`);
    expect([severity, marked]).toEqual(['error', 'ten']);
    expect(message).toMatch(/integer/);
  });

  it('marks the parent when something is missing in it', () => {
    expect(lint(`${head}spec:\n  members: []\n`)[0]?.slice(0, 2)).toEqual(['error', 'spec']);
  });

  it('marks an unknown field, inside lists too, and says which was meant', () => {
    expect(lint(`${head}spec:\n  size: 1\n  members:\n    - imgae: x\n`)).toEqual([
      ['warning', 'imgae', '`spec.members[0].imgae` is not a field of this kind. Did you mean image?'],
    ]);
  });

  it('finds a key with dots', () => {
    expect(lint(`${head}metadata:\n  labels:\n    app.kubernetes.io/name: 3\nspec: {size: 1}\n`)[0]?.[1]).toBe('3');
  });

  it('marks broken YAML where it breaks', () => {
    const [[severity, , message] = []] = lint('a: [1\nb: 2\n');
    expect(severity).toBe('error');
    expect(message).not.toContain('line');
  });

  it.each([
    ['kind: Thing\n', 'apiVersion is missing'],
    ['apiVersion: v1\n', 'kind is missing'],
    ['- a\n', 'begins with apiVersion'],
    ['just text\n', 'begins with apiVersion'],
  ])('says what is missing in %j', (text, message) => {
    expect(lint(text)[0]?.[2]).toContain(message);
  });

  it('finds mistakes in the second document at their place', () => {
    const text = `${head}spec: {size: 1}\n---\n${head}spec: {size: 0}\n`;
    const [[, marked] = []] = lint(text);
    expect(marked).toBe('0');
    expect(lintYaml(text, () => schema)[0]?.from).toBe(text.lastIndexOf('0'));
  });

  it('finds all mistakes at once, each with its line and a sentence', () => {
    const text = `${head}spec:\n  size: ten\n  members:\n    - image: 3\n---\n${head}spec: {}\n`;
    expect(lintYaml(text, () => schema).map(({ line, message }) => `Line ${line}: ${message}`)).toEqual([
      'Line 4: `spec.size` must be an integer',
      'Line 6: `spec.members[0].image` must be a string',
      'Line 10: `spec.size` is required',
    ]);
  });

  it("checks the value that Go's reader makes, and says what it refuses", () => {
    expect(lint(`${head}spec: {size: 1_0}\n`)).toEqual([]);
    const text = `${head}spec:\n  size: 1\n  free: {a: !!int x}\n`;
    const [[severity, marked, message] = []] = lint(text);
    expect([severity, message]).toEqual(['error', expect.stringContaining('!!int')]);
    expect(marked).toContain('free');
  });

  it('has nothing to say of a masked value', () => {
    expect(lint(`${head}spec:\n  size: ‹secret›\n`)).toEqual([]);
  });

  it('checks only the YAML where no schema is known', () => {
    expect(lintYaml(`${head}spec: {anything: goes}\n`, () => undefined)).toEqual([]);
  });

  it('says the message of a rule in CEL at its field, and compares with the object before the edit', () => {
    const size: JsonSchema = {
      type: 'integer',
      'x-kubernetes-validations': [
        { rule: 'self % 2 == 1', message: 'must be odd' },
        { rule: 'self >= oldSelf', message: 'cannot shrink' },
      ],
    };
    const ruled: JsonSchema = {
      ...schema,
      properties: { ...schema.properties, spec: { type: 'object', properties: { size } } },
    };
    const lintOver = (text: string, old?: JsonObject) =>
      lintYaml(text, () => ruled, old).map(({ line, severity, message }) => [line, severity, message]);
    const text = `${head}spec:\n  size: 4\n`;
    expect(lintOver(text)).toEqual([[4, 'error', '`spec.size`: must be odd']]);
    expect(lintOver(text.replace('4', '3'), { apiVersion: 'test/v1', kind: 'Thing', spec: { size: 5 } })).toEqual([
      [4, 'error', '`spec.size`: cannot shrink'],
    ]);
  });
});
