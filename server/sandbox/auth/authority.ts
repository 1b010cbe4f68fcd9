import type { IncomingMessage } from 'node:http';
import type { RequestInfo } from '../http/request-info';
import type { UserInfo } from './user';

/** Who asks, and may they: authentication, impersonation and authorization of the sandbox. */
export interface Authority {
  /** The user of a request after impersonation; 401 for a bad token, 403 where impersonation is not allowed. */
  identify(request: IncomingMessage): UserInfo;
  /** 403 unless the user may do what the request asks. */
  authorize(user: UserInfo, info: RequestInfo): void;
}
