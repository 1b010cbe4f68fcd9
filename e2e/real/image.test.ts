import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productVersion } from '@/server/runtime/root';
import { freePort, type Running, stopAll, temporaryFolder } from '@/test/programs/process';
import { type BuiltImage, buildImage, whyNoImage } from './image-build';
import { runImage } from './image-run';

const why = whyNoImage();
if (why !== undefined) console.warn(`The image is not tested here: ${why}.`);
const BUILD_WITHIN_MS = 3_600_000;
const MOST_MB = 250;

describe.skipIf(why !== undefined)('the image', () => {
  let folder: string;
  let image: BuiltImage;
  let console_: Running;
  let base: string;

  beforeAll(async () => {
    folder = temporaryFolder('image');
    image = buildImage(folder);
    const port = String(await freePort());
    base = `http://127.0.0.1:${port}`;
    const env = {
      PORT: port,
      BRAVO_SANDBOX_PORT: String(await freePort()),
      BRAVO_POD_DELAY: '0',
      BRAVO_METRICS_PORT: 'off',
    };
    console_ = runImage(image, folder, { args: ['bravo', 'console'], env });
    await console_.printed('Bravo is ready', 300_000);
  }, BUILD_WITHIN_MS);
  afterAll(async () => {
    await console_?.stop();
    await stopAll();
  });

  it(`is at most ${MOST_MB} MB, with its base and Node`, () => {
    const kilobytes = Number(execFileSync('du', ['-sk', image.root], { encoding: 'utf8' }).split('\t')[0]);
    expect(kilobytes / 1_000).toBeLessThanOrEqual(MOST_MB);
  });

  it('has labels, a user that is a number and not root, and a list of its packages', () => {
    expect(image.config.User).toBe('65532:65532');
    expect(image.config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'bravo',
      'org.opencontainers.image.version': productVersion,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    });
    const sbom = JSON.parse(readFileSync(join(image.root, 'usr/share/bravo/sbom.cdx.json'), 'utf8'));
    expect([sbom.bomFormat, sbom.components.map(({ name }: { name: string }) => name).includes('next')]).toEqual([
      'CycloneDX',
      true,
    ]);
  });

  it('has no shell, no sources and no tools of a build', () => {
    for (const path of [
      'bin/sh',
      'app/server',
      'app/node_modules/typescript',
      'app/node_modules/@biomejs',
      'usr/bin/apt',
    ]) {
      expect(existsSync(join(image.root, path)), path).toBe(false);
    }
  });

  it('serves pages and the sandbox as an arbitrary user on a read-only root file system', async () => {
    for (const path of ['/', '/instances', '/operators', '/api/health', '/api/kube/api/v1/namespaces']) {
      expect((await fetch(base + path)).status, path).toBe(200);
    }
    const page = await (await fetch(base)).text();
    const [style] = /\/_next\/static\/[^"]*\.css/.exec(page) ?? [];
    expect((await fetch(base + style)).status).toBe(200);
  });

  it('is the command line too', async () => {
    const version = runImage(image, folder, { args: ['bravo', 'version'], env: {} });
    expect((await version.exited()).code).toBe(0);
    expect(version.output()).toContain(`Bravo Version: ${productVersion}`);
  });

  it('ends within ten seconds of SIGTERM', async () => {
    const { code, afterMs } = await console_.stop();
    expect([code, afterMs < 10_000]).toEqual([0, true]);
  });
});
