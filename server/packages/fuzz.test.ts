import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BravoError } from '@/lib/errors/errors';
import { parseIndex, searchIndex } from '@/lib/kudo/repository/index-file';
import { parseChallenge } from '@/lib/oci/challenge';
import { formatManifest, parseImageIndex, parseManifest } from '@/lib/oci/manifest';
import { PACKAGE_LAYER_TYPE, PACKAGE_TYPE, packageLayer, packageVersionOf } from '@/lib/oci/package-manifest';
import { parseOciReference } from '@/lib/oci/reference';
import { type Random, randomInteger, seededRandom } from '@/lib/random/random';
import { loadArchive } from './loaded-package';
import { archiveOf, OPERATOR, PARAMS } from './package-fixture';
import { parseBundle } from './signing/bundle';
import { checkSignatures } from './signing/check-signatures';
import { readPublicKey } from './signing/keys';

/** 10,000 in all; `BRAVO_FUZZ=20` makes it twenty times as many, `BRAVO_FUZZ_SEED` begins with another seed. */
const TIMES = Number(process.env.BRAVO_FUZZ ?? '1');
const SEED = process.env.BRAVO_FUZZ_SEED ?? 'packages';

const HEX = 'a'.repeat(64);
const INDEX = `apiVersion: v1
entries:
  pond:
  - {name: pond, operatorVersion: 0.2.0, appVersion: "5.7", digest: ${HEX}, urls: [pond-0.2.0.tgz], removed: false}
  - name: pond
    operatorVersion: 0.1.0
    maintainers: [{name: A, email: a@b.c}]
    urls:
    - http://localhost/pond-0.1.0.tgz
  lake: &lake
  - {operatorVersion: 1.0.0, description: "a \\u00e9"}
generated: "2026-01-01T00:00:00Z"
`;
const LAYER = { mediaType: PACKAGE_LAYER_TYPE, digest: `sha256:${HEX}`, size: 100, annotations: { a: 'b' } };
const MANIFEST = formatManifest({
  artifactType: PACKAGE_TYPE,
  config: { ...LAYER, mediaType: 'a/b' },
  layers: [LAYER],
  subject: LAYER,
  annotations: { 'org.opencontainers.image.title': 'pond', 'dev.kudo.package.operator-version': '1.0.0' },
});
const KEY = readPublicKey(
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELigCnlLNKgOglRTx1D7JhI7eRw99\nQolE9Jo4QUxnbMy5nUuBL+UZF9qqfm/Dg1BNeHRThHzWh2ki9vAEgWEDOw==\n-----END PUBLIC KEY-----\n',
  'key',
);

/** What is put into texts besides single bytes: what parsers are most likely to stumble over. */
const WORDS = [
  'null',
  '{}',
  '[]',
  '-1',
  '1e999',
  '"',
  '\\',
  '\n',
  ': ',
  '- ',
  '&a ',
  '*a',
  '<<: ',
  '__proto__',
  '../',
  '\u0000',
  '999999999999999999999',
  '%',
  'sha256:',
];

/** A copy with one to eight changes: bytes replaced, removed, doubled, words put in, ends cut off. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let next = Buffer.from(bytes);
  const changes = 1 + randomInteger(random, 8);
  for (let change = 0; change < changes && next.length > 0; change++) {
    const at = randomInteger(random, next.length);
    const length = 1 + randomInteger(random, 16);
    const word = Buffer.from(WORDS[randomInteger(random, WORDS.length)] ?? '');
    switch (randomInteger(random, 6)) {
      case 0:
        next[at] = randomInteger(random, 256);
        break;
      case 1:
        next[at] = (next[at] ?? 0) ^ (1 << randomInteger(random, 8));
        break;
      case 2:
        next = Buffer.concat([next.subarray(0, at), next.subarray(at + length)]);
        break;
      case 3:
        next = Buffer.concat([next.subarray(0, at), next.subarray(at, at + length), next.subarray(at)]);
        break;
      case 4:
        next = Buffer.concat([next.subarray(0, at), word, next.subarray(at)]);
        break;
      default:
        if (randomInteger(random, 8) === 0) next = next.subarray(0, at);
    }
  }
  return next;
}

/** Calls with `count` mutations; the seeds of what failed in another way than with a declared error. */
async function failures(
  what: string,
  count: number,
  bytes: Uint8Array,
  act: (mutation: Uint8Array) => unknown,
): Promise<string[]> {
  const failed: string[] = [];
  for (let at = 0; at < count * TIMES; at++) {
    const seed = `${SEED}/${what}/${at}`;
    try {
      await act(mutated(bytes, seededRandom(seed)));
    } catch (error) {
      if (!(error instanceof BravoError))
        failed.push(`${seed}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return failed;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('mutated input gives declared errors only', () => {
  it('as the index of a repository', async () => {
    const found = await failures('index', 1_500, Buffer.from(INDEX), (bytes) => {
      for (const text of ['', 'pond']) searchIndex(parseIndex(textOf(bytes)), text, 'all');
    });
    expect(found).toEqual([]);
  });

  it('as manifests, indexes and signatures of a registry', async () => {
    const index = JSON.stringify({ schemaVersion: 2, manifests: [LAYER, LAYER] });
    const bundle = { format: 'bravo.kudo.dev/oci-package/v1', manifest: MANIFEST, config: '{}' };
    const signed = JSON.stringify({ ...bundle, signatures: [{ payload: '{}', signature: 'MEUCIQ==' }] });
    const found = [
      ...(await failures('manifest', 3_500, Buffer.from(MANIFEST), (bytes) => {
        const manifest = parseManifest(textOf(bytes), 'place');
        packageVersionOf(manifest);
        packageLayer(manifest, 'place');
      })),
      ...(await failures('image-index', 1_500, Buffer.from(index), (bytes) => parseImageIndex(textOf(bytes), 'place'))),
      ...(await failures('bundle', 1_000, Buffer.from(signed), (bytes) => {
        const evidence = { detached: [textOf(bytes)], manifest: parseBundle(textOf(bytes), 'place') };
        checkSignatures(bytes, 'place', evidence, { owner: 'lab', keys: [KEY] });
      })),
      ...(await failures('reference', 500, Buffer.from(`oci://r:5000/a/b:1@sha256:${HEX}`), (bytes) => {
        parseOciReference(textOf(bytes));
      })),
      ...(await failures('challenge', 500, Buffer.from('Bearer realm="https://a/t",service="x",scope="y"'), (bytes) => {
        parseChallenge(textOf(bytes));
      })),
    ];
    expect(found).toEqual([]);
  });

  it('as archives, packed and unpacked', async () => {
    const archive = await archiveOf([
      { name: 'operator.yaml', text: OPERATOR('pond') },
      { name: PARAMS.name, text: PARAMS.text },
      { name: 'templates/deep/a.yaml', text: 'image: a\n' },
      { name: 'link', type: 'symlink' },
    ]);
    const found = [
      ...(await failures('packed', 500, archive, (bytes) => loadArchive(bytes, 'place'))),
      ...(await failures('unpacked', 1_000, gunzipSync(archive), (bytes) =>
        loadArchive(gzipSync(bytes, { level: 1 }), 'place'),
      )),
    ];
    expect(found).toEqual([]);
  });
});
