import type { KubeObject } from '@/lib/kube/object';
import type { TopicProblem } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import type { ReadRights } from './read-rights';

/** What one person may read of one topic. */
export class TopicRights {
  constructor(
    private readonly topic: Topic,
    private readonly rights: ReadRights,
  ) {}

  /** `some`: it depends on the namespace of each object. */
  ofTopic(): 'all' | 'some' | 'none' | 'unknown' {
    const { topic, rights } = this;
    const { namespace } = topic;
    const answer = namespace === undefined ? rights.mayReadAll(topic) : rights.mayRead(topic, namespace, topic.name);
    if (answer === undefined) return 'unknown';
    if (answer) return 'all';
    return namespace === undefined ? 'some' : 'none';
  }

  /** Of a topic of which the person may read some. An object of the cluster takes the right to all. */
  ofObject({ metadata }: KubeObject): boolean | undefined {
    const { namespace = '', name = '' } = metadata;
    if (this.isNamespaces) return this.rights.maySee(name);
    return namespace === '' ? false : this.rights.mayRead(this.topic, namespace, this.topic.name);
  }

  /**
   * Whether the person may read this resource in any namespace, also in those that have no object of it.
   *
   * @param namespaces the names of all; undefined while they are not known
   */
  reach(namespaces: () => readonly string[] | undefined): 'some' | 'none' | 'unknown' {
    if (this.isNamespaces) return 'none';
    const answers = namespaces()?.map((name) => this.rights.mayRead(this.topic, name, this.topic.name));
    if (answers === undefined) return 'unknown';
    if (answers.includes(true)) return 'some';
    return answers.includes(undefined) ? 'unknown' : 'none';
  }

  /** As the API server refuses the list (Kubernetes apiserver, `responsewriters.ForbiddenMessage`). */
  refusal(): TopicProblem {
    const { group, resource, namespace } = this.topic;
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const what = group === '' ? resource : `${resource}.${group}`;
    const who = `User "${this.rights.user}" cannot list resource "${resource}" in API group "${group}" ${where}`;
    return { status: 'forbidden', message: `${what} is forbidden: ${who}` };
  }

  private get isNamespaces(): boolean {
    return this.topic.group === '' && this.topic.resource === topics.namespaces.resource;
  }
}
