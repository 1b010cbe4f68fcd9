import { objectHref } from '@/components/resources/resource-path';
import type { FoundName } from '@/lib/kube/object-names';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { actionsOf } from './page-actions';
import type { PaletteEntry, PaletteSources } from './palette-entries';

/** Objects that are looked at for one query; the first fifty that fit are enough for a list of eighteen. */
const MOST = 50;

/** What a person typed, taken apart: `scale web 3` has the number 3 beside the words. */
export interface PaletteQuery {
  readonly words: readonly string[];
  /** The number at the end of a command that takes one. */
  readonly number: string | undefined;
}

/** Splits a query into words in lower case; the number behind `scale` is no word that an object has to fit. */
export function readQuery(query: string): PaletteQuery {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const last = words.at(-1) ?? '';
  const isCommand = words.length > 2 && words[0] === 'scale' && /^\d{1,5}$/.test(last);
  return isCommand ? { words: words.slice(0, -1), number: last } : { words, number: undefined };
}

/**
 * The objects of all kinds whose name or kind fits, and what the first word asks to do with them: the action of a workload, `logs`, `delete`. Instances
 * have entries of their own.
 */
export function objectEntries(objects: readonly FoundName[], { words, number }: PaletteQuery): PaletteEntry[] {
  const [verb = '', ...rest] = words;
  if (words.length === 0) return [];
  const named = objects.filter((object) => fits(object, words)).slice(0, MOST);
  const asked = rest.length === 0 ? [] : objects.filter((object) => fits(object, rest)).slice(0, MOST);
  return [
    ...named.map((object) => entry(object, object.name, object.kind, '')),
    ...asked.flatMap((object) => verbEntries(object, verb, number)),
  ];
}

function verbEntries(object: FoundName, verb: string, number: string | undefined): PaletteEntry[] {
  const { name } = object;
  const isPod = object.group === '' && object.resource === 'pods';
  const actions = actionsOf(object)
    .filter(([ask, label]) => verb.length > 1 && (ask.startsWith(verb) || label.toLowerCase().startsWith(verb)))
    .map(([ask, label]) => {
      const isScaled = ask === 'scale' && number !== undefined;
      const what = isScaled ? `${label} ${name} to ${number}…` : `${label} ${name}…`;
      return entry(object, what, 'Action', `?ask=${isScaled ? `${ask}:${number}` : ask}`);
    });
  return [
    ...actions,
    ...(isPod && verb === 'logs' ? [entry(object, `${name} logs`, 'Pod', '/logs')] : []),
    ...(verb === 'delete' ? [entry(object, `Delete ${name}…`, `Action, ${object.kind}`, '?ask=delete')] : []),
  ];
}

function entry(object: FoundName, label: string, kind: string, suffix: string): PaletteEntry {
  const href = `${objectHref(object, object.namespace, object.name)}${suffix}`;
  const place = object.namespace === '' ? '' : ` in ${object.namespace}`;
  return { key: href, label, kind: `${kind}${place}`, goal: { to: 'page', href }, isFitting: true };
}

/** Instances, operators and namespaces are found otherwise, too; an Instance's page of its own is the better one. */
function fits({ group, resource, kind, namespace, name }: FoundName, words: readonly string[]): boolean {
  if (group === 'kudo.dev' && resource === 'instances') return false;
  const text = `${name} ${kind} ${resource} ${namespace}`.toLowerCase();
  return words.every((word) => text.includes(word)) && words.some((word) => name.toLowerCase().includes(word));
}

const PARAMETER = /^[A-Za-z_][\w.-]{0,99}$/;

/** `set orders-db REPLICAS 5`: the parameters of the Instances that fit, with the value in the form. A secret value is never put into an address. */
export function setEntries(query: string, instances: PaletteSources['instances']): PaletteEntry[] {
  const [verb = '', name = '', parameter = '', ...value] = query.trim().split(/\s+/);
  if (verb.toLowerCase() !== 'set' || value.length === 0 || !PARAMETER.test(parameter)) return [];
  const isSecret = isSecretParameter(parameter);
  const to = value.join(' ');
  return instances
    .filter((instance) => instance.name.toLowerCase().includes(name.toLowerCase()))
    .slice(0, MOST)
    .map((instance) => {
      const fill = new URLSearchParams({ set: parameter, ...(isSecret ? {} : { to }) });
      const href = `${instancePath(instance.namespace, instance.name, 'parameters')}?${fill}`;
      return {
        key: href,
        label: `Set ${parameter} of ${instance.name}${isSecret ? '' : ` to ${to}`}…`,
        kind: `Action in ${instance.namespace}`,
        goal: { to: 'page', href },
        isFitting: true,
      };
    });
}
