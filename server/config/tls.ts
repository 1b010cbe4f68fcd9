import { resolve } from 'node:path';
import type { Problem } from '@/lib/errors/errors';

/** Files with which the console serves HTTPS by itself. */
export interface TlsSettings {
  /** PEM: the certificate, and those between it and the root. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** BRAVO_TLS_CERT and BRAVO_TLS_KEY; undefined without both. */
export function readTlsSettings(
  environment: { readonly [name: string]: string | undefined },
  workingDir: string,
  problems: Problem[],
): TlsSettings | undefined {
  const [cert, key] = [environment.BRAVO_TLS_CERT || undefined, environment.BRAVO_TLS_KEY || undefined];
  if (cert !== undefined && key !== undefined)
    return { certFile: resolve(workingDir, cert), keyFile: resolve(workingDir, key) };
  if (cert !== undefined)
    problems.push({ path: 'BRAVO_TLS_KEY', message: 'name the file with the key of BRAVO_TLS_CERT' });
  if (key !== undefined)
    problems.push({ path: 'BRAVO_TLS_CERT', message: 'name the file with the certificate of BRAVO_TLS_KEY' });
  return undefined;
}
