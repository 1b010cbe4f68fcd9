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
import { findSession, type RequestSession } from './person-of-request';
import type { SignIn } from './sign-in';

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
