import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import { inInstallOrder } from '@/lib/kube/install-order';
import type { KindSummary } from '@/lib/kube/kinds';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { readYamlDocuments } from '@/lib/yaml/yaml';
import { homeOf, kindAmong, kindsOfCrds, namespaceMadeBy } from './document-kinds';
import {
  type ConflictAnswer,
  type DocumentOutcome,
  documentOutcome,
  documentTitle,
  isFailure,
} from './document-outcome';
import { sendDocument } from './send-document';

/** How documents are sent. */
export interface SendOptions {
  /** `create` refuses objects that exist; `apply` changes them by server-side apply. */
  readonly how: 'create' | 'apply';
  /** Sends the other documents although one was refused. */
  readonly goesOn: boolean;
  /** The answers to conflicts, by `INDEX FIELD`, and to changes that something reverts, by `INDEX managed`. */
  readonly answers: ReadonlyMap<string, ConflictAnswer>;
}

/** The objects of a text, or why a document is none. Empty documents are left out. */
export function readObjects(text: string): (KubeObject | string)[] {
  return readYamlDocuments(text).flatMap((result, index): (KubeObject | string)[] => {
    if (!result.ok) return [`Document ${index + 1}: ${result.problems[0]?.message ?? 'the text is not valid YAML'}`];
    if (result.value === null) return [];
    if (isKubeObject(result.value)) return [result.value];
    return [`Document ${index + 1} is not a Kubernetes object: apiVersion, kind or metadata is missing.`];
  });
}

/** The rights that sending takes, for each object of a known kind. */
export function rightsToSend(
  objects: readonly (KubeObject | string)[],
  kinds: readonly KindSummary[],
  namespace: string,
  how: SendOptions['how'] = 'create',
): AccessQuestion[] {
  const verbs = how === 'create' ? (['create'] as const) : (['create', 'patch'] as const);
  return objects.flatMap((object) => {
    const kind = typeof object === 'string' ? undefined : kindAmong(kinds, object);
    if (kind === undefined || typeof object === 'string') return [];
    return verbs.map((verb) => accessTo(verb, kind, homeOf(object, kind, namespace)));
  });
}

/** The documents in the order in which they are sent, by their index in the text: what others need comes first, unreadable ones last. */
export function sendOrder(objects: readonly (KubeObject | string)[]): number[] {
  const readable = objects.filter((object) => typeof object !== 'string');
  const indexByObject = new Map(objects.map((object, index) => [object, index]));
  const unreadable = objects.flatMap((object, index) => (typeof object === 'string' ? [index] : []));
  return [...inInstallOrder(readable).flatMap((object) => indexByObject.get(object) ?? []), ...unreadable];
}

interface Text {
  readonly objects: readonly (KubeObject | string)[];
  readonly kinds: readonly KindSummary[];
  /** Of the objects that name none. */
  readonly namespace: string;
}

/**
 * Asks the API server for a dry run of each document. What needs a CRD or Namespace of the same text that does not exist yet is checked when
 * it is sent.
 *
 * @returns the outcomes in the order of the text
 */
export async function checkDocuments(text: Text, options: SendOptions): Promise<DocumentOutcome[]> {
  const { objects, kinds, namespace } = text;
  const promised = kindsOfCrds(objects);
  const newNamespaces = new Set<string | undefined>();
  const outcomes = skipAll(objects);
  for (const index of sendOrder(objects)) {
    const object = objects[index];
    if (object === undefined) continue;
    const kind = typeof object === 'string' ? undefined : kindAmong(kinds, object);
    const isPromised = typeof object !== 'string' && kind === undefined && kindAmong(promised, object) !== undefined;
    const home = typeof object === 'string' || kind === undefined ? undefined : homeOf(object, kind, namespace);
    if (isPromised || (home !== undefined && newNamespaces.has(home))) {
      const what = isPromised ? 'CustomResourceDefinition' : `Namespace ${home}`;
      outcomes[index] = documentOutcome(documentTitle(object), 'later', {
        message: `Checked when it is sent: the text makes its ${what} first.`,
      });
      continue;
    }
    const { outcome, isNew } = await sendDocument({ object, index, kinds, namespace }, { ...options, dryRun: true });
    outcomes[index] = outcome;
    if (isNew) newNamespaces.add(namespaceMadeBy(object));
  }
  return outcomes;
}

/**
 * Writes the documents in the order in which they need each other. Everything that can be checked is checked first: unless the person wants to go on,
 * nothing is written when one is refused, and the first refusal ends it.
 *
 * @returns the outcomes in the order of the text
 */
export async function sendDocuments(text: Text, options: SendOptions): Promise<DocumentOutcome[]> {
  const { objects, namespace } = text;
  const kinds = [...text.kinds, ...kindsOfCrds(objects)];
  if (!options.goesOn && objects.length > 1) {
    const checked = await checkDocuments(text, options);
    if (checked.some(isFailure)) return checked;
  }
  const outcomes = skipAll(objects);
  for (const index of sendOrder(objects)) {
    const object = objects[index];
    if (object === undefined) continue;
    const { outcome } = await sendDocument({ object, index, kinds, namespace }, { ...options, dryRun: false });
    outcomes[index] = outcome;
    if (!options.goesOn && isFailure(outcome)) break;
  }
  return outcomes;
}

function skipAll(objects: readonly (KubeObject | string)[]): DocumentOutcome[] {
  return objects.map((object) =>
    documentOutcome(documentTitle(object), 'skipped', { message: 'Not sent: another document failed.' }),
  );
}
