import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { withEdit } from '@/lib/kudo/admission/triggers';
import type { ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import { parameterProblem } from '@/lib/kudo/parameters/parameter-problems';
import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { findParameter, isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { gateWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { parameterSourceOf, sourceWords } from '@/lib/kudo/sources/parameter-source';
import { placeEdit } from '@/lib/kudo/sources/place-edit';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { specPatch } from '@/server/parameters/spec-patch';
import { writeSecretKeys } from '@/server/parameters/write-secret';
import { previewChange } from '@/server/preconditions/preview-change';
import { confirmedAnnotations } from './check-confirmation';
import { executionBegun } from './execution-begun';
import { type InstanceKey, readInstance, type StoredInstance } from './read-instance';

const ATTEMPTS = 5;

/**
 * Stores an edit of parameters with the permissions of the person; the controller (or the admission webhook) starts the plan.
 * The write carries the resourceVersion of the Instance that was checked. Secret
 * values go into a Secret first (`placeEdit`).
 *
 * @returns the plan that starts, undefined when nothing does, or when it waits; the UID of its execution where that is known
 * @throws Refusal 422 with one cause per field, 409 with the values that somebody else stored
 */
export async function changeParameters(
  api: Api,
  key: InstanceKey,
  edit: ParameterEdit,
): Promise<{ plan: string | undefined; uid?: string | undefined }> {
  for (let attempt = 1; ; attempt++) {
    const stored = await readInstance(api, key);
    checkFields(stored.operatorVersion, edit);
    checkSeen(stored, edit);
    const { instance, operatorVersion } = stored;
    const asked = { parameters: edit.parameters, ...gateWishes(edit.wishes) };
    const preview = await previewChange(api, instance, operatorVersion, asked);
    if (preview.outcome === 'refused') throw new TerminalError(preview.message ?? 'The edit is refused.', 'Invalid');
    const started = preview.outcome === 'runs' ? preview.plan : undefined;
    const said = requestAnnotations(preview.plan, edit.wishes);
    const annotations = { ...confirmedAnnotations(preview, edit.confirm), ...said };
    const placed = placeEdit(stored.instance, stored.operatorVersion, edit);
    refuseElsewhere(stored.instance, placed.elsewhere);
    const isInSecrets = Object.keys(placed.parameters).length === 0 && Object.keys(placed.sources).length === 0;
    // Then the write of the Secret is what starts the plan.
    if (isInSecrets && Object.keys(annotations).length > 0) {
      await api.patch({ ...topics.instances, ...key }, 'merge', { metadata: { annotations } });
    }
    for (const [name, values] of Object.entries(placed.secrets)) {
      await writeSecretKeys(api, { namespace: key.namespace, name, owner: stored.instance }, values);
    }
    if (isInSecrets) return { plan: started };
    try {
      const patch = specPatch(stored.instance, placed, withEdit(stored.instance, placed));
      const metadata = { ...patch.metadata, annotations };
      const written = await api.patch({ ...topics.instances, ...key }, 'merge', { ...patch, metadata });
      return { plan: started, uid: executionBegun(stored.instance, written) };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** @throws Refusal 422 with one cause per value that is not valid */
export function checkFields(
  operatorVersion: OperatorVersion | undefined,
  { parameters }: Pick<ParameterEdit, 'parameters'>,
): void {
  const causes = Object.entries(parameters).flatMap(([name, value]) => {
    const definition = findParameter(operatorVersion, name);
    if (definition === undefined) return [{ field: name, message: `The operator has no parameter ${name}.` }];
    const message = parameterProblem(definition, value ?? undefined);
    return message === undefined ? [] : [{ field: name, message }];
  });
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some values are not valid.', causes);
}

function refuseElsewhere({ spec }: Instance, names: readonly string[]): void {
  const causes = names.map((field) => {
    const source = parameterSourceOf(spec, field);
    return {
      field,
      message: `Its value is in ${source === undefined ? 'a ConfigMap' : sourceWords(source)}: change it there.`,
    };
  });
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some values are in ConfigMaps.', causes);
}

function checkSeen({ instance, operatorVersion }: StoredInstance, { parameters, seen }: ParameterEdit): void {
  const values = instance.spec?.parameters ?? {};
  const schema = parameterSchemaOf(operatorVersion);
  const causes = Object.keys(parameters)
    .filter((name) => Object.hasOwn(seen, name) && !isSecretParameter(name, schema))
    .filter((name) => (values[name] ?? null) !== seen[name])
    .map((name) => ({ field: name, message: `${name} is now ${JSON.stringify(values[name] ?? 'the default')}.` }));
  if (causes.length > 0) throw new Refusal(409, 'Conflict', 'Somebody else changed the same parameters.', causes);
}
