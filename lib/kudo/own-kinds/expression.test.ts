import { describe, expect, it } from 'vitest';
import { evaluate } from './expression';
import { readExpression } from './expression-text';

const self = {
  metadata: { name: 'a', namespace: 'n', creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: { size: 3, tags: ['x'] },
};

describe('an expression of api:', () => {
  it.each<[string, unknown]>([
    ['plain text', 'plain text'],
    ['{{ .Name }}-{{ .Spec.size }}', 'a-3'],
    ['${self.spec.size + 1}', 4],
    ['${self.spec.tags}', ['x']],
    ['${self.spec.?zone}', null],
    ['${has(self.spec.zone) ? self.spec.zone : null}', null],
    ['${self.spec.?size.optMap(s, {"n": s * 2})}', { n: 6 }],
    ['{{ now | date "2006-01-02" }}', '2026-01-02'],
    ['a ${self} b', 'a ${self} b'],
  ])('%s', (text, value) => {
    expect(evaluate(text, { self })).toEqual(value);
  });

  it.each([
    ['${self.spec.zone}', 'no such key: zone'],
    ['{{ .Spec.zone }}', 'map has no entry for key "zone"'],
    ['{{ randAlphaNum 8 }}', 'Random functions cannot be used'],
    ['${timestamp("2026-01-01T00:00:00Z")}', 'convert it with string()'],
  ])('%s has no value', (text, message) => {
    expect(() => evaluate(text, { self })).toThrow(message);
  });

  it('only a text that is CEL as a whole is CEL', () => {
    expect(readExpression('${a}').is).toBe('cel');
    expect(readExpression('x ${a}').is).toBe('text');
  });
});
