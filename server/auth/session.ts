import type { IncomingMessage } from 'node:http';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { CLUSTER_HEADER, splitClusterPath } from '@/lib/clusters/cluster-path';
import type { LiveSeed } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import { type CatalogueReader, catalogueReader } from '@/server/catalogue/reader';
import type { ClusterRuntime } from '@/server/clusters/cluster-runtime';
import type { Clusters } from '@/server/clusters/clusters';
import { SESSION_HEADER } from '@/server/http/headers';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import type { PersonAuthority } from '@/server/kube/person-api';
import type { FeedSource } from '@/server/live/seed';
import { type ResourceReader, resourceReader } from '@/server/resources/reader';
import { type ClusterSummary, type ControllerState, runtime } from '@/server/runtime/runtime';
import type { Person } from './claims';
import type { SignIn } from './sign-in';
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
}

/** What a page may know of the server: the person, the cluster, and the first state of what it shows. */
export interface PageSession {
  readonly user: RequestSession['user'];
  /** Who looks, while they see the console as `user`. */
  readonly viewer: RequestSession['user'] | undefined;
  /** True when people sign in, so that they can sign out. */
  readonly hasSignIn: boolean;
  readonly version: string;
  readonly cluster: ClusterSummary;
  readonly controller: ControllerState;
  /** False when the CRDs of KUDO's kinds are missing; undefined when that is not known now. */
  crdsInstalled(): Promise<boolean | undefined>;
  /**
   * The namespace to begin with while the person has chosen none: the kubeconfig's own, for a person who may list neither namespaces
   * nor Instances of the whole cluster; undefined, which is all of them, otherwise.
   */
  firstNamespace(): Promise<string | undefined>;
  /** The state of each topic now, as the stream would give it; waits a short while for the first list, and hardly for those `besides`. */
  seed(wanted: readonly Topic[], besides?: readonly Topic[]): Promise<LiveSeed>;
  /** Kinds and tables of any resource, with the person's own authority. */
  readonly resources: ResourceReader;
  /** The packages that can be installed. */
  readonly catalogue: CatalogueReader;
}

/** The session of a request. @throws Refusal 401 without one, 404 for a cluster that does not exist */
export function sessionOf(request: Request): RequestSession {
  const session = findSession(
    request.headers,
    runtime().clusters.find(request.headers.get(CLUSTER_HEADER) ?? undefined),
  );
  session?.cluster.openedBy.add(session.identity);
  if (session !== undefined) return session;
  throw new Refusal(401, 'SignInNeeded', 'Sign in to continue: there is no session, or it has ended.');
}

/** The same person in another cluster, which they may not have opened. @throws as {@link sessionOf} */
export function sessionIn(request: Request, cluster: string): RequestSession {
  const session = findSession(request.headers, runtime().clusters.find(cluster));
  if (session !== undefined) return session;
  throw new Refusal(401, 'SignInNeeded', 'Sign in to continue: there is no session, or it has ended.');
}

/** What people sign in with. @throws Refusal 404 where nobody signs in */
export function signInOf(): SignIn {
  const { signIn } = runtime();
  if (signIn !== undefined) return signIn;
  throw new Refusal(404, 'NotFound', 'This console has no sign-in: it was started with BRAVO_AUTH=kubeconfig.');
}

/** What a person's pages and streams read from: what the console watches, as far as this person may read it. */
export function hubOf(session: RequestSession): FeedSource {
  return session.cluster.rights.sourceOf(session);
}

/** Every open topic that was refused is asked for again, and every right: rights or kinds have changed. */
export function askRefusedAgain({ access, rights }: ClusterRuntime): void {
  access.forget();
  rights.askAgain();
}

/** The person of a request, or the one as whom they see the console. */
function findSession(request: Pick<Headers, 'get'>, cluster: ClusterRuntime): RequestSession | undefined {
  const viewer = findPerson(request, cluster);
  if (viewer === undefined) return undefined;
  const seen = viewedAs(request, viewerKey(viewer));
  return seen === undefined ? { ...viewer, cluster } : { ...inViewOf(viewer, seen.person, cluster), cluster, viewer };
}

/** Without sign-in there is one person: the user of the kubeconfig, in each cluster the one of its context. */
function findPerson(request: Pick<Headers, 'get'>, cluster: ClusterRuntime): PersonInCluster | undefined {
  const { signIn } = runtime();
  if (signIn !== undefined) return signIn.find(request.get(SESSION_HEADER), cluster.persons);
  const { user } = cluster.summary;
  // An identity is of one cluster.
  const identity = cluster.isHome ? user : JSON.stringify([cluster.name, user]);
  return { user: { name: user, groups: [] }, identity, api: cluster.api };
}

/** The person of a request as it arrived, in the cluster of its path; undefined for nobody, and for a cluster that does not exist. */
export function viewerOf(
  { headers: { [SESSION_HEADER]: session, [CLUSTER_HEADER]: named }, url = '' }: IncomingMessage,
  basePath: string,
): PersonInCluster | undefined {
  const cluster = named ?? splitClusterPath(url.slice(basePath.length)).cluster;
  const get = (name: string) => (name === SESSION_HEADER ? [session].flat()[0] : undefined) ?? null;
  try {
    return findPerson({ get }, runtime().clusters.find([cluster].flat()[0]));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
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

/** The cluster that the address of a page names; undefined without one. Whether it exists is asked by {@link pageSession}. */
export async function pageCluster(): Promise<string | undefined> {
  return (await headers()).get(CLUSTER_HEADER) ?? undefined;
}

/** @throws what Next answers with 404 for a cluster that does not exist */
function clusterOfPage(clusters: Clusters, name: string | null): ClusterRuntime {
  try {
    return clusters.find(name ?? undefined);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) notFound();
    throw error;
  }
}

/** A page is rendered without what the cluster does not answer by then; the browser asks for it again. */
const PAGE_DEADLINE_MS = 3_000;

/** The session of a server-rendered page. Without one the page is the sign-in. */
export async function pageSession(): Promise<PageSession> {
  const { catalogue, clock, clusters, signIn, version, controllerState } = runtime();
  const request = await headers();
  const session = findSession(request, clusterOfPage(clusters, request.get(CLUSTER_HEADER))) ?? redirect('/sign-in');
  const cluster = session.cluster.summary;
  session.cluster.openedBy.add(session.identity);
  const hub = hubOf(session);
  return {
    user: session.user,
    viewer: session.viewer?.user,
    hasSignIn: signIn !== undefined,
    version,
    cluster: { ...cluster, user: session.user.name },
    controller: session.cluster.isHome ? controllerState() : 'off',
    seed: (wanted, besides) => hub.seed(wanted, besides),
    async firstNamespace() {
      if (cluster.ownNamespace === undefined) return undefined;
      const wanted = [topics.namespaces, topics.instanceRows];
      const refused = (await hub.seed(wanted)).filter(
        (frame) => frame.type === 'problem' && frame.problem.status === 'forbidden',
      );
      return refused.length === wanted.length ? cluster.ownNamespace : undefined;
    },
    resources: resourceReader(session.api, clock, PAGE_DEADLINE_MS),
    catalogue: catalogueReader(catalogue),
    async crdsInstalled() {
      const [frame] = await hub.seed([topics.instanceRows]);
      if (frame?.type === 'snapshot') return true;
      return frame?.type === 'problem' && frame.problem.status === 'missing' ? false : undefined;
    },
  };
}
