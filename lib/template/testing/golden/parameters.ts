import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { unwrapValue, wrapParameter } from '@/lib/kudo/rendering/wrap-text';
import { seededRandom } from '@/lib/random/random';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { TemplateBudget } from '../../exec/budget';
import { parseTemplate, renderTemplate } from '../../template';
import { deepEqual } from '../../value/deep-equal';
import { valueFromJson } from '../../value/from-json';
import { decodeGolden } from './decode';
import type { GoldenResult } from './replay';

/** Replays cases of parameters: from the declaration in params.yaml to the stored text, and from there to templates. */
export function replayParameters(file: JsonObject): GoldenResult[] {
  const cases = Array.isArray(file.cases) ? file.cases : [];
  return cases.filter(isJsonObject).map((each) => ({ id: stringAt(each, 'id') ?? '?', problem: replay(each) }));
}

function replay(each: JsonObject): string | undefined {
  const expectsError = each.error !== undefined;
  try {
    const [text, type] =
      each.declaration === undefined ? [stringAt(each, 'value'), stringAt(each, 'type')] : declared(each);
    if ('wrapped' in each && (text ?? null) !== each.wrapped) {
      return `wrapped ${JSON.stringify(text)}; expected ${JSON.stringify(each.wrapped)}`;
    }
    const value = unwrapValue(text, type);
    return expectsError ? `gave ${JSON.stringify(value)}; expected error ${String(each.error)}` : judge(each, value);
  } catch (error) {
    if (expectsError) return undefined;
    return `failed: ${error instanceof Error ? error.message : String(error)}; expected ${JSON.stringify(each.unwrapped)}`;
  }
}

function declared(each: JsonObject): [string | undefined, string | undefined] {
  const read = readYamlAsKubernetes(stringAt(each, 'declaration') ?? '');
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const declaration = isJsonObject(read.value) ? read.value : {};
  const type = stringAt(declaration, 'type');
  return [wrapParameter(declaration.default, type), type];
}

function judge(each: JsonObject, value: JsonValue | undefined): string | undefined {
  if (!deepEqual(valueFromJson(value), decodeGolden(each.unwrapped), new TemplateBudget())) {
    return `gave ${JSON.stringify(value)}; expected ${JSON.stringify(each.unwrapped)}`;
  }
  for (const [field, template] of [
    ['printed', '{{ .Params.P }}'],
    ['toYaml', '{{ toYaml .Params.P }}'],
    ['toJson', '{{ toJson .Params.P }}'],
  ] as const) {
    const environment = { clock: { now: () => 0 }, random: seededRandom('') };
    const output = renderTemplate(parseTemplate('tpl', template), { Params: { P: value } }, { environment });
    if (each[field] !== undefined && output !== each[field]) {
      return `${field} ${JSON.stringify(output)}; expected ${JSON.stringify(each[field])}`;
    }
  }
  return undefined;
}
