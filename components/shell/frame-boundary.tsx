'use client';

import { Component, type ReactNode } from 'react';
import { FailedPage } from '@/components/ui/failed-page';

interface FrameState {
  readonly error?: Error;
}

/** Says what the frame around the pages cannot say itself, because it is what failed: one of its parts is missing, or it has a bug. Errors of a page stay inside the frame. */
export class FrameBoundary extends Component<{ readonly children: ReactNode }, FrameState> {
  override readonly state: FrameState = {};

  static getDerivedStateFromError(error: Error): FrameState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="mx-auto max-w-2xl p-6">
        <FailedPage error={error} reset={() => window.location.reload()} />
      </main>
    );
  }
}
