/** Headers and certificates that authenticate a request. `tls` stays the same object while the certificates do. */
export interface RequestCredentials {
  readonly headers: { [name: string]: string };
  readonly tls: TlsOptions;
}

/** TLS settings of connections to one cluster, named as in Node's tls module. PEM text. */
export interface TlsOptions {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  passphrase?: string | undefined;
  servername?: string | undefined;
  rejectUnauthorized?: boolean | undefined;
}
