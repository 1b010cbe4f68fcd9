import { Gauge, type Registry } from 'prom-client';

/** What is measured of the certificate that the console serves. */
export interface MeasuredCertificate {
  /** Wall milliseconds. */
  readonly endsMs: number;
  /** Undefined while the files are used as they are. */
  readonly problem: string | undefined;
}

/** The metrics of the console's own certificate; without one there are no values. */
export function certificateMetrics(registry: Registry, certificate: () => MeasuredCertificate | undefined): void {
  const registers = [registry];
  new Gauge({
    name: 'bravo_console_certificate_end_timestamp_seconds',
    help: 'When the certificate that the console serves ends, in seconds since 1970; absent without BRAVO_TLS_CERT.',
    registers,
    collect() {
      const found = certificate();
      if (found === undefined) this.remove();
      else this.set(found.endsMs / 1_000);
    },
  });
  new Gauge({
    name: 'bravo_console_certificate_problem',
    help: 'Whether the files of the certificate cannot be used as they are, so that the console serves their former content: 1 or 0; absent without BRAVO_TLS_CERT.',
    registers,
    collect() {
      const found = certificate();
      if (found === undefined) this.remove();
      else this.set(found.problem === undefined ? 0 : 1);
    },
  });
}
