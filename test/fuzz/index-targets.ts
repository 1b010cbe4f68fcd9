import { parseIndex, searchIndex } from '@/lib/kudo/repository/index-file';
import { parseChallenge } from '@/lib/oci/challenge';
import { formatManifest, parseImageIndex, parseManifest } from '@/lib/oci/manifest';
import { PACKAGE_LAYER_TYPE, PACKAGE_TYPE, packageLayer, packageVersionOf } from '@/lib/oci/package-manifest';
import { parseOciReference } from '@/lib/oci/reference';
import type { Random } from '@/lib/random/random';
import { parseBundle } from '@/server/packages/signing/bundle';
import { checkSignatures } from '@/server/packages/signing/check-signatures';
import { readPublicKey } from '@/server/packages/signing/keys';
import type { FuzzTarget } from './fuzz-target';
import { mutatedText } from './mutate';

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

const IMAGE_INDEX = JSON.stringify({ schemaVersion: 2, manifests: [LAYER, LAYER] });
const BUNDLE = JSON.stringify({
  format: 'bravo.kudo.dev/oci-package/v1',
  manifest: MANIFEST,
  config: '{}',
  signatures: [{ payload: '{}', signature: 'MEUCIQ==' }],
});

const on = (name: string, count: number, text: string, act: (text: string) => unknown): FuzzTarget => ({
  name,
  count,
  act: (random: Random) => act(mutatedText(text, random)),
});

/** 10,000 indexes of repositories, and 10,000 of what registries answer and signatures are. */
export const indexTargets: readonly FuzzTarget[] = [
  on('index', 10_000, INDEX, (text) => {
    const index = parseIndex(text);
    for (const searched of ['', 'pond']) searchIndex(index, searched, 'all');
  }),
  on('manifest', 5_000, MANIFEST, (text) => {
    const manifest = parseManifest(text, 'place');
    packageVersionOf(manifest);
    packageLayer(manifest, 'place');
  }),
  on('image-index', 2_000, IMAGE_INDEX, (text) => parseImageIndex(text, 'place')),
  on('bundle', 1_000, BUNDLE, (text) => {
    const evidence = { detached: [text], manifest: parseBundle(text, 'place') };
    checkSignatures(Buffer.from(text), 'place', evidence, { owner: 'lab', keys: [KEY] });
  }),
  on('reference', 1_000, `oci://r:5000/a/b:1@sha256:${HEX}`, (text) => parseOciReference(text)),
  on('challenge', 1_000, 'Bearer realm="https://a/t",service="x",scope="y"', (text) => parseChallenge(text)),
];
