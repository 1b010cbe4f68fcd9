import type { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { type Clock, formatTime, type Timer } from '@/lib/clock/clock';
import type { CertificateStatus } from '@/lib/status/certificate';
import type { TlsSettings } from '@/server/config/tls';
import type { Log } from '@/server/log/log';
import { ClientConnections } from './client-connections';
import { LastGood } from './last-good';
import { checkNewer, readClientCa, readPair, type ServedPair } from './tls-files';

/** A renewed certificate is served within this time. */
const LOOK_EVERY_MS = 10_000;

type SecureServer = Pick<Server, 'setSecureContext' | 'closeIdleConnections' | 'on'>;

/**
 * The certificate and key of the console, and the authorities of the proxy's certificate, read again when their files change, as
 * cert-manager and the kubelet renew them. Connections that are open stay open, but for those that a former authority let in. While the
 * files cannot be used the former ones are.
 */
export class TlsPair {
  private readonly pair: LastGood<ServedPair>;
  private readonly clientCa: LastGood<string> | undefined;
  private readonly connections = new ClientConnections();
  private timer: Timer | undefined;

  constructor(private readonly options: { readonly settings: TlsSettings; readonly clock: Clock; readonly log: Log }) {
    const { settings, clock } = options;
    this.pair = new LastGood((served) => {
      const pair = readPair(settings);
      if (served !== undefined) checkNewer(pair, served, settings, clock.now());
      return pair;
    });
    const { clientCaFile } = settings;
    this.clientCa = clientCaFile === undefined ? undefined : new LastGood(() => readClientCa(clientCaFile));
  }

  /** What is served, and why the files are not used as they are. */
  get status(): CertificateStatus {
    const { certFile, keyFile, clientCaFile } = this.options.settings;
    const problem = this.pair.problem ?? this.clientCa?.problem;
    return { certFile, keyFile, clientCaFile, endsMs: this.pair.value.endsMs, problem };
  }

  /** For the start. @throws TerminalError with one sentence for files that cannot be served */
  first(): TlsOptions {
    this.pair.first();
    this.clientCa?.first();
    return this.clientCa === undefined
      ? this.context()
      : // Everybody else connects without one: browsers, and the probes of the kubelet.
        { ...this.context(), requestCert: true, rejectUnauthorized: false };
  }

  /** Serves what the files hold from now on, until {@link stop}. */
  keepFresh(server: SecureServer): void {
    if (this.clientCa !== undefined) this.connections.watch(server);
    this.lookLater(server);
  }

  stop(): void {
    this.timer?.cancel();
  }

  /** The certificate that a client showed, signed by an authority that still counts; undefined for any other connection. */
  clientCertificate(socket: Socket): X509Certificate | undefined {
    return this.clientCa === undefined ? undefined : this.connections.certificateOf(socket);
  }

  private lookLater(server: SecureServer): void {
    this.timer = this.options.clock.after(LOOK_EVERY_MS, () => {
      this.look(server);
      this.lookLater(server);
    });
  }

  private look(server: SecureServer): void {
    const { log } = this.options;
    const [pair, ca] = [this.pair.look(), this.clientCa?.look() ?? 'same'];
    if (pair === 'changed' || ca === 'changed') server.setSecureContext(this.context());
    if (ca === 'changed') {
      this.connections.distrust();
      // What a former authority let in is not believed any more: clients connect again before they send the next request.
      server.closeIdleConnections();
    }
    if (pair === 'changed') log.info('tls.renewed', { until: formatTime(this.pair.value.endsMs) });
    if (ca === 'changed') log.info('tls.client-ca-renewed');
    if (pair === 'kept' || ca === 'kept')
      log.warn('tls.kept', {
        problem: this.status.problem,
        advice: 'The former files are used until these fit together.',
      });
  }

  private context(): TlsOptions {
    const { cert, key } = this.pair.value;
    const ca = this.clientCa?.value;
    return { cert, key, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) };
  }
}
