/** What a request needs to be let in. The same `tls` object is given as long as the certificates stay. */
export interface RequestCredentials {
  readonly headers: { [name: string]: string };
  readonly tls: TlsOptions;
}

/** TLS settings of connections to one cluster, in the words of Node's tls module. PEM text. */
export interface TlsOptions {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  passphrase?: string | undefined;
  servername?: string | undefined;
  rejectUnauthorized?: boolean | undefined;
}
