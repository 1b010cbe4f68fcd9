import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { systemRandom } from '@/lib/random/random';
import { type CertificateSet, keepCertificates } from '@/server/webhook/certificates';
import type { ClientPair } from './client-certificates';

/** A certificate for the loopback address, with its authority; it lasts for 60 days from `nowMs`. */
export function loopbackCertificate(nowMs = Date.now()): CertificateSet {
  return keepCertificates(undefined, { names: ['127.0.0.1', 'localhost'], nowMs, random: systemRandom });
}

let version = 0;

/** Puts a pair into a folder in the way in which the kubelet replaces the files of a Secret: all of them at once. */
export function mountSecret(folder: string, pair: Pick<CertificateSet, 'certificatePem' | 'keyPem'>): void {
  version += 1;
  const data = `..version-${version}`;
  mkdirSync(join(folder, data), { recursive: true });
  writeFileSync(join(folder, data, 'tls.crt'), pair.certificatePem);
  writeFileSync(join(folder, data, 'tls.key'), pair.keyPem);
  symlinkSync(data, join(folder, '..next'));
  renameSync(join(folder, '..next'), join(folder, '..data'));
}

export interface TlsAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
  /** Of the certificate that the server showed. */
  readonly serial: string;
}

/** One request by HTTPS to an address of this machine. Rejects when the certificate is not of this authority. */
export function askByTls(
  url: string,
  ca: string,
  options: {
    readonly method?: string;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: string;
    /** The certificate that the client shows. */
    readonly client?: ClientPair;
  } = {},
): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { ca, agent: false, method: options.method ?? 'GET', headers: { ...options.headers }, ...options.client },
      (response) => {
        const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            serial,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}
