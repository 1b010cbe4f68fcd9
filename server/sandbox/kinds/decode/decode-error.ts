import type { KubeObject } from '@/lib/kube/object';
import { badRequest, StatusError } from '../../errors/status';

/**
 * An object whose fields have the wrong types. `detail` is the bare text (`json: cannot unmarshal …`), which the answer
 * to a patch wraps in words of its own; `restoreDetail` is what a strategic merge patch says of the same fault.
 */
export class DecodeError extends StatusError {
  readonly detail: string;
  readonly restoreDetail: string;

  constructor(object: Pick<KubeObject, 'apiVersion' | 'kind'>, fault: FieldFault) {
    const { apiVersion, kind } = object;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    super(badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${fault.message}`).status);
    this.detail = fault.message;
    this.restoreDetail = fault.restoreMessage ?? fault.message;
  }
}

/** Thrown while decoding, before it is known which object it was. */
export class FieldFault extends Error {
  readonly restoreMessage: string | undefined;

  constructor(message: string, restoreMessage?: string) {
    super(message);
    this.restoreMessage = restoreMessage;
  }
}
