import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock, Timer } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { TlsSettings } from '@/server/config/tls';
import type { Log } from '@/server/log/log';

/** A renewed certificate is served within this time. */
const LOOK_EVERY_MS = 10_000;

/**
 * The certificate and key of the console, read again when their files change, as cert-manager and the kubelet renew them. Connections that
 * are open stay open. While the files do not fit together the former pair is served.
 */
export class TlsPair {
  private served = '';
  private timer: Timer | undefined;
  /** Why the files are not served as they are; undefined while they are. */
  problem: string | undefined;

  constructor(private readonly options: { readonly settings: TlsSettings; readonly clock: Clock; readonly log: Log }) {}

  /** For the start. @throws TerminalError with one sentence for files that cannot be served */
  first(): SecureContextOptions {
    const pair = this.read();
    this.served = textOf(pair);
    return pair;
  }

  /** Serves what the files hold from now on, until {@link stop}. */
  keepFresh(server: Pick<Server, 'setSecureContext'>): void {
    this.timer = this.options.clock.after(LOOK_EVERY_MS, () => {
      this.look(server);
      this.keepFresh(server);
    });
  }

  stop(): void {
    this.timer?.cancel();
  }

  private look(server: Pick<Server, 'setSecureContext'>): void {
    const { log } = this.options;
    try {
      const pair = this.read();
      this.problem = undefined;
      const text = textOf(pair);
      if (text === this.served) return;
      server.setSecureContext(pair);
      this.served = text;
      log.info('tls.renewed', { until: new X509Certificate(pair.cert).validTo });
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.problem)
        log.warn('tls.kept', { problem, advice: 'The former certificate is served until the files fit together.' });
      this.problem = problem;
    }
  }

  private read(): SecureContextOptions & { readonly cert: string; readonly key: string } {
    const { certFile, keyFile } = this.options.settings;
    const pair = {
      cert: text('BRAVO_TLS_CERT', certFile),
      key: text('BRAVO_TLS_KEY', keyFile),
      minVersion: 'TLSv1.2' as const,
    };
    check(pair, certFile, keyFile);
    return pair;
  }
}

function text(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TerminalError(`${setting} ${path} cannot be read: ${messageOf(error)}.`, 'NoCertificate', {
      cause: error,
    });
  }
}

/** @throws TerminalError when the files are not a certificate with its key. OpenSSL's own words say nothing about the key. */
function check(pair: { readonly cert: string; readonly key: string }, certFile: string, keyFile: string): void {
  let fits: boolean;
  try {
    createSecureContext(pair);
    fits = new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key));
  } catch (error) {
    const message = `${certFile} and ${keyFile} are not a certificate and its key in PEM: ${messageOf(error)}.`;
    throw new TerminalError(message, 'BadCertificate', { cause: error });
  }
  if (!fits)
    throw new TerminalError(`The key of ${keyFile} is not that of the certificate of ${certFile}.`, 'BadCertificate');
}

const textOf = ({ cert, key }: SecureContextOptions): string => `${String(cert)}\n${String(key)}`;
