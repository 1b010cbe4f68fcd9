import type { Clock } from '@/lib/clock/clock';
import type { JsonValue } from '@/lib/json/json';
import type { Random } from '@/lib/random/random';
import type { RawRequest, RawResponse } from './api';
import type { Contact } from './contact';
import type { Transport } from './transport';

/** Shared by the verbs of this folder: sends requests, with deadlines and errors. */
export interface Caller {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  /** Resolves when the headers arrive; throws for every status but 2xx (server/kube/errors). */
  open(request: RawRequest): Promise<RawResponse>;
  /** `open` with a deadline for the whole exchange, the body read and parsed. */
  json(request: RawRequest, deadlineMs: number): Promise<JsonValue>;
  connectionError(error: unknown): Error;
  /** Whether the server can be reached, as seen by all calls together. */
  readonly contact: Contact;
}
