import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { canonicalYaml } from './canonical-yaml';

describe('the text that hashes are made of', () => {
  // Made with sigs.k8s.io/yaml.
  it.each<[JsonValue, string]>([
    [{ a: '\n' }, 'a: |2+\n\n'],
    [{ 'a\nb': { c: 1 } }, '? |-\n  a\n  b\n: c: 1\n'],
    [{ a: '2001-13-45', b: '1e400', c: '2001-12-14' }, 'a: 2001-13-45\nb: 1e400\nc: "2001-12-14"\n'],
    [[2 ** 53, 2 ** 64, 1e21, 0.1, -0], '- 9007199254740992\n- 1.8446744073709552e+19\n- 1e+21\n- 0.1\n- 0\n'],
    [{ a10: '', a9: null, b: [], c: {} }, 'a9: null\na10: ""\nb: []\nc: {}\n'],
  ])('of %j is %j', (value, text) => {
    expect(canonicalYaml(value)).toBe(text);
  });

  it('has no limit of length', () => {
    const data = { a: 'x'.repeat(2_000_000), b: Array.from({ length: 300_000 }, () => 'y') };
    expect(canonicalYaml(data).length).toBeGreaterThan(2_000_000);
  });
});
