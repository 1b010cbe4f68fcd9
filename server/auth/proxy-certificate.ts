import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { parseTime } from '@/lib/clock/clock';

/** The certificates of clients, as the server that ends TLS has verified them. */
export interface ClientCertificates {
  /** Undefined for a connection without one, and for one that no known authority has signed. */
  clientCertificate(socket: Socket): X509Certificate | undefined;
}

/**
 * True for a certificate of the proxy. An authority was checked when the connection began; the end of the certificate counts for each
 * request, as connections of a proxy live long.
 *
 * @param names accepted common names and DNS names; empty for all. kube-apiserver's --requestheader-allowed-names has common names alone.
 */
export function isProxyCertificate(certificate: X509Certificate, names: readonly string[], nowMs: number): boolean {
  if (nowMs >= (parseTime(certificate.validTo) ?? 0)) return false;
  return names.length === 0 || names.some((name) => isCommonName(certificate, name) || isDnsName(certificate, name));
}

/** OpenSSL compares: a subject or a name with odd characters is not taken apart here. */
function isDnsName(certificate: X509Certificate, name: string): boolean {
  return certificate.checkHost(name, { subject: 'never', wildcards: false }) !== undefined;
}

/** Of several common names none counts: which one is meant is not defined. */
function isCommonName(certificate: X509Certificate, name: string): boolean {
  const found: unknown = certificate.toLegacyObject().subject?.CN;
  return found === name;
}
