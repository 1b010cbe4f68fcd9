import type { ClusterRuntime } from '@/server/clusters/cluster-runtime';
import { SESSION_HEADER } from '@/server/http/headers';
import type { Api } from '@/server/kube/api';
import type { PersonAuthority } from '@/server/kube/person-api';
import { runtime } from '@/server/runtime/runtime';
import type { Person } from './claims';
import { viewedAs } from './view-as';

/** A person in one cluster. Without sign-in it is the user of the kubeconfig. */
export interface PersonInCluster {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Unique for an authority: what is kept for one identity is never shown to another. */
  readonly identity: string;
  /** The Kubernetes API with this person's own authority. */
  readonly api: Api;
  /** What it is; undefined for the user of the kubeconfig. */
  readonly authority?: PersonAuthority;
}

/** A person, and the cluster that the request is for. */
export interface RequestSession extends PersonInCluster {
  readonly cluster: ClusterRuntime;
  /** The person who looks, while they see the console as somebody else: `user`, `identity` and `api` are those of the other one. */
  readonly viewer?: PersonInCluster;
  /** When that ends, in milliseconds since the epoch. */
  readonly viewEndsMs?: number;
  /** A view that the browser is in and this cluster is not seen in: `user` is the person, who changes nothing until the view ends. */
  readonly refusedView?: RefusedView;
}

/** A view in a cluster where the person may not impersonate that user, or where nobody can say now whether they may. */
export interface RefusedView {
  readonly person: Person;
  readonly why: 'refused' | 'unknown';
}

/** The person of a request, or the one as whom they see this cluster: whether they may is asked in this cluster. */
export async function findSession(
  request: Pick<Headers, 'get'>,
  cluster: ClusterRuntime,
): Promise<RequestSession | undefined> {
  const viewer = findPerson(request, cluster);
  if (viewer === undefined) return undefined;
  const seen = viewedAs(request, viewerKey(viewer));
  if (seen === undefined) return { ...viewer, cluster };
  const { person, endsMs } = seen;
  const verdict = await runtime().viewAs.verdict(viewer, person);
  if (verdict === 'allowed') {
    return { ...inViewOf(viewer, person, cluster), cluster, viewer, viewEndsMs: endsMs };
  }
  return { ...viewer, cluster, viewEndsMs: endsMs, refusedView: { person, why: verdict } };
}

/** Who sent a request, in one cluster, whatever view they are in. Without sign-in there is one person: the user of the kubeconfig, in each cluster the one of its context. */
export function findPerson(request: Pick<Headers, 'get'>, cluster: ClusterRuntime): PersonInCluster | undefined {
  const { signIn } = runtime();
  if (signIn !== undefined) return signIn.find(request.get(SESSION_HEADER), cluster.persons);
  const { user } = cluster.summary;
  // An identity is of one cluster.
  const identity = cluster.isHome ? user : JSON.stringify([cluster.name, user]);
  return { user: { name: user, groups: [] }, identity, api: cluster.api };
}

/** Of whom a view is: the same in all clusters. */
export function viewerKey({ user, authority }: PersonInCluster): string {
  return authority === undefined ? 'kubeconfig' : JSON.stringify([authority.kind, user.name]);
}

/** The other person, by the viewer's own right to impersonate them. */
function inViewOf(viewer: PersonInCluster, { name, groups }: Person, cluster: ClusterRuntime): PersonInCluster {
  const { authority } = viewer;
  const token = authority !== undefined && 'token' in authority ? authority.token : undefined;
  const as: PersonAuthority =
    token === undefined ? { kind: 'impersonate', name, groups } : { kind: 'bearer-as', token, name, groups };
  const { identity, api } = cluster.persons.get(['view-as', viewer.identity, name, ...groups], as);
  return { user: { name, groups }, identity, api, authority: as };
}
