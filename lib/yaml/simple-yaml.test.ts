import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSimpleYaml } from './simple-yaml';
import { readWholeYaml, writeYaml } from './yaml';

const read = (text: string) => readSimpleYaml(text, 100);

/** The result of the fast reader, after a check that the full reader returns the same. */
function agreed(text: string): unknown {
  const value = read(text);
  if (value !== undefined) expect(readWholeYaml(text), JSON.stringify(text)).toEqual({ ok: true, value });
  return value;
}

describe('the short way through simple YAML', () => {
  it('reads maps, lists, scalars and literal blocks', () => {
    const text = [
      '---',
      '# a comment',
      'apiVersion: apps/v1',
      'kind: "Deployment"',
      'metadata:',
      "  name: 'x y'",
      '  labels: {}',
      'spec:',
      '  replicas: 3   ',
      '  paused: false',
      '  limits:',
      '    cpu: 500m',
      '  nothing:',
      '  args:',
      '  - name: a',
      '    value: docker.io/x:1.2-b',
      '',
      '  -   name: b',
      '      command: ["sh", "-c"]',
      '  - plain words here',
      'data:',
      '  script: |',
      '    #!/bin/sh',
      '',
      '      echo: "1"  # kept',
      '  short: |-',
      '    one',
      '',
      'last: -12',
      '',
    ].join('\n');
    expect(agreed(text)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x y', labels: {} },
      spec: {
        replicas: 3,
        paused: false,
        limits: { cpu: '500m' },
        nothing: null,
        args: [{ name: 'a', value: 'docker.io/x:1.2-b' }, { name: 'b', command: ['sh', '-c'] }, 'plain words here'],
      },
      data: { script: '#!/bin/sh\n\n  echo: "1"  # kept\n', short: 'one' },
      last: -12,
    });
  });

  it('leaves to the full reader what is not simple', () => {
    const others = [
      ...[
        '',
        'text',
        'a: yes',
        'a: On',
        'y: 1',
        'a: 0644',
        'a: 1.5',
        'a: 1e3',
        'a: 0x1F',
        'a: 1:30',
        'a: ~',
        'a: null',
      ],
      ...[
        'a: &x 1',
        'a: *x',
        'a: !!str 1',
        '<<: {}',
        'a: {b: c}',
        'a: [1, 2]',
        'a: "x\\n"',
        "a: 'it''s'",
        'a: x # note',
      ],
      ...['a: >\n  x\n', 'a: |2\n   x\n', 'a: |+\n  x\n\n', 'a: |\n  x', 'a: |\n', 'a: |\n\tx\n', 'a: |\n   x\n  y\n'],
      ...['a: 1\na: 2', '__proto__: 1', 'a: b\n  c', 'a: b: c', 'a:\n\tb: 1', '- - a', '-\n  a: 1', 'a: "b"\n   c: 1'],
      ...['a: 1\n---\nb: 2', 'a: 1\n...', '%YAML 1.1\n---\na: 1', 'a: ü', 'a:\r\n  b: 1', '"a": 1', '1: a', 'a: b,c'],
      ...[' a: 1\nb: 2', 'a:\n    b: 1\n  c: 2', '- a\nb: 1', 'a: 2001-01-01', 'a: |\n  x\n \n  y\n'],
    ];
    expect(others.filter((text) => read(text) !== undefined)).toEqual([]);
  });

  it('leaves deep nesting to the full reader', () => {
    const nested = (depth: number) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
    expect(readSimpleYaml(nested(10), 10)).toBeDefined();
    expect(readSimpleYaml(nested(11), 10)).toBeUndefined();
  });

  it('agrees with the full reader on generated texts of YAML fragments', () => {
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        'key',
        'yes',
        'null',
        'true',
        ':',
        ': ',
        ':\n',
        '\n',
        '\n\n',
        '\n  ',
        '\n    ',
        '\n- ',
        '\n  - ',
        '  ',
        ' ',
      ],
      ...[
        '|',
        '|-',
        '|\n',
        '"x y"',
        "'z'",
        '1',
        '-7',
        '012',
        '5m',
        '1Gi',
        '{}',
        '["a", "b"]',
        '[]',
        '#',
        ' # c',
        'x/y:1',
        '.',
      ],
      ...[
        '---',
        '---\n',
        '- ',
        '-',
        'two words',
        '"',
        "'",
        '\\',
        '{',
        ']',
        ',',
        '&a',
        '*a',
        '!',
        '@',
        '=',
        '<<',
        '>',
        '\t',
        '0',
      ],
    );
    const entry = fc.tuple(fc.constantFrom('', '  ', '    ', '- ', '  - '), fc.constantFrom('a', 'b', 'c'), part);
    const lines = fc.array(entry, { maxLength: 8 }).map((all) => all.map(([i, k, v]) => `${i}${k}: ${v}\n`).join(''));
    const soup = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          lines,
          soup,
          fc.tuple(lines, soup).map((both) => both.join('')),
        ),
        (text) => void agreed(text),
      ),
      { numRuns: 3_000, seed: 5 },
    );
  });

  it('agrees with the full reader on generated objects, and reads most of them', () => {
    const text = fc.constantFrom(
      'a',
      'x/y:1.2',
      'two words',
      'line\nline\n',
      'no end\n\nx',
      ' ',
      '0644',
      'yes',
      '5m',
      'ü',
      '#',
      '',
    );
    const leaf: fc.Arbitrary<unknown> = fc.oneof(text, fc.integer(), fc.boolean());
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.dictionary(fc.constantFrom('name', 'spec', 'a.b/c', 'x-y', 'k1'), tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }));
    let simple = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('kind', 'data', 'spec'), value), (object) => {
        if (agreed(writeYaml(object)) !== undefined) simple += 1;
      }),
      { numRuns: 1_000, seed: 6 },
    );
    expect(simple).toBeGreaterThan(300);
  });
});
