const PEM = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----/g;

/** The public keys in a text, each in PEM. */
export function publicKeysIn(text: string): string[] {
  return [...text.matchAll(PEM)].map(([pem]) => `${pem.trim()}\n`);
}
