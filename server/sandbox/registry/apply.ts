import { failure } from '../http/status';
import type { WriteContext } from './context';
import type { ObjectPlace, Registry } from './registry';
import type { WriteResult } from './update';

/** What a server-side apply asks. */
export interface ApplyRequest {
  /** YAML or JSON. */
  readonly text: string;
  readonly force: boolean;
  readonly manager: string;
}

/** Server-side apply. */
export function applyObject(
  _registry: Registry,
  _place: ObjectPlace,
  _request: ApplyRequest,
  _context: WriteContext,
): WriteResult {
  throw failure(501, 'NotImplemented', 'server-side apply is not served');
}
