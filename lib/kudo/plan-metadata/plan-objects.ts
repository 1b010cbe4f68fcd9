import type { KubeObject } from '@/lib/kube/object';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { baseVariables } from '@/lib/kudo/rendering/variables';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { parseTemplate, renderTemplate, TemplateError } from '@/lib/template/template';
import type { PlanObject } from './plan-metadata';

/** The live object, `undefined` when it does not exist, or why it cannot be read (a sentence). */
export type ObjectRead = KubeObject | undefined | { readonly problem: string };

/** What was read, by {@link namedObjectKey}. */
export type ObjectReads = ReadonlyMap<string, ObjectRead>;

/** An object that a precondition looks at, with its name in the cluster. */
export interface NamedObject extends PlanObject {
  readonly realName: string;
}

export function namedObjectKey({ apiVersion, kind, realName }: NamedObject): string {
  return `${apiVersion} ${kind} ${realName}`;
}

/** No clock and no random bytes: a name is the same each time. */
const ENVIRONMENT = {
  clock: { now: () => 0 },
  random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'plan-objects'),
  hasDraftKeys: true,
};

const NAME = /^[a-zA-Z0-9]([a-zA-Z0-9.:_-]{0,251}[a-zA-Z0-9])?$/;

/** The object with its name rendered, or a sentence that says why there is none. */
export function nameObject(
  object: PlanObject,
  { instance, operatorVersion }: { readonly instance: Instance; readonly operatorVersion: OperatorVersion },
): NamedObject | { readonly problem: string } {
  const place = `the name of ${object.kind} "${object.name}"`;
  try {
    const parameters = unwrapParameters(operatorVersion, instance.spec?.parameters);
    const values = baseVariables(instance, operatorVersion, parameters);
    const template = parseTemplate(object.name, object.objectName);
    const realName = renderTemplate(template, values, { environment: ENVIRONMENT }).trim();
    return NAME.test(realName)
      ? { ...object, realName }
      : { problem: `${place} is no name: "${realName.slice(0, 80)}"` };
  } catch (error) {
    if (error instanceof TemplateError) return { problem: `${place} cannot be rendered: ${error.goMessage}` };
    if (error instanceof RenderError) return { problem: `${place} cannot be rendered: ${error.message}` };
    throw error;
  }
}
