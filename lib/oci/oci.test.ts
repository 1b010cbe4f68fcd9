import { describe, expect, it } from 'vitest';
import { parseChallenge } from './challenge';
import { credentialPlaces } from './docker-config';
import { formatManifest, MANIFEST_TYPE, parseImageIndex, parseManifest } from './manifest';
import { packageLayer, packageVersionOf } from './package-manifest';
import { formatOciReference, isLoopbackRegistry, parseOciReference, versionTag } from './reference';
import { formatReleaseRecord, parseReleaseRecord, releaseTag } from './release-record';

const HEX = 'a'.repeat(64);
const DIGEST = `sha256:${HEX}`;

describe('a reference to a registry', () => {
  it('has registry, path, tag and digest', () => {
    for (const [text, parts] of [
      ['oci://r.example/ns/pond', { registry: 'r.example', repository: 'ns/pond' }],
      ['oci://r:5000/pond:16.9-1.1.0', { registry: 'r:5000', repository: 'pond', tag: '16.9-1.1.0' }],
      [`oci://[::1]:5000/a/b@${DIGEST}`, { registry: '[::1]:5000', repository: 'a/b', digest: DIGEST }],
      [`oci://r/a:1@${DIGEST}`, { registry: 'r', repository: 'a', tag: '1', digest: DIGEST }],
    ] as const) {
      expect(parseOciReference(text)).toEqual(parts);
      expect(formatOciReference(parts)).toBe(text);
    }
    expect(parseOciReference('oci://r/a/').repository).toBe('a');
  });

  it('is refused with the part that is wrong', () => {
    for (const [text, why] of [
      ['https://r/a', 'it does not start with oci://'],
      ['oci://anna:secret@r/a', 'it must not contain a user name or a password'],
      ['oci://r', 'the path is missing'],
      ['oci:///a', '"" is not a host'],
      ['oci://r_x/a', '"r_x" is not a host'],
      ['oci://r/Pond', 'the path "Pond" must have lower-case letters'],
      ['oci://r/a/../b', 'must have lower-case letters'],
      ['oci://r/a//b', 'must have lower-case letters'],
      ['oci://r/a?x=1', 'must have lower-case letters'],
      ['oci://r/a:-x', 'a tag has letters'],
      ['oci://r/a:1:2', 'a tag has letters'],
      ['oci://r/a@sha256:12', 'after @ there must be sha256:'],
      [`oci://r/${'a'.repeat(700)}`, 'longer than 600'],
    ] as const) {
      expect(() => parseOciReference(text)).toThrow(why);
    }
  });

  it('is of this machine or not', () => {
    const hosts = [
      'localhost',
      'localhost:5000',
      '127.0.0.1:1',
      '[::1]:5000',
      'localhost.example',
      '127.0.0.1.example',
    ];
    expect(hosts.map(isLoopbackRegistry)).toEqual([true, true, true, true, false, false]);
  });

  it('has the tag of the versions', () => {
    expect([versionTag('1.1.0', '16.9'), versionTag('1.0.0+a', ''), versionTag('1.0.0', '')]).toEqual([
      '16.9-1.1.0',
      '1.0.0_a',
      '1.0.0',
    ]);
    expect(() => versionTag('1 0', '')).toThrow('cannot be a tag');
  });
});

describe('a manifest', () => {
  const config = { mediaType: 'a/b', digest: DIGEST, size: 2 };
  const valid = { schemaVersion: 2, config, layers: [config] };

  it('is read as it was written', () => {
    const manifest = {
      artifactType: 'x/y',
      config,
      layers: [{ ...config, annotations: { a: 'b' } }],
      annotations: { c: 'd' },
    };
    expect(parseManifest(formatManifest(manifest), 'm')).toEqual(manifest);
    expect(parseManifest(JSON.stringify(valid), 'm')).toEqual({
      artifactType: 'a/b',
      config,
      layers: [config],
      annotations: {},
    });
  });

  it('is refused with the field that is wrong', () => {
    for (const [change, why] of [
      [{ schemaVersion: 1 }, 'its schemaVersion is not 2'],
      [{ mediaType: 'application/vnd.oci.image.index.v1+json' }, 'its media type is'],
      [{ layers: {} }, 'layers is not a list'],
      [{ layers: Array.from({ length: 1_001 }, () => config) }, 'layers has more than 1000 entries'],
      [{ layers: [{ ...config, digest: 'md5:1' }] }, 'm: layers[0] cannot be read: digest is not sha256:'],
      [{ config: { ...config, size: -1 } }, 'm: config cannot be read: size is not a number of bytes'],
      [{ config: null }, 'it is not a descriptor'],
      [{ annotations: { a: 1 } }, 'the annotation a is not a text'],
    ] as const) {
      expect(() => parseManifest(JSON.stringify({ ...valid, ...change }), 'm')).toThrow(why);
    }
    expect(() => parseManifest('[]', 'm')).toThrow('The manifest m cannot be read: it is not a JSON object.');
    expect(() => parseImageIndex('{"schemaVersion":2}', 'm')).toThrow('manifests is not a list');
  });

  it('of something else is no package', () => {
    const image = parseManifest(JSON.stringify({ ...valid, mediaType: MANIFEST_TYPE }), 'm');
    expect(packageVersionOf(image)).toBeUndefined();
    expect(() => packageLayer(image, 'oci://r/a')).toThrow(
      'oci://r/a is not an operator package: its artifact type is a/b',
    );
  });
});

describe('the record of a release', () => {
  it('is what an index says of a version, and is refused with the member that is wrong', () => {
    const lifecycle = { channels: ['candidate'], required: true, withdrawn: { reason: 'loses data' } };
    expect(parseReleaseRecord(formatReleaseRecord(lifecycle), 'p')).toEqual(lifecycle);
    expect(parseReleaseRecord('{"of a later version": 1}', 'p')).toEqual({});
    expect(releaseTag(DIGEST)).toBe(`sha256-${HEX}.release`);
    for (const [text, why] of [
      ['[]', 'What p says about upgrades cannot be read: it is not a JSON object.'],
      ['{"channels": "stable"}', 'channels must be a list of 1 to'],
      ['{"withdrawn": true}', 'withdrawn needs a "reason"'],
    ] as const) {
      expect(() => parseReleaseRecord(text, 'p')).toThrow(why);
    }
  });
});

describe('the challenge of a registry', () => {
  it('is Basic, or names where a token is given', () => {
    expect(parseChallenge('Basic realm="x"')).toEqual({ scheme: 'basic' });
    expect(parseChallenge('bearer realm="https://auth/t",service="a, b",scope="repository:a:pull"')).toEqual({
      scheme: 'bearer',
      realm: 'https://auth/t',
      service: 'a, b',
      scope: 'repository:a:pull',
    });
    for (const other of ['', 'Bearer', 'Bearer realm="no url"', 'Digest realm="x"', 'x'.repeat(10_000)]) {
      expect(parseChallenge(other)).toBeUndefined();
    }
  });
});

describe('the config.json of Docker', () => {
  it('names a helper or holds the credentials of a registry', () => {
    const config = {
      credsStore: 'desktop',
      credHelpers: { 'r.example': 'ecr-login' },
      auths: { 'https://index.docker.io/v1/': { auth: 'aHVi' }, 'other:5000': { auth: 'b3RoZXI=' }, empty: {} },
    };
    expect(credentialPlaces(config, 'r.example')).toEqual({ helper: { name: 'ecr-login', server: 'r.example' } });
    expect(credentialPlaces(config, 'docker.io')).toEqual({
      helper: { name: 'desktop', server: 'https://index.docker.io/v1/' },
      auth: 'aHVi',
    });
    expect(credentialPlaces({ auths: config.auths }, 'other:5000')).toEqual({ auth: 'b3RoZXI=' });
    expect(credentialPlaces({ auths: config.auths }, 'empty')).toEqual({});
    expect(credentialPlaces({ credsStore: '../sh -c' }, 'x')).toEqual({});
  });
});
