import type { Clock } from '@/lib/clock/clock';
import type { JsonValue } from '@/lib/json/json';
import type { Random } from '@/lib/random/random';
import type { RawRequest, RawResponse } from './api';
import type { Contact } from './contact';
import type { Transport } from './transport';

/** What the parts of this folder share: one place that sends and that knows deadlines and failures. */
export interface Caller {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  /** Resolves when the headers are there; every status but 2xx is thrown (server/kube/errors). */
  open(request: RawRequest): Promise<RawResponse>;
  /** `open` with a deadline for the whole exchange, the body read and parsed. */
  json(request: RawRequest, deadlineMs: number): Promise<JsonValue>;
  connectionError(error: unknown): Error;
  /** Whether the server can be reached, as all calls together have seen it. */
  readonly contact: Contact;
}
