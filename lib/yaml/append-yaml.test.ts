import { describe, expect, it } from 'vitest';
import { appendYaml } from './append-yaml';

describe('adding to YAML', () => {
  it('keeps comments and the order of keys', () => {
    const text = '# about\nname: a # the name\nmaintainers:\n- name: B\n';
    expect(appendYaml(text, ['maintainers'], { name: 'C' })).toBe(
      '# about\nname: a # the name\nmaintainers:\n- name: B\n- name: C\n',
    );
  });

  it('creates lists and maps that are missing or empty', () => {
    expect(appendYaml('parameters: []\n', ['parameters'], { name: 'A' })).toBe('parameters:\n- name: A\n');
    expect(appendYaml('name: a\n', ['plans', 'deploy'], { strategy: 'serial' })).toBe(
      'name: a\nplans:\n  deploy:\n    strategy: serial\n',
    );
    expect(appendYaml('plans:\n  deploy: {}\n', ['plans', 'b'], { x: 'yes' })).toBe(
      'plans:\n  deploy: {}\n  b:\n    x: "yes"\n',
    );
  });

  it('reports what is wrong with text that is not YAML', () => {
    expect(() => appendYaml('a: [', ['b'], 1)).toThrow('It cannot be changed');
  });
});
