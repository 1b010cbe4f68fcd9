import type { StatusKey } from '@/lib/kudo/view/status-words';
import type { ClusterState } from './cluster-info';

interface ClusterStateWord {
  /** Gives tone and shape. */
  readonly status: StatusKey;
  readonly word: string;
}

/** The word and the look of a cluster's state. */
export const clusterStateWords: { readonly [state in ClusterState]: ClusterStateWord } = {
  ready: { status: 'healthy', word: 'Ready' },
  slow: { status: 'waiting', word: 'Slow' },
  unreachable: { status: 'failing', word: 'Unreachable' },
  refused: { status: 'paused', word: 'Refused' },
  idle: { status: 'NEVER_RUN', word: 'Not asked yet' },
};
