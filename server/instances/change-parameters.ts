import { ConflictError, TerminalError } from '@/lib/errors/errors';
import type { ParameterEdit } from '@/lib/kudo/parameter-edit';
import { parameterSchemaOf } from '@/lib/kudo/parameter-schema';
import { findParameter, isSecretParameter, parameterProblem } from '@/lib/kudo/parameters';
import { planForChange } from '@/lib/kudo/triggers';
import type { OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { type InstanceKey, readInstance, type StoredInstance } from './read-instance';

const ATTEMPTS = 5;

/**
 * Stores an edit of parameters with the permissions of the person; the controller (or the admission webhook) starts the plan.
 * The write carries the resourceVersion of the Instance that was checked.
 *
 * @returns the plan that starts, undefined when nothing does
 * @throws Refusal 422 with one cause per field, 409 with the values that somebody else stored
 */
export async function changeParameters(
  api: Api,
  key: InstanceKey,
  edit: ParameterEdit,
): Promise<{ plan: string | undefined }> {
  for (let attempt = 1; ; attempt++) {
    const stored = await readInstance(api, key);
    checkFields(stored.operatorVersion, edit);
    checkSeen(stored, edit);
    const preview = planForChange(stored.instance, stored.operatorVersion, { parameters: edit.parameters });
    if (preview.outcome === 'refused') throw new TerminalError(preview.message ?? 'The edit is refused.', 'Invalid');
    const { resourceVersion } = stored.instance.metadata;
    try {
      await api.patch({ ...topics.instances, ...key }, 'merge', {
        metadata: resourceVersion === undefined ? {} : { resourceVersion },
        spec: { parameters: { ...edit.parameters } },
      });
      return { plan: preview.plan };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}

function checkFields(operatorVersion: OperatorVersion | undefined, { parameters }: ParameterEdit): void {
  const causes = Object.entries(parameters).flatMap(([name, value]) => {
    const definition = findParameter(operatorVersion, name);
    if (definition === undefined) return [{ field: name, message: `The operator has no parameter ${name}.` }];
    const message = parameterProblem(definition, value ?? undefined);
    return message === undefined ? [] : [{ field: name, message }];
  });
  if (causes.length > 0) throw new Refusal(422, 'Invalid', 'Some values are not valid.', causes);
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
