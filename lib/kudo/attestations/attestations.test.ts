import { describe, expect, it } from 'vitest';
import { parsePackage } from '../package/parse-package';
import { packageImages } from './images';
import { packageProvenance } from './provenance';
import { packageSbom } from './sbom';

const HEX = 'a'.repeat(64);

function pond(templates: { [name: string]: string }, tasks = '') {
  const files = new Map([
    [
      'operator.yaml',
      `name: pond\noperatorVersion: "1.1.0"\nappVersion: "16.9"\nkubernetesVersion: "1.25"\nurl: https://pond.example\ntasks:\n- {name: a, kind: Dummy, spec: {done: true}}\n${tasks}plans:\n  deploy: {strategy: serial, phases: [{name: p, strategy: serial, steps: [{name: s, tasks: [a]}]}]}\n`,
    ],
    ['params.yaml', 'parameters:\n- {name: IMAGE, default: "r.example:5000/lake"}\n- {name: TAG}\n'],
    ...Object.entries(templates).map(([name, text]) => [`templates/${name}`, text] as const),
  ]);
  const parsed = parsePackage(files);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.package;
}

describe('the images of a package', () => {
  it('are those of its templates, with tags, digests and defaults', () => {
    const pkg = pond({
      'a.yaml': `spec:\n  containers:\n  - image: postgres:{{ .AppVersion }} # the server\n  - {name: x, image: "{{ .Params.IMAGE }}:2"}\n`,
      'b.yaml': `image: 'docker.io/busybox@sha256:${HEX}'\nimagePullPolicy: Always\n`,
      'c.yaml': 'image: pond:{{ .Params.TAG }}\nimage: postgres:{{ .AppVersion }}\n',
    });
    expect(packageImages(pkg)).toEqual([
      { name: 'docker.io/busybox', tag: '', digest: `sha256:${HEX}` },
      { name: 'pond:{{ .Params.TAG }}', tag: '', digest: '' },
      { name: 'postgres', tag: '16.9', digest: '' },
      { name: 'r.example:5000/lake', tag: '2', digest: '' },
    ]);
  });
});

describe('the statements about a package', () => {
  const archive = { fileName: 'pond-16.9_1.1.0.tgz', sha256: HEX };
  const git = {
    commit: 'b'.repeat(40),
    time: '2026-01-02T03:04:05Z',
    remote: 'https://git.example/pond',
    isDirty: false,
  };

  it('name source, commit and builder', () => {
    expect(packageProvenance(pond({}), archive, { dirHash: HEX, git }, '0.2.0')).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: archive.fileName, digest: { sha256: HEX } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: 'https://bravo.kudo.dev/package/v1',
          externalParameters: { name: 'pond', operatorVersion: '1.1.0', appVersion: '16.9' },
          resolvedDependencies: [
            { name: 'package folder', digest: { dirHash: HEX } },
            {
              name: 'git',
              uri: 'git+https://git.example/pond',
              digest: { gitCommit: git.commit },
              annotations: { uncommittedChanges: false },
            },
          ],
        },
        runDetails: { builder: { id: 'https://bravo.kudo.dev/cli', version: { bravo: '0.2.0' } } },
      },
    });
  });

  it('list images, dependencies and the base', () => {
    const pkg = pond(
      { 'a.yaml': `image: lake@sha256:${HEX}\n` },
      '- {name: b, kind: KudoOperator, spec: {package: zookeeper, operatorVersion: 0.3.0}}\n',
    );
    const base = { name: 'puddle', version: '>=16 <17' };
    const sbom = packageSbom({ package: pkg, archive, origin: { dirHash: HEX, git }, base, version: '0.2.0' });
    expect(sbom).toMatchObject({
      creationInfo: { created: git.time },
      packages: [
        { SPDXID: 'SPDXRef-package', name: 'pond', versionInfo: '16.9-1.1.0', homepage: 'https://pond.example' },
        {
          SPDXID: 'SPDXRef-image-1',
          name: 'lake',
          checksums: [{ algorithm: 'SHA256', checksumValue: HEX }],
          externalRefs: [{ referenceLocator: `pkg:oci/lake@sha256%3A${HEX}?repository_url=lake` }],
        },
        { SPDXID: 'SPDXRef-dependency-1', name: 'zookeeper', versionInfo: '0.3.0' },
        { SPDXID: 'SPDXRef-base', name: 'puddle', versionInfo: '>=16 <17' },
      ],
    });
    expect(JSON.stringify(sbom.relationships)).toContain('DESCENDANT_OF');
  });
});
