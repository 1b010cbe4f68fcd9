import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { CLUSTER_HEADER } from '@/lib/clusters/cluster-path';
import type { LiveSeed } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import { type CatalogueReader, catalogueReader } from '@/server/catalogue/reader';
import { SESSION_HEADER } from '@/server/http/headers';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import type { FeedSource } from '@/server/live/seed';
import { type ResourceReader, resourceReader } from '@/server/resources/reader';
import { clusterNames } from '@/server/runtime/cluster-names';
import { type ClusterSummary, type ControllerState, runtime } from '@/server/runtime/runtime';
import type { SignIn } from './sign-in';

/** A person and what is done in their name. Without sign-in it is the user of the kubeconfig. */
export interface RequestSession {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** Unique for an authority: what is kept for one identity is never shown to another. */
  readonly identity: string;
  /** The Kubernetes API with this person's own authority. */
  readonly api: Api;
}

/** What a page may know of the server: the person, the cluster, and the first state of what it shows. */
export interface PageSession {
  readonly user: RequestSession['user'];
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

/** The session of a request. @throws Refusal 401 without one */
export function sessionOf(request: Request): RequestSession {
  const session = findSession(request.headers.get(SESSION_HEADER));
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
  return runtime().rights.sourceOf(session);
}

/** Every open topic that was refused is asked for again, and every right: rights or kinds have changed. */
export function askRefusedAgain(): void {
  const { access, rights } = runtime();
  access.forget();
  rights.askAgain();
}

/** Without sign-in there is one person: the user of the kubeconfig. */
function findSession(header: string | null): RequestSession | undefined {
  const { api, cluster, signIn } = runtime();
  if (signIn !== undefined) return signIn.find(header);
  return { user: { name: cluster.user, groups: [] }, identity: cluster.user, api };
}

/** The cluster that the address of a page names; undefined without one. An unknown one has no pages. */
export async function pageCluster(): Promise<string | undefined> {
  const name = (await headers()).get(CLUSTER_HEADER) ?? undefined;
  return name === undefined || clusterNames().includes(name) ? name : notFound();
}

/** A page is rendered without what the cluster does not answer by then; the browser asks for it again. */
const PAGE_DEADLINE_MS = 3_000;

/** The session of a server-rendered page. Without one the page is the sign-in. */
export async function pageSession(): Promise<PageSession> {
  const { catalogue, clock, cluster, signIn, version, controllerState } = runtime();
  const session = findSession((await headers()).get(SESSION_HEADER)) ?? redirect('/sign-in');
  const hub = hubOf(session);
  return {
    user: session.user,
    hasSignIn: signIn !== undefined,
    version,
    cluster: { ...cluster, user: session.user.name },
    controller: controllerState(),
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
