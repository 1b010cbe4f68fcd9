import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { functionTable } from './functions/table';
import { readTemplate, renderTemplate, TemplateError } from './template';
import { renderError, renderTemplateText } from './testing/render';

describe('a template', () => {
  it.each([
    '.constructor',
    '.Params.constructor',
    '.Params.__proto__',
    '.Params.toString',
    '.Params.hasOwnProperty',
    '.Name.constructor',
    '.list.length',
    '(index .list 0).constructor',
  ])('sees own members only: %s', (expression) => {
    expect(renderError(`{{ ${expression} }}`, { Params: { A: 'a' }, Name: 'x', list: ['x'] }).failure).toBe('exec');
  });

  it('treats a member named __proto__ like any other', () => {
    const values = JSON.parse('{"Params":{"__proto__":{"polluted":true},"a":1}}') as object;
    expect(renderTemplateText('{{ .Params.__proto__.polluted }} {{ toJson .Params }}', values)).toBe(
      'true {"__proto__":{"polluted":true},"a":1}',
    );
    expect(
      renderTemplateText('{{ $d := dict "__proto__" (dict "polluted" true) }}{{ merge (dict) $d | toJson }}'),
    ).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('never changes its input values', () => {
    const values = { Params: { map: { a: 1 }, list: [1] } };
    const before = JSON.stringify(values);
    renderTemplateText(
      '{{ $_ := set .Params.map "b" 2 }}{{ $_ := unset .Params "list" }}{{ $_ := merge .Params.map (dict "c" 3) }}',
      values,
    );
    expect(JSON.stringify(values)).toBe(before);
  });

  it.each(['env', 'expandenv'])('cannot call %s, and the error explains why', (name) => {
    const error = renderError(`a\n{{ ${name} "HOME" }}`);
    expect(error.goMessage).toBe(
      `template: t:2: function "${name}" not defined (templates cannot read the environment)`,
    );
  });

  it('resolves no host names', () => {
    expect(renderTemplateText('{{ getHostByName "10.0.0.1" }}')).toBe('10.0.0.1');
    expect(renderError('{{ getHostByName "example.com" }}').goMessage).toContain('cannot look up names');
  });

  it.each(['constructor', '__proto__', 'valueOf', 'hasOwnProperty'])('has no function %s', (name) => {
    expect(renderError(`{{ ${name} 1 }}`).goMessage).toContain('not defined');
  });

  it('keeps to a budget that the caller sets', () => {
    const error = renderError('{{ range 100 }}x{{ end }}', {}, { budget: { steps: 50 } });
    expect(error.failure).toBe('budget');
    expect(renderError('{{ repeat 100 "x" }}', {}, { budget: { outputBytes: 50 } }).failure).toBe('budget');
    expect(renderTemplateText('{{ range 40 }}x{{ end }}', {}, { budget: { steps: 100 } })).toHaveLength(40);
  });
});

const FUNCTIONS = Object.keys(functionTable('sprig3')).filter(
  // Slow by nature; the budget of their own is tested elsewhere.
  (name) => !/^(gen|derivePassword|bcrypt|htpasswd)/.test(name),
);
const VALUES = {
  Name: 'fuzz',
  Params: { TEXT: 'a b é', NUMBER: 1.5, LIST: ['x', 2, null], MAP: { a: { b: 1 } }, NIL: null, __proto__: null },
};

const operand = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '.Name',
      '.Params.TEXT',
      '.Params.NUMBER',
      '.Params.LIST',
      '.Params.MAP',
      '.Params.NIL',
      '.',
      '$',
      'nil',
      'true',
      '""',
      '"(a+)+$"',
      '"%v %5.2f %[9]d %!"',
      '-1',
      '0',
      '7',
      '1e300',
      '9223372036854775807',
      "'x'",
      '`\\x`',
      '1i',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.integer().map(String) },
);
const call = fc
  .tuple(fc.constantFrom(...FUNCTIONS), fc.array(operand, { maxLength: 4 }))
  .map(([name, operands]) => [name, ...operands].join(' '));
const nested = fc
  .tuple(
    fc.constantFrom(...FUNCTIONS),
    fc.array(
      fc.oneof(
        operand,
        call.map((text) => `(${text})`),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([name, operands]) => [name, ...operands].join(' '));
const pipeline = fc.oneof(
  call,
  nested,
  fc.tuple(call, call).map(([a, b]) => `${a} | ${b}`),
  operand,
);
const piece = fc.oneof(
  pipeline.map((text) => `{{ ${text} }}`),
  pipeline.map((text) => `{{ $x := ${text} }}{{ $x }}`),
  fc.tuple(pipeline, pipeline).map(([a, b]) => `{{ range $i, $e := ${a} }}{{ ${b} }}{{ $e }}{{ else }}-{{ end }}`),
  fc.tuple(pipeline, pipeline).map(([a, b]) => `{{ with ${a} }}{{ ${b} }}{{ end }}`),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '{{',
    '}}',
    '{{-',
    '-}}',
    '{{/*',
    '*/}}',
    '{{ end }}',
    '{{ else }}',
    '{{ if',
    '"',
    '`',
    '{{ define "t" }}',
    '{{ template "t" }}',
  ),
);
const template = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(' '));

/** Prototypes and globals by name and identity. */
function surroundings(): string {
  const owners = [
    Object.prototype,
    Array.prototype,
    String.prototype,
    Number.prototype,
    Map.prototype,
    Function.prototype,
  ];
  const names = owners.map((owner) => Object.getOwnPropertyNames(owner).sort().join(','));
  return [...names, Object.getOwnPropertyNames(globalThis).sort().join(',')].join('\n');
}

describe('any text', () => {
  it('results in a text or a declared error, and changes no global state', () => {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(performance.timeOrigin));
    const before = surroundings();
    const given = JSON.stringify(VALUES);
    let rendered = 0;
    console.info(`fuzz seed ${seed} (FUZZ_SEED=${seed} repeats it)`);
    fc.assert(
      fc.property(template, (text) => {
        try {
          const environment = { clock: { now: () => 0 }, random: seededRandom(text) };
          const output = renderTemplate(readTemplate('fuzz', text, 'sprig3'), VALUES, {
            environment,
            budget: { steps: 20_000 },
          });
          expect(typeof output).toBe('string');
          rendered++;
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error;
        }
      }),
      { numRuns: 10_000, seed },
    );
    expect(rendered).toBeGreaterThan(100);
    expect(surroundings()).toBe(before);
    expect(JSON.stringify(VALUES)).toBe(given);
  }, 60_000);
});
