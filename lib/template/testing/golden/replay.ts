import { getAt, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { seededRandom } from '@/lib/random/random';
import type { PrimeKeys } from '../../contract';
import { parseTemplate, renderBytes, TemplateError } from '../../template';
import { toBytes } from '../../value/bytes';
import { ANY_MAP } from '../../value/types';
import { GoMap, type Value } from '../../value/value';
import { decodeGolden } from './decode';
import { type Expectation, type GoldenOutcome, judge } from './judge';

export interface GoldenResult {
  readonly id: string;
  /** What differs, or undefined when the case passes. */
  readonly problem: string | undefined;
}

/** Golden renderings happen at this time when a case does not depend on it. */
const NOW_MS = 1_700_000_000_000;

/** Replays every rendering of one golden file (language, sprig or realworld), in `sprig3` and, where a case has it, `kudo019`. */
export function replayRenderings(file: JsonObject, primeKeys: PrimeKeys): GoldenResult[] {
  const cases = Array.isArray(file.cases) ? file.cases : [];
  return cases.filter(isJsonObject).flatMap((each) => replayCase(file, each, primeKeys));
}

function replayCase(file: JsonObject, each: JsonObject, primeKeys: PrimeKeys): GoldenResult[] {
  const id = stringAt(each, 'id') ?? '?';
  const first = judge(expectationOf(each), render(file, each, 'sprig3', primeKeys));
  const results: GoldenResult[] = [{ id, problem: first }];
  const older = olderExpectation(each);
  if (older !== undefined)
    results.push({ id: `${id} (kudo019)`, problem: judge(older, render(file, each, 'kudo019', primeKeys)) });
  return results;
}

function olderExpectation(each: JsonObject): Expectation | undefined {
  if (isJsonObject(each.kudo019)) return expectationOf(each.kudo019);
  return each.sprig3 === true ? { error: { kind: 'parse' } } : undefined;
}

function expectationOf(value: JsonObject): Expectation {
  const error = getAt(value, 'error');
  if (isJsonObject(error)) {
    return {
      error: {
        kind: stringAt(error, 'kind') ?? 'exec',
        line: typeof error.line === 'number' ? error.line : undefined,
        column: typeof error.column === 'number' ? error.column : undefined,
        message: stringAt(error, 'message'),
      },
    };
  }
  const match = stringAt(value, 'outputMatch');
  if (match !== undefined) return { match };
  const base64 = stringAt(value, 'outputBase64');
  return { output: base64 === undefined ? toBytes(stringAt(value, 'output') ?? '') : atob(base64) };
}

function render(
  file: JsonObject,
  each: JsonObject,
  compatibility: 'sprig3' | 'kudo019',
  primeKeys: PrimeKeys,
): GoldenOutcome {
  const id = stringAt(each, 'id') ?? '';
  const text = stringAt(each, 'template') ?? stringAt(file, 'templates', stringAt(each, 'templateRef') ?? '', 'text');
  const template = text ?? stringAt(file, 'templates', stringAt(each, 'templateRef') ?? '') ?? '';
  try {
    const parsed = parseTemplate(stringAt(each, 'name') ?? 'tpl', template, compatibility);
    const environment = { clock: { now: () => NOW_MS }, random: seededRandom(id), primeKeys };
    return { output: renderBytes(parsed, dataOf(file, each), { environment, compatibility }) };
  } catch (error) {
    if (error instanceof TemplateError) return { error };
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function dataOf(file: JsonObject, each: JsonObject): unknown {
  if (isJsonObject(each.vars))
    return GoMap.of(ANY_MAP, [...decodedMembers(each.vars), ['Params', paramsOf(file, each)]]);
  const reference = stringAt(each, 'dataRef');
  const data = reference === undefined ? each.data : getAt(file, 'data', reference);
  if (data === undefined) return {};
  return data === null ? decodeGolden({ $nilMap: true }) : decodeGolden(data);
}

function paramsOf(file: JsonObject, each: JsonObject): GoMap {
  const params = getAt(file, 'data', stringAt(each, 'dataRef') ?? '', 'params');
  const without = stringAt(each, 'without');
  const members = isJsonObject(params) ? decodedMembers(params) : [];
  return GoMap.of(
    ANY_MAP,
    members.filter(([name]) => name !== without),
  );
}

function decodedMembers(value: JsonObject): [string, Value][] {
  return Object.entries(value).map(([name, member]) => [toBytes(name), decodeGolden(member)]);
}
