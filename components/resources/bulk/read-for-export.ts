import { request } from '@/components/live/request';
import { type ExportChoice, exportedText } from '@/lib/kube/bulk/exported-text';
import type { KubeObject } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import { type ParameterSchema, parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import { readStoredObject } from '../object-address';
import { kubePath } from '../resource-path';
import type { BulkAct, BulkTargets } from './bulk-target';

/** The objects of an export: read one by one, written as text in the order of the list. */
export interface ExportReading {
  readonly act: BulkAct;
  readonly text: (choice: ExportChoice) => string;
}

/** Reads objects as they are stored, and of Instances what their OperatorVersions say of secret parameters. */
export function readForExport(targets: BulkTargets): ExportReading {
  const objects = new Map<string, KubeObject>();
  const versions = new Map<string, Promise<ParameterSchema | undefined>>();
  const schemas = new Map<string, ParameterSchema | undefined>();
  return {
    act: async (target) => {
      const object = await readStoredObject(target);
      if (object.metadata.uid !== target.uid) return 'The object was deleted; another one has its name now.';
      if (object.kind === 'Instance') {
        const { namespace, name } = operatorVersionKey(object as Instance);
        const key = `${namespace}/${name}`;
        const reading = versions.get(key) ?? readSchema(namespace, name);
        versions.set(key, reading);
        schemas.set(target.uid, await reading);
      }
      objects.set(target.uid, object);
      return undefined;
    },
    text: (choice) =>
      exportedText(
        targets.flatMap(({ uid }) => objects.get(uid) ?? []),
        choice,
        ({ metadata }, name) => {
          const uid = metadata.uid ?? '';
          // Of an Instance whose version cannot be read, any value may be secret.
          return schemas.get(uid) === undefined || isSecretParameter(name, schemas.get(uid));
        },
      ),
  };
}

async function readSchema(namespace: string, name: string): Promise<ParameterSchema | undefined> {
  const path = kubePath({ ...topics.operatorVersions, namespace, name });
  return request<OperatorVersion>(path).then(
    (version) => parameterSchemaOf(version),
    () => undefined,
  );
}
