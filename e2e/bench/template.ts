import { readFileSync } from 'node:fs';
import { seededRandom } from '@/lib/random/random';
import type { RenderOptions } from '@/lib/template/contract';
import { parseTemplate, readTemplate, renderTemplate, type Template } from '@/lib/template/template';
import { sharedPath } from '@/test/golden/shared-path';

interface Rendering {
  readonly name: string;
  readonly text: string;
  readonly values: { readonly [name: string]: unknown };
}

interface RealWorld {
  readonly data: { readonly [id: string]: { readonly params: { readonly [name: string]: unknown } } };
  readonly templates: { readonly [id: string]: string };
  readonly cases: readonly {
    readonly name: string;
    readonly templateRef: string;
    readonly dataRef: string;
    readonly vars: { readonly [name: string]: unknown };
    readonly error?: unknown;
  }[];
}

const options: RenderOptions = {
  environment: { clock: { now: () => 1_700_000_000_000 }, random: seededRandom('bench') },
};

/** Renderings a second of published operators' templates in one thread: parsed once (warm), and parsed each time (cold). */
export async function run(): Promise<{ name: string; value: number; unit: string }[]> {
  const renderings = realWorld();
  if (renderings.length === 0) return [];
  const parsed = renderings.map((each): [Template, Rendering] => [parseTemplate(each.name, each.text), each]);
  const warm = measure(() => {
    for (const [template, { values }] of parsed) renderTemplate(template, values, options);
  });
  const cold = measure(() => {
    for (const { name, text, values } of renderings) {
      renderTemplate(readTemplate(name, text, 'sprig3'), values, options);
    }
  });
  return [
    { name: 'template-warm-per-s', value: Math.round(warm * renderings.length), unit: '/s' },
    { name: 'template-cold-per-s', value: Math.round(cold * renderings.length), unit: '/s' },
  ];
}

function realWorld(): Rendering[] {
  const path = sharedPath('golden/templates/realworld.json');
  if (path === undefined) return [];
  const file = JSON.parse(readFileSync(path, 'utf8')) as RealWorld;
  return file.cases
    .filter(({ error }) => error === undefined)
    .map((each) => ({
      name: each.name,
      text: file.templates[each.templateRef] ?? '',
      values: {
        ...each.vars,
        Pipes: pipesOf(each.vars.Pipes),
        Params: paramsOf(file.data[each.dataRef]?.params ?? {}),
      },
    }));
}

function pipesOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '$stringMap' in value ? value.$stringMap : {};
}

/** As KUDO passes them: an empty list that was never set is undefined (`{"$nilSlice":true}` in the file). */
function paramsOf(params: { readonly [name: string]: unknown }): { [name: string]: unknown } {
  const isNil = (value: unknown): boolean => typeof value === 'object' && value !== null && '$nilSlice' in value;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, isNil(value) ? undefined : value]));
}

/** Rounds a second, after warm-up: the best of five series. */
function measure(round: () => void): number {
  for (let warmUp = 0; warmUp < 5; warmUp++) round();
  let best = 0;
  for (let stretch = 0; stretch < 5; stretch++) {
    const start = performance.now();
    let rounds = 0;
    while (performance.now() - start < 300) {
      round();
      rounds++;
    }
    best = Math.max(best, (rounds * 1000) / (performance.now() - start));
  }
  return best;
}
