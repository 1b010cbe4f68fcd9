import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { plainCluster } from '@/server/kube/credentials';
import { scriptedApi } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import type { ClusterRuntime, KnownCluster } from './cluster-runtime';
import { Clusters } from './clusters';

const kubeconfig = JSON.stringify({
  ...{ kind: 'Config', 'current-context': 'x', contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }] },
  ...{
    clusters: [{ name: 'x', cluster: { server: 'https://added.test' } }],
    users: [{ name: 'x', user: { token: 't' } }],
  },
});

function secret(name: string, resourceVersion = '1', text = kubeconfig) {
  return {
    metadata: { name: `bravo-cluster-${name}`, uid: name, resourceVersion, labels: { 'bravo.kudo.dev/cluster': name } },
    data: { kubeconfig: Buffer.from(text).toString('base64') },
  };
}

/** The clusters of a console with the context `other`, whose home cluster has these Secrets. */
function console_() {
  let answer: object | 'hang' = { items: [] };
  const { api, clock } = scriptedApi(() => (answer === 'hang' ? { hang: true } : { body: answer }));
  const summary = {
    ...{ name: 'home', context: 'home', server: '', user: 'me' },
    ownNamespace: undefined,
    isSandbox: false,
  };
  const other: KnownCluster = {
    ...{ name: 'other', title: 'other', source: 'kubeconfig', summary: { ...summary, name: 'other' } },
    cluster: plainCluster({ server: 'https://other.test' }),
  };
  const home = { name: 'home', isHome: true, summary, api } as Partial<ClusterRuntime> as ClusterRuntime;
  const parts = { clock, random: seededRandom('clusters'), log: silentLog };
  const clusters = new Clusters({ home, homeTitle: 'home', contexts: [other], namespace: 'bravo', ...parts });
  const keeps = (next: typeof answer) => {
    answer = next;
  };
  return { clusters, clock, keeps };
}

const namesOf = async (clusters: Clusters) => (await clusters.known()).map(({ name }) => name);

describe('the clusters of a console', () => {
  it('are the home cluster, contexts, and those of Secrets', async () => {
    const { clusters, keeps } = console_();
    keeps({ items: [secret('added')] });
    expect(await namesOf(clusters)).toEqual(['home', 'other', 'added']);
    expect(clusters.find('added').summary.server).toBe('https://added.test');
    expect(clusters.find(undefined).name).toBe('home');
  });

  it('are read again after ten seconds, so that another replica knows what one has added', async () => {
    const { clusters, clock, keeps } = console_();
    await clusters.known();
    keeps({ items: [secret('added')] });
    expect(await namesOf(clusters)).toEqual(['home', 'other']);
    await clock.advance(10_000);
    expect(await namesOf(clusters)).toEqual(['home', 'other', 'added']);
    keeps({ items: [] });
    await clusters.readAgain();
    expect(() => clusters.find('added')).toThrow('There is no cluster added. This console knows home, other.');
  });

  it('have names of their own: a Secret replaces no context', async () => {
    const { clusters, keeps } = console_();
    keeps({ items: [secret('other'), secret('home')] });
    expect(await namesOf(clusters)).toEqual(['home', 'other']);
    expect(clusters.find('other').summary.server).toBe('');
  });

  it('leave out a Secret that cannot be used, and say why', async () => {
    const { clusters, keeps } = console_();
    keeps({ items: [secret('Not.A.Label'), secret('bad', '1', 'kind: Pod')] });
    expect(await namesOf(clusters)).toEqual(['home', 'other']);
    expect(clusters.broken().map(({ problem }) => problem)).toEqual([
      'The Secret bravo-cluster-Not.A.Label cannot be used: its label bravo.kudo.dev/cluster is no DNS label',
      expect.stringContaining('The Secret bravo-cluster-bad cannot be used: This is not a kubeconfig'),
    ]);
  });

  it('are known without the Secrets while the home cluster does not answer', async () => {
    const { clusters, clock, keeps } = console_();
    keeps('hang');
    const known = namesOf(clusters);
    await clock.advance(1_000);
    expect(await known).toEqual(['home', 'other']);
    await clock.advance(5_000);
    expect(clusters.secretsProblem).toMatch(/^Secrets of clusters in namespace bravo cannot be read/);
  });

  it('are opened once, and anew when their Secret has changed', async () => {
    const { clusters, keeps } = console_();
    keeps({ items: [secret('added')] });
    await clusters.known();
    const first = clusters.find('added');
    expect(clusters.find('added')).toBe(first);
    keeps({ items: [secret('added', '2')] });
    await clusters.readAgain();
    expect(clusters.find('added')).not.toBe(first);
    await clusters.close();
  });

  it('are closed when nobody has read from them for five minutes', async () => {
    const { clusters, clock } = console_();
    const first = clusters.find('other');
    await clock.advance(4 * 60_000);
    expect(clusters.find('other')).toBe(first);
    await clock.advance(6 * 60_000);
    expect(clusters.find('other')).not.toBe(first);
    await clusters.close();
  });
});
