import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { CLUSTER_HEADER } from '@/lib/clusters/cluster-path';
import type { LiveSeed } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import { type CatalogueReader, catalogueReader } from '@/server/catalogue/reader';
import type { ClusterRuntime } from '@/server/clusters/cluster-runtime';
import type { Clusters } from '@/server/clusters/clusters';
import { Refusal } from '@/server/http/problem';
import type { FeedSource } from '@/server/live/seed';
import { type ResourceReader, resourceReader } from '@/server/resources/reader';
import { type ClusterSummary, type ControllerState, runtime } from '@/server/runtime/runtime';
import { findPerson, findSession, type PersonInCluster, type RequestSession } from './person-of-request';
import type { SignIn } from './sign-in';
import { refusalOfView, viewMark } from './view-mark';

/** What a page may know of the server: the person, the cluster, and the first state of what it shows. */
export interface PageSession {
  readonly user: RequestSession['user'];
  /** Who looks, while they see the console as `user`. */
  readonly viewer: RequestSession['user'] | undefined;
  /** As whom they would see the console if that were allowed in this cluster. */
  readonly refusedView: RequestSession['refusedView'];
  /** Names the view of this page, as its stream does. */
  readonly viewMark: string;
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
export async function sessionOf(request: Request): Promise<RequestSession> {
  const cluster = runtime().clusters.find(request.headers.get(CLUSTER_HEADER) ?? undefined);
  const session = await findSession(request.headers, cluster);
  if (session === undefined) throw signInNeeded();
  noteOpened(session);
  return session;
}

/** Who sent a request, in another cluster, without a request to that cluster. @throws as {@link sessionOf} */
export function personIn(request: Request, name: string): Pick<RequestSession, keyof PersonInCluster | 'cluster'> {
  const cluster = runtime().clusters.find(name);
  const person = findPerson(request.headers, cluster);
  if (person === undefined) throw signInNeeded();
  return { ...person, cluster };
}

/**
 * The same person in another cluster, which they may not have opened. What is read there is shown on a page of the view that the person is in.
 *
 * @throws as {@link sessionOf}, and Refusal 403 or 503 when that view does not show this cluster
 */
export async function sessionIn(request: Request, name: string): Promise<RequestSession> {
  const session = await findSession(request.headers, runtime().clusters.find(name));
  if (session === undefined) throw signInNeeded();
  if (session.refusedView !== undefined) throw refusalOfView(session.refusedView, name);
  return session;
}

/** The person's own token is what another cluster gets, whatever view they are in. */
function noteOpened(session: RequestSession): void {
  session.cluster.openedBy.add((session.viewer ?? session).identity);
}

function signInNeeded(): Refusal {
  return new Refusal(401, 'SignInNeeded', 'Sign in to continue: there is no session, or it has ended.');
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
  const found = await findSession(request, clusterOfPage(clusters, request.get(CLUSTER_HEADER)));
  const session = found ?? redirect('/sign-in');
  const cluster = session.cluster.summary;
  noteOpened(session);
  const hub = hubOf(session);
  return {
    user: session.user,
    viewer: session.viewer?.user,
    refusedView: session.refusedView,
    viewMark: viewMark(session),
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
