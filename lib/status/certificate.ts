import { formatTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';

/** The certificate with which the console serves HTTPS. Paths are those of the settings. */
export interface CertificateStatus {
  readonly certFile: string;
  readonly keyFile: string;
  /** The authorities of the proxy's certificate; undefined without BRAVO_PROXY_CLIENT_CA. */
  readonly clientCaFile: string | undefined;
  /** When the served certificate ends, in wall milliseconds. */
  readonly endsMs: number;
  /** Why the files are not used as they are, in one sentence that names the file; undefined while they are. */
  readonly problem: string | undefined;
}

/** cert-manager and ACME clients renew a month before the end: so late something keeps them from it. */
const WARN_BEFORE_MS = 14 * 86_400_000;

/** What somebody has to do about a certificate, the most urgent first. `failing`: browsers refuse it already. */
export interface CertificateWarning {
  readonly level: 'failing' | 'waiting';
  readonly text: string;
}

/** Empty while all is well. @param nowMs wall time */
export function certificateWarnings(certificate: CertificateStatus, nowMs: number): CertificateWarning[] {
  const { problem } = certificate;
  const end = endWarning(certificate, nowMs);
  const kept: CertificateWarning[] =
    problem === undefined
      ? []
      : [
          {
            level: 'waiting',
            text: `${problem} The console uses the former content. Correct the file; it is read every 10 s.`,
          },
        ];
  return [...(end?.level === 'failing' ? [end] : []), ...kept, ...(end?.level === 'waiting' ? [end] : [])];
}

/** `until 2026-12-12T00:00:00Z`. */
export function certificateEnd({ endsMs }: CertificateStatus): string {
  return `until ${formatTime(endsMs)}`;
}

function endWarning(certificate: CertificateStatus, nowMs: number): CertificateWarning | undefined {
  const { certFile, keyFile, endsMs } = certificate;
  const leftMs = endsMs - nowMs;
  if (leftMs >= WARN_BEFORE_MS) return undefined;
  const renew = `Write a renewed certificate and its key to ${certFile} and ${keyFile}; the console serves them without a restart.`;
  return leftMs <= 0
    ? {
        level: 'failing',
        text: `The certificate has expired ${formatAge(-leftMs)} ago, and browsers refuse it. ${renew}`,
      }
    : { level: 'waiting', text: `The certificate ends in ${formatAge(leftMs)}. ${renew}` };
}
