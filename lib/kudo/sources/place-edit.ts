import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion, ParameterSource } from '@/lib/kudo/types';
import { isKey, parameterSourceOf, sourceEntry } from './parameter-source';

/** The Secret in which the console keeps secret parameters of an Instance, each under its name. */
export function parametersSecret(instance: string): string {
  return `${instance}-parameters`;
}

/** An edit of values, with the place of each. */
export interface PlacedEdit {
  /** Texts to write, by Secret and key. */
  readonly secrets: { readonly [secret: string]: { readonly [key: string]: string } };
  /** For `spec.parameters`; null takes a value away. */
  readonly parameters: { readonly [name: string]: string | null };
  /** For `spec.parametersFrom`; null takes a source away. */
  readonly sources: { readonly [name: string]: ParameterSource | null };
  /** Parameters whose values are in a ConfigMap, which is not edited here. */
  readonly elsewhere: readonly string[];
}

export interface ValueEdit {
  readonly parameters: { readonly [name: string]: string | null };
  /** Keep secret values in the Instance. */
  readonly inline?: boolean;
}

/**
 * Where the values of an edit go: those of secret parameters into the Secret that they come from, or into the Instance's own
 * one ({@link parametersSecret}); all others, and all with `inline`, into the Instance.
 */
export function placeEdit(
  instance: Pick<Instance, 'metadata' | 'spec'>,
  operatorVersion: OperatorVersion | undefined,
  { parameters, inline = false }: ValueEdit,
): PlacedEdit {
  const schema = parameterSchemaOf(operatorVersion);
  const secrets: { [secret: string]: { [key: string]: string } } = {};
  const own: { [name: string]: string | null } = {};
  const sources: { [name: string]: ParameterSource | null } = {};
  const elsewhere: string[] = [];
  const put = (secret: string, key: string, value: string) => {
    secrets[secret] = { ...secrets[secret], [key]: value };
  };
  const ownSecret = parametersSecret(instance.metadata.name ?? '');
  const putIntoOwn = (name: string, value: string) => {
    put(ownSecret, name, value);
    sources[name] = sourceEntry(name, { kind: 'Secret', name: ownSecret, key: name });
    if (Object.hasOwn(instance.spec?.parameters ?? {}, name)) own[name] = null;
  };
  for (const [name, value] of Object.entries(parameters)) {
    const source = parameterSourceOf(instance.spec, name);
    const isHidden = isSecretParameter(name, schema) && isKey(name);
    const hidden = inline ? null : value;
    if (source?.kind === 'ConfigMap') elsewhere.push(name);
    else if (source !== undefined && hidden !== null) put(source.name, source.key, hidden);
    else if (source !== undefined) {
      sources[name] = null;
      if (value !== null) own[name] = value;
    } else if (isHidden && hidden !== null) putIntoOwn(name, hidden);
    else own[name] = value;
  }
  return { secrets, parameters: own, sources, elsewhere };
}

/** Names of the secret parameters whose values are in the Instance, in the order of its parameters. */
export function inlineSecrets(
  instance: Pick<Instance, 'spec'>,
  operatorVersion: OperatorVersion | undefined,
): readonly string[] {
  const schema = parameterSchemaOf(operatorVersion);
  return Object.keys(instance.spec?.parameters ?? {}).filter((name) => isSecretParameter(name, schema) && isKey(name));
}
