import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import bcryptjs from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { primeKeys } from '@/server/tasks/prime-keys';
import { bcryptHash } from './crypto/bcrypt';
import { renderError, renderTemplateText, TEST_NOW_MS } from './testing/render';

const environment = (seed = 'crypto') => ({
  clock: { now: () => TEST_NOW_MS },
  random: seededRandom(seed),
  primeKeys,
});

const render = (text: string, seed?: string): string =>
  renderTemplateText(text, {}, { environment: environment(seed) });

describe('sums', () => {
  it.each(['sha1', 'sha256', 'sha512'])('%ssum equals the result of OpenSSL', (name) => {
    expect(render(`{{ ${name}sum "bravo é" }}`)).toBe(createHash(name).update('bravo é').digest('hex'));
  });

  it('adler32sum is the sum of zlib', () => {
    expect(render('{{ adler32sum "Wikipedia" }}')).toBe('300286872');
  });
});

describe('passwords', () => {
  it.each([
    ['', 'k1wbIrmNyFAPwPVPSVa/ze', 'cw2BCEnBwVS2GbrmgzxFUOqW9dk4TCW'],
    ['abc', 'WvvTPHKwdBJ3uk0Z37EMR.', 'hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi'],
  ])('bcrypt of %j passes the vector of jBCrypt', (password, salt, hash) => {
    expect(bcryptHash(password, decodeSalt(salt))).toBe(`$2a$10$${salt}${hash}`);
  });

  it('bcrypt makes hashes that verify, and refuses passwords that are too long or not UTF-8', () => {
    const [hash = '', other = ''] = [render('{{ bcrypt "pässword" }}'), render('{{ bcrypt "pässword" }}', 'other')];
    expect(hash).toMatch(/^\$2a\$10\$[./A-Za-z0-9]{53}$/);
    expect(other).not.toBe(hash);
    expect([hash, other].every((each) => bcryptjs.compareSync('pässword', each))).toBe(true);
    expect(render('{{ bcrypt (repeat 73 "x") }}')).toBe(
      'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes',
    );
    expect(render('{{ bcrypt (b64dec "/w==") }}')).toBe(
      'failed to encrypt string with bcrypt: bcrypt: password is not valid UTF-8',
    );
  });

  it('htpasswd refuses a colon in the name', () => {
    expect(render('{{ htpasswd "a:b" "x" }}')).toBe('invalid username: a:b');
  });

  it('encryptAES and decryptAES are each other’s inverse', () => {
    expect(render('{{ encryptAES "key" "sécret" | decryptAES "key" }}')).toBe('sécret');
  });
});

function decodeSalt(text: string): Uint8Array {
  const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let bits = '';
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(6, '0');
  return Uint8Array.from({ length: 16 }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2));
}

describe('private keys', () => {
  it.each([
    ['ecdsa', 'ec'],
    ['ed25519', 'ed25519'],
    ['rsa', 'rsa'],
  ])(
    'of kind %s are read by OpenSSL',
    (kind, type) => {
      const key = createPrivateKey(render(`{{ genPrivateKey "${kind}" }}`));
      expect(key.asymmetricKeyType).toBe(type);
      if (type === 'rsa') expect(key.asymmetricKeyDetails?.modulusLength).toBe(4_096);
    },
    30_000,
  );

  it('of a draft are on a curve and can sign certificates without RSA', () => {
    const { clock, random } = environment();
    const draft = (text: string) =>
      renderTemplateText(text, {}, { environment: { clock, random, hasDraftKeys: true } });
    for (const kind of ['rsa', 'dsa', 'ecdsa']) {
      expect(createPrivateKey(draft(`{{ genPrivateKey "${kind}" }}`)).asymmetricKeyDetails?.namedCurve).toBe(
        'prime256v1',
      );
    }
    const cert = new X509Certificate(draft('{{ (genCA "x" 1).Cert }}'));
    expect(cert.verify(cert.publicKey)).toBe(true);
  });

  it('of kind dsa are read by OpenSSL and have 2,048 and 256 bits', () => {
    const key = createPrivateKey(render('{{ genPrivateKey "dsa" }}'));
    expect(key.asymmetricKeyType).toBe('dsa');
    expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2_048, divisorLength: 256 });
    expect(
      renderError('{{ genCAWithKey "x" 1 (genPrivateKey "dsa") }}', {}, { environment: environment() }).goMessage,
    ).toContain('x509: only RSA, ECDSA and Ed25519 keys supported');
  });

  it('are the same for the same seed, and differ for another', () => {
    const text = '{{ genPrivateKey "ecdsa" }}{{ (genCA "x" 1).Key }}';
    expect(render(text, 'a')).toBe(render(text, 'a'));
    expect(render(text, 'a')).not.toBe(render(text, 'b'));
  });
});

const CHAIN = `{{ $ca := genCA "demo-ca" 365 }}
{{- $cert := genSignedCert "demo.example.com" (list "10.0.0.1" "::1") (list "*.example.com") 30 $ca }}
{{- list $ca.Cert $cert.Cert $cert.Key | toJson }}`;

describe('certificates', () => {
  it('of an authority and of a certificate that it signs are valid for OpenSSL', () => {
    const [caText = '', text = '', keyText = ''] = JSON.parse(render(CHAIN)) as string[];
    const [ca, cert] = [new X509Certificate(caText), new X509Certificate(text)];
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(cert.verify(ca.publicKey)).toBe(true);
    expect(cert.checkIssued(ca)).toBe(true);
    expect(cert.subject).toBe('CN=demo.example.com');
    expect(cert.subjectAltName).toBe('DNS:*.example.com, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(cert.checkPrivateKey(createPrivateKey(keyText))).toBe(true);
    expect(Date.parse(cert.validTo) - Date.parse(cert.validFrom)).toBe(30 * 86_400_000);
  });

  it.each(['ecdsa', 'ed25519'])('can be made with a key of kind %s', (kind) => {
    const text = render(
      `{{ $key := genPrivateKey "${kind}" }}{{ (genSelfSignedCertWithKey "x" nil nil 1 $key).Cert }}`,
    );
    const cert = new X509Certificate(text);
    expect(cert.verify(createPublicKey(cert.publicKey.export({ type: 'spki', format: 'pem' })))).toBe(true);
  });

  it('that are given are checked and returned', () => {
    const text = `{{ $c := genSelfSignedCert "x" nil nil 1 }}{{ $d := buildCustomCert (b64enc $c.Cert) (b64enc $c.Key) }}{{ eq $c.Cert $d.Cert }}`;
    expect(render(text)).toBe('true');
    expect(renderError('{{ buildCustomCert "YQ==" "YQ==" }}').goMessage).toContain('unable to decode certificate');
  });

  it('are valid to the last day that ASN.1 can write, and no longer', () => {
    const cert = new X509Certificate(render('{{ (genCA "x" 36500).Cert }}'));
    expect(Date.parse(cert.validTo) - Date.parse(cert.validFrom)).toBe(36_500 * 86_400_000);
    expect(renderError('{{ genCA "x" 5000000 }}', {}, { environment: environment() }).goMessage).toContain(
      'cannot represent time as GeneralizedTime',
    );
  });

  it('refuse invalid addresses', () => {
    expect(renderError('{{ genSelfSignedCert "x" (list "300.1.1.1") nil 1 }}').goMessage).toContain(
      'error parsing ip: 300.1.1.1',
    );
  });
});
