import { defined, type Fields } from '@/lib/kudo/package/fields';
import type { PackageParameter } from '@/lib/kudo/package/types';
import { limits } from '@/lib/limits/limits';
import { readReadObject } from '../package/live-values-fields';
import { reportStrangeKeys } from './api-keys';
import { readVersion } from './api-versions';
import { schemaFromParameters } from './from-parameters';
import {
  CONFIRMED_BY,
  type ConfirmedBy,
  type InstanceMapping,
  type OwnConditionRule,
  type OwnKind,
  type OwnRule,
  type RunMapping,
} from './types';

const KEY = 'api';
const KIND_KEYS = ['group', 'kind', 'plural', 'singular', 'shortNames', 'categories', 'scope', 'versions'];
const ACT_KEYS = ['instance', 'run', 'status', 'rules', 'objects', 'conditions'];

/**
 * The list `api` of operator.yaml; undefined when the file has none. Unlike KUDO's own keys it is read strictly.
 *
 * @param parameters of params.yaml, for `fromParameters`
 */
export function readApi(fields: Fields, parameters: readonly PackageParameter[]): OwnKind[] | undefined {
  if (!fields.has(KEY)) return undefined;
  const kinds = fields.list(KEY, (each) => readKind(each, parameters));
  if (kinds.length > limits.ownKinds) {
    fields.problem(KEY, `an operator brings at most ${limits.ownKinds} kinds, and this one brings ${kinds.length}`);
  }
  const chars = JSON.stringify(kinds).length;
  if (chars > limits.ownKindsChars) {
    fields.problem(KEY, `"api" has ${chars} characters with its schemas; at most ${limits.ownKindsChars} are kept`);
  }
  return kinds;
}

function readKind(fields: Fields, parameters: readonly PackageParameter[]): OwnKind {
  reportStrangeKeys(fields, [...KIND_KEYS, ...ACT_KEYS]);
  const kind = fields.text('kind') ?? '';
  const singular = fields.text('singular') ?? kind.toLowerCase();
  const scope = fields.text('scope') ?? 'Namespaced';
  if (scope !== 'Namespaced') fields.problem('scope', `"scope" must be Namespaced: an Instance is in a namespace`);
  for (const key of ['group', 'kind'] as const)
    if (fields.text(key) === undefined) fields.problem(key, `"${key}" is missing`);
  const instance = fields.child('instance', readInstance);
  const run = fields.child('run', readRun);
  if ((instance === undefined) === (run === undefined)) {
    fields.problem(
      'instance',
      `kind ${kind} needs either "instance" or "run", which say what stands behind a resource`,
    );
  }
  const given = schemaFromParameters(parameters);
  const drafts = fields.list('versions', (each) => readVersion(each, given.schema));
  if (drafts.length === 0) fields.problem('versions', `kind ${kind} has no versions`);
  const usesParameters = drafts.some(({ isFromParameters }) => isFromParameters);
  if (usesParameters && instance === undefined) {
    fields.problem('versions', '"fromParameters" needs "instance": a run has no parameters of its own');
  }
  const single = drafts.length === 1;
  return {
    group: fields.text('group') ?? '',
    kind,
    plural: fields.text('plural') ?? pluralOf(singular),
    singular,
    versions: drafts.map(({ version, storage }) => ({ ...version, storage: storage ?? single })),
    ...defined({
      shortNames: fields.texts('shortNames'),
      categories: fields.texts('categories'),
      instance: instance === undefined ? undefined : withFields(instance, usesParameters ? given.mapping : {}),
      run,
      status: readTexts(fields, 'status'),
      rules: fields.has('rules') ? fields.list('rules', readRule) : undefined,
      objects: fields.has('objects') ? fields.list('objects', readReadObject) : undefined,
      conditions: fields.has('conditions') ? fields.list('conditions', readCondition) : undefined,
    }),
  };
}

/** Fields of `fromParameters` stand behind what the author maps. */
function withFields({ parameters }: InstanceMapping, mapping: { readonly [name: string]: string }): InstanceMapping {
  return { parameters: { ...mapping, ...parameters } };
}

function readInstance(fields: Fields): InstanceMapping {
  reportStrangeKeys(fields, ['parameters']);
  return { parameters: readTexts(fields, 'parameters') ?? {} };
}

function readRun(fields: Fields): RunMapping {
  reportStrangeKeys(fields, ['plan', 'instance', 'parameters', 'confirmedBy']);
  for (const key of ['plan', 'instance'])
    if (fields.text(key) === undefined) fields.problem(key, `"run" needs "${key}"`);
  const wanted = fields.text('confirmedBy') ?? 'annotation';
  const confirmedBy: ConfirmedBy | undefined = CONFIRMED_BY.find((each) => each === wanted);
  if (confirmedBy === undefined) fields.problem('confirmedBy', `"confirmedBy" must be ${CONFIRMED_BY.join(' or ')}`);
  return {
    plan: fields.text('plan') ?? '',
    instance: fields.text('instance') ?? '',
    parameters: readTexts(fields, 'parameters') ?? {},
    confirmedBy: confirmedBy ?? 'annotation',
  };
}

function readRule(fields: Fields): OwnRule {
  reportStrangeKeys(fields, ['rule', 'message', 'reason', 'blocks']);
  for (const key of ['rule', 'message'])
    if (fields.text(key) === undefined) fields.problem(key, `a rule needs "${key}"`);
  const reason = fields.text('reason') ?? 'RuleNotMet';
  if (!/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(reason)) {
    fields.problem('reason', `"${reason}" is not a reason of a condition: use one word in CamelCase`);
  }
  return {
    rule: fields.text('rule') ?? '',
    message: fields.text('message') ?? '',
    reason,
    blocks: fields.flag('blocks') ?? true,
  };
}

function readCondition(fields: Fields): OwnConditionRule {
  reportStrangeKeys(fields, ['type', 'rule', 'message']);
  for (const key of ['type', 'rule'])
    if (fields.text(key) === undefined) fields.problem(key, `a condition needs "${key}"`);
  const type = fields.text('type') ?? '';
  if (type !== '' && !/^[A-Z][A-Za-z0-9]{0,63}$/.test(type)) {
    fields.problem('type', `"${type}" is not a type of a condition: use one word in CamelCase`);
  }
  return { type, rule: fields.text('rule') ?? '', message: fields.text('message') ?? '' };
}

/** A map of texts; a list or a map as value is a problem. */
function readTexts(fields: Fields, key: string): { [name: string]: string } | undefined {
  return fields.child(key, (texts) =>
    Object.fromEntries(
      texts.names().flatMap((name) => {
        const text = texts.text(name);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
  );
}

/** As kubectl and kubebuilder guess it. */
function pluralOf(singular: string): string {
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
