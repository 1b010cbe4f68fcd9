import { describe, expect, it } from 'vitest';
import { provenanceLines, sbomLines } from './document-lines';

describe('the documents of a package in lines', () => {
  it('name source, commit, folder and builder', () => {
    const statement = {
      predicate: {
        buildDefinition: {
          resolvedDependencies: [
            { digest: { dirHash: 'aa' } },
            {
              uri: 'git+https://git.example/pond',
              digest: { gitCommit: 'bb' },
              annotations: { uncommittedChanges: true },
            },
          ],
        },
        runDetails: { builder: { id: 'https://b', version: { bravo: '0.2.0' } } },
      },
    };
    expect(provenanceLines(JSON.stringify(statement))).toEqual([
      ['Source', 'git+https://git.example/pond'],
      ['Commit', 'bb, with changes that are not in it'],
      ['Folder hash', 'aa'],
      ['Made by', 'https://b 0.2.0'],
    ]);
  });

  it('name images and dependencies', () => {
    const packages = [
      { SPDXID: 'SPDXRef-package', name: 'pond' },
      { SPDXID: 'SPDXRef-image-1', name: 'postgres', versionInfo: '16.9' },
      { SPDXID: 'SPDXRef-image-2', name: 'busybox' },
      { SPDXID: 'SPDXRef-dependency-1', name: 'lake', versionInfo: '1.0.0' },
    ];
    expect(sbomLines(JSON.stringify({ packages }))).toEqual([
      ['Images', 'postgres 16.9, busybox'],
      ['Installs too', 'lake 1.0.0'],
    ]);
  });

  it('say nothing of texts that are no such documents', () => {
    expect([provenanceLines('x'), sbomLines('[]'), sbomLines('{"packages": 1}')]).toEqual([[], [], []]);
  });
});
