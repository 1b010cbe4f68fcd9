import { jsonEqual } from '@/lib/json/json';
import type { InstanceSpec, KeySelector, ParameterSource } from '@/lib/kudo/types';

/**
 * Parameters whose values come from a key of a Secret or of a ConfigMap in the Instance's namespace (`spec.parametersFrom`).
 * A source is written `Secret/NAME/KEY` or `ConfigMap/NAME/KEY`: neither names nor keys hold a slash.
 */
export interface Source {
  /** Of the parameter. */
  readonly parameter: string;
  readonly kind: 'Secret' | 'ConfigMap';
  /** Of the object. */
  readonly name: string;
  readonly key: string;
  /** An object or a key that does not exist leaves the parameter at its default. */
  readonly isOptional: boolean;
}

/** The sources of a spec in its order, without those that name no key. */
export function sourcesOf(spec: InstanceSpec | undefined): readonly Source[] {
  return (spec?.parametersFrom ?? []).flatMap((entry) => {
    const [kind, selector] = selectorOf(entry);
    const { name: parameter = '' } = entry;
    const { name = '', key = '', optional = false } = selector ?? {};
    return parameter === '' || name === '' || key === '' ? [] : [{ parameter, kind, name, key, isOptional: optional }];
  });
}

/** The source of a parameter, if it has one. */
export function parameterSourceOf(spec: InstanceSpec | undefined, parameter: string): Source | undefined {
  return sourcesOf(spec).find((source) => source.parameter === parameter);
}

function selectorOf({ secretKeyRef, configMapKeyRef }: ParameterSource): [Source['kind'], KeySelector | undefined] {
  return configMapKeyRef === undefined ? ['Secret', secretKeyRef] : ['ConfigMap', configMapKeyRef];
}

/** `Secret/db-parameters/PASSWORD`: what tells two sources apart. */
export function sourceText({ kind, name, key }: Omit<Source, 'parameter' | 'isOptional'>): string {
  return `${kind}/${name}/${key}`;
}

/** `Secret db-parameters, key PASSWORD`: a source in a sentence. */
export function sourceWords({ kind, name, key }: Omit<Source, 'parameter' | 'isOptional'>): string {
  return `${kind} ${name}, key ${key}`;
}

/** Texts of the sources by parameter. */
export function sourceTexts(spec: InstanceSpec | undefined): { [parameter: string]: string } {
  return Object.fromEntries(sourcesOf(spec).map((source) => [source.parameter, sourceText(source)]));
}

/** What {@link sourceText} gave, read back; undefined for any other text. */
export function parseSource(text: string): Pick<Source, 'kind' | 'name' | 'key'> | undefined {
  const [kind, name = '', key = '', ...rest] = text.split('/');
  if ((kind !== 'Secret' && kind !== 'ConfigMap') || name === '' || key === '' || rest.length > 0) return undefined;
  return { kind, name, key };
}

/** The entry of `spec.parametersFrom` for a source. */
export function sourceEntry(
  parameter: string,
  { kind, name, key }: Pick<Source, 'kind' | 'name' | 'key'>,
): ParameterSource {
  return { name: parameter, [kind === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef']: { name, key } };
}

/** `spec.parametersFrom` that gives these texts (parameter → source); that of `spec` when it gives them already. */
export function entriesFor(
  texts: { readonly [parameter: string]: string },
  spec: InstanceSpec | undefined,
): readonly ParameterSource[] {
  if (jsonEqual(sourceTexts(spec), texts)) return spec?.parametersFrom ?? [];
  return Object.entries(texts).flatMap(([parameter, text]) => {
    const source = parseSource(text);
    return source === undefined ? [] : [sourceEntry(parameter, source)];
  });
}

const OBJECT_NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** True for what can be a key of a Secret or a ConfigMap. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** What is wrong with the sources of a spec, whatever the OperatorVersion says; undefined when nothing is. */
export function sourceProblem(spec: InstanceSpec | undefined): string | undefined {
  const seen = new Set<string>();
  for (const entry of spec?.parametersFrom ?? []) {
    const { name = '' } = entry;
    if (name === '') return 'an entry of spec.parametersFrom has no name: it is to name a parameter';
    const place = `spec.parametersFrom for parameter "${name}"`;
    if (seen.has(name)) return `${place} exists twice`;
    seen.add(name);
    const refs = [entry.secretKeyRef, entry.configMapKeyRef].filter((ref) => ref !== undefined);
    const [ref] = refs;
    if (ref === undefined || refs.length > 1) {
      return `${place} must have exactly one of secretKeyRef and configMapKeyRef`;
    }
    if (!OBJECT_NAME.test(ref.name ?? '')) return `${place} names no object: name "${ref.name ?? ''}" is not valid`;
    if (!isKey(ref.key ?? '')) return `${place} names no key: key "${ref.key ?? ''}" is not valid`;
  }
  return undefined;
}

/** What is said of a parameter with a value and a source. */
export function doubleProblem(parameter: string): string {
  return `parameter "${parameter}" has a value in spec.parameters and a source in spec.parametersFrom: keep one of the two`;
}
