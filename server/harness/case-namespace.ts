import { ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import { type Random, randomInteger } from '@/lib/random/random';
import type { Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { waitUntilGone } from './delete-objects';
import type { HarnessCluster, HarnessLog } from './harness';
import type { Pace } from './pace';

const ADJECTIVES = [
  'able',
  'brave',
  'calm',
  'eager',
  'fair',
  'gentle',
  'happy',
  'keen',
  'lively',
  'proud',
  'quick',
  'wise',
];
const ANIMALS = [
  'badger',
  'crane',
  'dolphin',
  'falcon',
  'heron',
  'lynx',
  'marten',
  'otter',
  'panda',
  'raven',
  'seal',
  'wren',
];
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** A name for the namespace of a case: `kuttl-ADJECTIVE-ANIMAL-xxxx`. */
export function randomNamespace(random: Random): string {
  const one = (words: readonly string[] | string) => words[randomInteger(random, words.length)] ?? '';
  const end = Array.from({ length: 4 }, () => one(LETTERS)).join('');
  return `kuttl-${one(ADJECTIVES)}-${one(ANIMALS)}-${end}`;
}

export interface NamespacePlace {
  readonly cluster: HarnessCluster;
  readonly pace: Pace;
  readonly log: HarnessLog;
  readonly signal: AbortSignal;
}

function targetOf(name: string): Target {
  return { group: '', version: 'v1', resource: 'namespaces', name };
}

/**
 * Creates a namespace if it does not exist (KUTTL testcase/case.go). A person who may not create namespaces can use one that
 * exists, and one of which they cannot know.
 *
 * @returns whether it was created
 * @throws TerminalError when it certainly does not exist and cannot be created
 */
export async function createNamespace(name: string, { cluster, log, signal }: NamespacePlace): Promise<boolean> {
  const { name: _, ...namespaces } = targetOf(name);
  try {
    await cluster.api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { signal });
    log.line(`Namespace:${name} created`);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) {
      log.line(`Namespace:${name} exists already`);
      return false;
    }
    if (codeOf(error) !== 403) throw error;
    if (await isCertainlyAbsent(name, cluster, signal)) {
      throw new TerminalError(`cannot create namespace "${name}": ${messageOf(error)}`, 'NoNamespace', {
        cause: error,
      });
    }
    log.line(`Namespace:${name} cannot be created with these permissions; it is expected to exist`);
    return false;
  }
}

async function isCertainlyAbsent(name: string, cluster: HarnessCluster, signal: AbortSignal): Promise<boolean> {
  try {
    return (await cluster.api.get(targetOf(name), { signal })) === undefined;
  } catch (error) {
    if (codeOf(error) === 403) return false;
    throw error;
  }
}

/** Deletes a namespace and waits until it does not exist. @throws the API's error, or TransientError after the timeout */
export async function deleteNamespace(name: string, place: NamespacePlace, timeoutMs: number): Promise<void> {
  place.log.line(`Deleting namespace "${name}"`);
  await place.cluster.api.delete(targetOf(name), { propagation: 'Background', signal: place.signal });
  await waitUntilGone([targetOf(name)], place, timeoutMs);
}
