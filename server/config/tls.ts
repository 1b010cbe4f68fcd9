import { resolve } from 'node:path';
import type { Problem } from '@/lib/errors/errors';

/** Files with which the console serves HTTPS by itself. */
export interface TlsSettings {
  /** PEM: the certificate, and those between it and the root. */
  readonly certFile: string;
  readonly keyFile: string;
  /** PEM: the authorities of client certificates, which the server then asks for; undefined: none. */
  readonly clientCaFile?: string | undefined;
}

/** BRAVO_TLS_CERT and BRAVO_TLS_KEY; undefined without both. `clientCaFile` is BRAVO_PROXY_CLIENT_CA, which needs them. */
export function readTlsSettings(
  environment: { readonly [name: string]: string | undefined },
  { workingDir, clientCaFile }: { readonly workingDir: string; readonly clientCaFile?: string | undefined },
  problems: Problem[],
): TlsSettings | undefined {
  const [cert, key] = [environment.BRAVO_TLS_CERT || undefined, environment.BRAVO_TLS_KEY || undefined];
  if (cert !== undefined && key !== undefined)
    return { certFile: resolve(workingDir, cert), keyFile: resolve(workingDir, key), clientCaFile };
  if (cert !== undefined)
    problems.push({ path: 'BRAVO_TLS_KEY', message: 'name the file with the key of BRAVO_TLS_CERT' });
  if (key !== undefined)
    problems.push({ path: 'BRAVO_TLS_CERT', message: 'name the file with the certificate of BRAVO_TLS_KEY' });
  if (cert === undefined && key === undefined && clientCaFile !== undefined)
    problems.push({
      path: 'BRAVO_PROXY_CLIENT_CA',
      message:
        'the console sees client certificates only where it serves HTTPS by itself; set BRAVO_TLS_CERT and BRAVO_TLS_KEY, or let the proxy prove itself by BRAVO_PROXY_SECRET_FILE',
    });
  return undefined;
}
