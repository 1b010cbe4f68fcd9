import { afterEach, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type Random, randomUuid, seededRandom } from '@/lib/random/random';
import { RECORD_SECRET_TYPE } from '@/server/runs/record-secret';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine, type VirtualEngineOptions } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep, plan, remove } from '@/test/operators/templates';

/** Every function of templates that draws random bytes, a key of the Secret each. */
const GENERATED: { readonly [key: string]: string } = {
  alphanum: 'randAlphaNum 24',
  alpha: 'randAlpha 24',
  numeric: 'randNumeric 24',
  ascii: 'randAscii 24 | b64enc',
  bytes: 'randBytes 16',
  integer: 'randInt 0 1000000000',
  shuffled: 'shuffle "abcdefghijklmnopqrstuvwxyz"',
  uuid: 'uuidv4',
  rsa: 'genPrivateKey "rsa" | b64enc',
  ecdsa: 'genPrivateKey "ecdsa" | b64enc',
  ed25519: 'genPrivateKey "ed25519" | b64enc',
  authority: '(genCA "ca" 365).Key | b64enc',
  certificate: '(genSelfSignedCert "host" nil nil 365).Key | b64enc',
  hash: 'bcrypt "password"',
  line: 'htpasswd "user" "password"',
  encrypted: 'encryptAES "key" "text"',
};

const entries = Object.entries(GENERATED).map(([key, call]) => `  ${key}: {{ ${call} | quote }}`);
const secret = (name: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\nstringData:\n${entries.join('\n')}\n`;

const SECRET_OF_KEYS = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: keys\nstringData:\n  value: {{ randAlphaNum 24 }}\n`;

/** Everything but the keys of runs is the same for the same number; every draw of 32 bytes is a key. */
function operatingSystem(keys: string): NonNullable<VirtualEngineOptions['systemRandom']> {
  return (n) => {
    const others = seededRandom(`controller ${n}`);
    const forKeys = seededRandom(`${keys} ${n}`);
    return { bytes: (length) => (length === 32 ? forKeys : others).bytes(length) } satisfies Random;
  };
}

let engines: VirtualEngine[] = [];
afterEach(async () => {
  for (const engine of engines) await engine.stop();
  engines = [];
});

async function open(options: VirtualEngineOptions = {}): Promise<Lab> {
  const engine = await startVirtualEngine(options);
  engines.push(engine);
  await engine.startController();
  return Lab.open(engine, 'vault');
}

/** All that is stored, as JSON by kind and name. */
async function dump(lab: Lab): Promise<{ readonly secrets: KubeObject[]; readonly others: string[] }> {
  const { resources } = await lab.engine.run(lab.engine.people.discover());
  const listable = resources.filter(({ verbs }) => verbs.includes('list'));
  const objects = listable.flatMap((type) => lab.engine.sandbox.api.list(type));
  const isSecret = ({ kind, apiVersion }: KubeObject) => kind === 'Secret' && apiVersion === 'v1';
  // The certificate of each cluster's own authority, and its public keys.
  const ofCluster = ['kube-root-ca.crt', 'extension-apiserver-authentication', 'bravo-signing-keys'];
  const isOfCluster = (object: KubeObject) => object.kind === 'ConfigMap' && ofCluster.includes(nameOf(object));
  return {
    secrets: objects.filter(isSecret),
    others: objects
      .filter((object) => !isSecret(object) && !isOfCluster(object))
      .map((object) => JSON.stringify(object)),
  };
}

function dataOf(object: KubeObject | undefined): { readonly [key: string]: JsonValue } {
  return isJsonObject(object?.data) ? object.data : {};
}

describe('what templates generate', () => {
  it('differs in every value although every object but Secrets is the same', async () => {
    const spec = oneStep([apply('make', 's.yaml')], { templates: { 's.yaml': secret('generated') } });
    const labs = [
      await open({ systemRandom: operatingSystem('one') }),
      await open({ systemRandom: operatingSystem('two') }),
    ];
    for (const lab of labs) await lab.deploy('app', spec);
    const [one, two] = await Promise.all(labs.map(dump));
    // A keyed fingerprint of a Secret differs with it, and nobody without the key learns anything from it.
    const known = (texts: readonly string[] | undefined) =>
      texts?.map((text) =>
        // How well a record is packed depends on the fingerprints in it. Each cluster signs with its own key.
        text
          .replaceAll(/[0-9a-f]{8}:[0-9a-f]{32}/g, '‹fingerprint›')
          .replace(/"recordBytes":\d+/, '')
          .replace(/"recordSha256":"[0-9a-f]{64}"/, '')
          .replace(/"signature":\{[^}]*\}/, ''),
      );
    expect(known(one?.others)).toEqual(known(two?.others));
    const [first, second] = labs.map((lab) => dataOf(lab.find('secrets', 'generated')));
    expect(Object.keys(first ?? {}).sort()).toEqual(Object.keys(GENERATED).sort());
    for (const key of Object.keys(GENERATED)) expect(first?.[key], key).not.toBe(second?.[key]);
  });

  it('is nowhere but in Secrets', async () => {
    const lab = await open();
    await lab.deploy('app', oneStep([apply('make', 's.yaml')], { templates: { 's.yaml': secret('generated') } }));
    const values = Object.values(dataOf(lab.find('secrets', 'generated'))).map(String);
    const texts = values.flatMap((value) => [value, Buffer.from(value, 'base64').toString()]);
    const { others, secrets } = await dump(lab);
    for (const text of texts)
      for (const object of others) expect(object.includes(JSON.stringify(text).slice(1, -1))).toBe(false);
    const generated = secrets.find((object) => nameOf(object) === 'generated');
    const metadata = JSON.stringify(generated?.metadata);
    for (const text of texts) expect(metadata).not.toContain(JSON.stringify(text).slice(1, -1));
  });

  it('is the same after the controller died between the first write and the next', async () => {
    const lab = await open();
    const held = { name: 'held', finalizers: ['example.org/hold'] };
    await lab.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: held });
    await lab.create(
      'app',
      await lab.operator('app', {
        templates: { 's.yaml': SECRET_OF_KEYS, 'h.yaml': configMap('held') },
        tasks: [apply('make', 's.yaml'), remove('wait', 'h.yaml')],
        plans: { deploy: plan(['both', 'make', 'wait']) },
      }),
    );
    await lab.engine.until('the Secret is made', () => lab.find('secrets', 'keys') !== undefined);
    const before = dataOf(lab.find('secrets', 'keys'));
    await lab.engine.stopController();
    await lab.remove('secrets', 'keys');
    await lab.engine.startController();
    await lab.engine.until('the Secret is made again', () => lab.find('secrets', 'keys') !== undefined);
    expect(dataOf(lab.find('secrets', 'keys'))).toEqual(before);
    await lab.patch('configmaps', 'held', { metadata: { finalizers: null } });
    await lab.ends('app', 'deploy');
    expect(lab.find('secrets', 'app.bravo-run')).toBeUndefined();
  });

  it('is not written before the key of the run is stored', async () => {
    const lab = await open();
    lab.engine.refuse(({ method, path }) => (method === 'POST' && path.endsWith('/secrets') ? 503 : undefined));
    await lab.create(
      'app',
      await lab.operator('app', oneStep([apply('make', 's.yaml')], { templates: { 's.yaml': SECRET_OF_KEYS } })),
    );
    await lab.engine.pass(30_000);
    const posted = lab.engine.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/vault/secrets'));
    expect(new Set(posted.map(({ body }) => (isJsonObject(body?.metadata) ? body.metadata.name : '')))).toEqual(
      new Set(['app.bravo-run']),
    );
    lab.engine.refuse(undefined);
    await lab.ends('app', 'deploy');
    expect(lab.find('secrets', 'keys')).toBeDefined();
  });

  it('needs no Secret for a run without random bytes', async () => {
    const lab = await open();
    const templates = { 'c.yaml': configMap('plain') };
    await lab.deploy('app', oneStep([apply('make', 'c.yaml')], { templates }));
    const written = lab.engine.calls.filter(({ path }) => path.includes('/namespaces/vault/secrets'));
    expect(written.filter(({ body }) => body?.type !== RECORD_SECRET_TYPE)).toEqual([]);
  });

  it('is of the key that was stored first when two controllers have begun the same run', async () => {
    const lab = await open();
    let uid = '';
    lab.engine.refuse(({ method, path }) => (method === 'POST' && path.endsWith('/secrets') ? 503 : undefined));
    await lab.create(
      'app',
      await lab.operator('app', oneStep([apply('make', 's.yaml')], { templates: { 's.yaml': SECRET_OF_KEYS } })),
    );
    await lab.engine.pass(5_000);
    uid = lab.instance('app').status?.planStatus?.deploy?.uid ?? '';
    const { gzipSync } = await import('node:zlib');
    const key = Buffer.from(seededRandom('another controller').bytes(32)).toString('base64');
    const snapshot = gzipSync(JSON.stringify({ uid, key })).toString('base64');
    await lab.put('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'app.bravo-run' },
      type: 'bravo.kudo.dev/run',
      data: { 'run.json.gz': snapshot },
    });
    lab.engine.refuse(undefined);
    await lab.ends('app', 'deploy');
    const { keyStream } = await import('@/lib/random/key-stream');
    const bytes = keyStream(Buffer.from(key, 'base64'), `${uid}/main/run/make`);
    expect(dataOf(lab.find('secrets', 'keys')).value).toBe(Buffer.from(alphaNum(bytes, 24)).toString('base64'));
    expect(randomUuid(bytes)).not.toBe(uid);
  });
});

/** As `randAlphaNum` draws it: the bytes that fall into whole multiples of the alphabet. */
function alphaNum(random: Random, count: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let text = '';
  while (text.length < count) {
    for (const byte of random.bytes(count - text.length)) if (byte < 248) text += alphabet[byte % 62];
  }
  return text;
}
