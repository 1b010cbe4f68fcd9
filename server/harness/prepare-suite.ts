import { resolve } from 'node:path';
import { TransientError } from '@/lib/errors/errors';
import { nameOfResource, readSourceObjects, type SourceObject } from '@/lib/harness/source-object';
import { arrayAt, isJsonObject } from '@/lib/json/json';
import { type ApplyPlace, createOrMerge } from './create-or-merge';
import type { Harness, HarnessLog } from './harness';
import { shownPath } from './load-references';
import { filesBelow, readSuiteText } from './read-texts';
import type { RunningProgram } from './run-command';
import { runCommands } from './step-commands';
import { harnessTarget } from './targets';

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const CRD_TIMEOUT_MS = 10_000;
const POLL_MS = 100;

/**
 * Applies the CRDs and the manifests of a suite, and runs its commands (KUTTL harness/harness.go Setup). Programs of the
 * background are added to `running`.
 *
 * @throws the first failure
 */
export async function prepareSuite(harness: Harness, log: HarnessLog, running: RunningProgram[]): Promise<void> {
  const { suite, cluster, pace, signal, folder } = harness;
  const namespace = suite.namespace === '' ? 'default' : suite.namespace;
  const place: ApplyPlace = { cluster, namespace, pace, log, signal };
  if (suite.crdDir !== '') await installCrds(await objectsBelow(resolve(folder, suite.crdDir)), place);
  for (const directory of suite.manifestDirs) {
    for (const source of await objectsBelow(resolve(folder, directory))) {
      await createOrMerge(source, { ...place, namespace: 'default' }, CRD_TIMEOUT_MS);
    }
  }
  const commands = { harness, namespace: 'default', folder, kubeconfig: cluster.kubeconfig, log };
  // The suite's timeout as it is written: none if it is unset.
  const failed = await runCommands(suite.commands, commands, { timeoutSeconds: suite.timeout, running });
  if (failed !== undefined) throw new TransientError(failed, 'CommandFailed');
}

async function objectsBelow(path: string): Promise<SourceObject[]> {
  const objects: SourceObject[] = [];
  for (const file of await filesBelow(path, EXTENSIONS)) {
    objects.push(...readSourceObjects(shownPath(file), await readSuiteText(file)).objects);
  }
  return objects;
}

async function installCrds(objects: readonly SourceObject[], place: ApplyPlace): Promise<void> {
  const crds = objects.filter(({ object }) => object.kind === 'CustomResourceDefinition');
  for (const { object, file } of objects) {
    if (object.kind !== 'CustomResourceDefinition')
      place.log.line(`Skipping ${nameOfResource(object)} of ${file}: not a CRD`);
  }
  for (const crd of crds) await createOrMerge(crd, place, CRD_TIMEOUT_MS);
  for (const crd of crds) await established(crd, place);
}

async function established({ object }: SourceObject, place: ApplyPlace): Promise<void> {
  const { pace, cluster, signal } = place;
  const target = await harnessTarget(cluster, object, '');
  const endMs = pace.clock.monotonic() + CRD_TIMEOUT_MS;
  for (;;) {
    const found = await cluster.api.get(target, { signal });
    const isReady = arrayAt(found, 'status', 'conditions').some(
      (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
    );
    if (isReady) return;
    if (pace.clock.monotonic() >= endMs) {
      throw new TransientError(`${nameOfResource(object)} was not established within 10 s.`, 'CrdNotEstablished');
    }
    await pace.pause(POLL_MS, signal);
  }
}
