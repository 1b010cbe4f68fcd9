import { messageOf, TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { parseTemplate, renderTemplate } from '@/lib/template/template';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { defaultText } from '../package/default-text';
import { splitDocuments } from '../rendering/decode';
import { unwrapParameter } from '../rendering/unwrap';
import type { ChartParameter } from './chart-values';
import type { ChartRelease } from './evaluate-chart';

const ENVIRONMENT = {
  clock: { now: () => 1_600_000_000_000 },
  random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'chart'),
  hasDraftKeys: true,
};

/** What the templates of a converted package see. */
export function packageVariables(
  parameters: readonly ChartParameter[],
  release: ChartRelease,
  about: { readonly operator: string; readonly version: string; readonly appVersion: string },
  values: ReadonlyMap<string, JsonValue> = new Map(),
): JsonObject {
  const entries = parameters.map(({ name, type, value }) => {
    const given = values.get(name) ?? value;
    const text = given === null ? '' : defaultText(given, type);
    return [name, unwrapParameter({ name, 'value-type': type }, text) ?? null] as const;
  });
  return {
    Name: release.name,
    Namespace: release.namespace,
    OperatorName: about.operator,
    OperatorVersion: about.version,
    AppVersion: about.appVersion,
    PlanName: 'deploy',
    PhaseName: 'deploy',
    StepName: 'deploy',
    Pipes: {},
    Params: Object.fromEntries(entries),
  };
}

/** The objects of a text as JSON, or the error that it gives. */
export function renderedObjects(render: () => string): { readonly objects: string } | { readonly error: string } {
  try {
    const values = splitDocuments(render()).map((piece) => {
      const read = readYamlAsKubernetes(piece.replace(/^[ \t]*(#[^\n]*)?\n/, '\n'));
      if (!read.ok) throw new TerminalError(read.problems[0]?.message ?? '', 'YamlInvalid');
      return withoutNothing(read.value);
    });
    return { objects: JSON.stringify(values.filter((each) => each !== null).map(sorted)) };
  } catch (error) {
    if (error instanceof TerminalError) return { error: messageOf(error) };
    throw error;
  }
}

/** Renders a template of the package. @throws TemplateError */
export function renderPackageTemplate(name: string, text: string, variables: JsonObject): string {
  return renderTemplate(parseTemplate(name, text), variables, { environment: ENVIRONMENT });
}

/** A member without a value is no member for Kubernetes. */
function withoutNothing(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNothing(member)]));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/** Other values of a parameter, with which chart and package have to give the same objects. */
export function changedValues({ type, value }: ChartParameter): JsonValue[] {
  switch (type) {
    case 'boolean':
      return [value !== true];
    case 'integer':
      return [Number(value) + 1, 0];
    case 'number':
      return [Number(value) + 0.5];
    case 'string':
      if (value === '' || value === null) return ['changed'];
      return [`${String(value)}${String(value).includes('\n') ? '\n' : '-'}changed`, ''];
    case 'array':
      return Array.isArray(value) && value.length > 0
        ? [[], value.slice(0, 1)]
        : [['changed'], [{ name: 'changed', value: 'x' }]];
    case 'map':
      return isJsonObject(value) && Object.keys(value).length > 0 ? [{}] : [{ changed: 'yes' }];
  }
}

/** The overrides that set one path. */
export function overrideAt(path: readonly string[], value: JsonValue): JsonObject {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : overrideAt(rest, value) };
}
