import { gzipSync } from 'node:zlib';
import { packageRoot } from '@/lib/kudo/package/parse-package';
import { type Random, randomInteger } from '@/lib/random/random';
import { writeTar } from '@/lib/tar/write-tar';
import { openArchive } from '@/lib/workshop/draft-archive';
import { loadArchive } from '@/server/packages/loaded-package';
import { readArchiveFiles } from '@/server/packages/read-archive';
import type { FuzzTarget } from './fuzz-target';
import { mutated, mutatedText, pick } from './mutate';

const OPERATOR = `apiVersion: kudo.dev/v1beta1
name: pond
operatorVersion: 0.1.0
kubernetesVersion: 1.25.0
maintainers: [{name: A, email: a@example.org}]
tasks:
- {name: done, kind: Apply, spec: {resources: [deep/a.yaml]}}
plans:
  deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: s, tasks: [done]}]}]}
`;
const FILES: readonly [string, string][] = [
  ['operator.yaml', OPERATOR],
  ['params.yaml', 'parameters:\n- {name: SIZE, type: integer, default: 1}\n'],
  ['templates/deep/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\n'],
];

const tarOf = (files: readonly (readonly [string, string])[]) =>
  writeTar(new Map(files.map(([name, text]) => [name, Buffer.from(text)])));
const TAR = tarOf(FILES);
const PACKED = gzipSync(TAR);
/** Without the two empty blocks at the end. */
const PACKED_OPERATOR = gzipSync(tarOf(FILES.slice(0, 1)).subarray(0, -1024));
const zip = (bytes: Uint8Array) => gzipSync(bytes, { level: 1 });

const NAMES: readonly [string, ...string[]] = [
  'operator.yaml',
  './operator.yaml',
  '/params.yaml',
  '../../params.yaml',
  'operator/operator.yaml',
  'templates/../params.yaml',
  'a/b/c/d/e/f/g.yaml',
  'README.md',
  '\u0001.yaml',
  'constructor',
];

/** A tar whose headers are valid: what gets past the checksums. */
function restructured(random: Random): Uint8Array {
  const files = FILES.map(([name, text]): [string, string] => [
    randomInteger(random, 4) === 0 ? pick(random, NAMES) : name,
    randomInteger(random, 2) === 0 ? mutatedText(text, random) : text,
  ]);
  const tar = tarOf(files);
  const types = '0125xgLKSV7\0';
  if (randomInteger(random, 2) === 0) setHeader(tar, 156, types[randomInteger(random, types.length)] ?? '0');
  // The size says more, or less, than there is.
  if (randomInteger(random, 4) === 0)
    setHeader(
      tar,
      124,
      randomInteger(random, 2 ** 31)
        .toString(8)
        .padStart(11, '0'),
    );
  return tar;
}

/** Writes into the first header, and its checksum. */
function setHeader(tar: Uint8Array, at: number, text: string): void {
  tar.set(Buffer.from(text, 'latin1'), at);
  tar.fill(0x20, 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.set(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
}

const BLOCK = 512;
const ZEROS = 256 * 1024;
const ZEROS_ZIPPED = gzipSync(new Uint8Array(ZEROS));

/** Bytes that unpack to a thousand times as many. Members of gzip that follow each other are one text, so that this takes no memory itself. */
function bomb(random: Random): Uint8Array {
  const pieces = [PACKED_OPERATOR];
  const files = 1 + randomInteger(random, 40);
  const size = ZEROS * (1 + randomInteger(random, 16));
  for (let at = 0; at < files; at++) {
    const header = writeTar(new Map([[`templates/${at}.yaml`, new Uint8Array()]])).subarray(0, BLOCK);
    setHeader(header, 124, size.toString(8).padStart(11, '0'));
    pieces.push(gzipSync(header), ...Array.from({ length: size / ZEROS }, () => ZEROS_ZIPPED));
  }
  return Buffer.concat([...pieces, gzipSync(new Uint8Array(2 * BLOCK))]);
}

type Reader = (bytes: Uint8Array) => Promise<unknown>;

const load = (bytes: Uint8Array) => loadArchive(bytes, 'place');
/** As the workshop opens it. */
const open = (bytes: Uint8Array) => openArchive(Uint8Array.from(bytes));
/** As a chart is read. */
const chart = async (bytes: Uint8Array) =>
  packageRoot(new Map([...(await readArchiveFiles(bytes, () => true))].map(([name]) => [name, ''])));

const READERS: readonly [Reader, ...Reader[]] = [load, open, chart];

/** 10,000 archives: packed and unpacked bytes changed, valid headers with odd names, types and sizes, and bombs; read by all three readers. */
export const archiveTargets: readonly FuzzTarget[] = [
  { name: 'packed', count: 2_000, act: (random) => load(mutated(PACKED, random)) },
  { name: 'unpacked', count: 2_000, act: (random) => load(zip(mutated(TAR, random))) },
  { name: 'headers', count: 2_980, act: (random) => load(zip(restructured(random))) },
  {
    name: 'workshop',
    count: 2_000,
    act: (random) => open(zip(randomInteger(random, 2) === 0 ? restructured(random) : mutated(TAR, random))),
  },
  { name: 'chart', count: 1_000, act: (random) => chart(zip(restructured(random))) },
  { name: 'bombs', count: 20, act: (random) => pick(random, READERS)(bomb(random)) },
];
