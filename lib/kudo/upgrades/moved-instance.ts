import { type InstanceEdit, withEdit } from '../admission/triggers';
import type { Instance, OperatorVersion } from '../types';

/** The Instance as it will be with another version: parameters that this version does not have are removed, and their sources. */
export function movedInstance(
  instance: Instance,
  operatorVersion: OperatorVersion,
  parameters: NonNullable<InstanceEdit['parameters']>,
): Instance {
  const next = withEdit(instance, { operatorVersion, parameters });
  const known = new Set((operatorVersion.spec?.parameters ?? []).map(({ name }) => name));
  const kept = Object.entries(next.spec?.parameters ?? {}).filter(([name]) => known.has(name));
  const sources = next.spec?.parametersFrom?.filter(({ name = '' }) => known.has(name));
  return {
    ...next,
    spec: {
      ...next.spec,
      parameters: Object.fromEntries(kept),
      ...(sources === undefined ? {} : { parametersFrom: sources }),
    },
  };
}
