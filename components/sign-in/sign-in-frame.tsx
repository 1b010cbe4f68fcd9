import type { ReactNode } from 'react';

/** The frame of the pages before the console: the mark, a title, and a card in the middle. */
export function SignInFrame({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-ground p-4">
      <div className="card w-full max-w-[440px] p-6">
        <div className="flex items-center gap-2.5 font-semibold text-md tracking-[-0.01em]">
          <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className="fill-brand">
            <path d="M3 3h14l-3.6 7L17 17H3z" />
          </svg>
          Bravo
        </div>
        <h1 className="mt-5 font-semibold text-lg">{title}</h1>
        {note !== undefined && <p className="mt-1 text-ink-2">{note}</p>}
        <div className="mt-5 grid gap-4">{children}</div>
      </div>
    </main>
  );
}
