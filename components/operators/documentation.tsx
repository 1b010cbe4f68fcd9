'use client';

import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { type Block, parseMarkdown, type Span } from '@/lib/markdown/parse-markdown';
import { safeUrl } from './safe-link';

/** How a reference to another file of the same documentation is shown. */
type ReferenceView = (href: string, text: string) => ReactNode;

/** A path of a package's repository leads nowhere here. */
const ReferenceContext = createContext<ReferenceView>((_href, text) => text);

/** The documentation of a package, written by its author. Its text becomes elements, never HTML. */
export function Documentation({ text }: { text: string }) {
  return (
    <article className="card px-5 py-4" aria-label="Documentation">
      <MarkdownText text={text} />
    </article>
  );
}

/** Markdown as elements. @param reference absent: references are text */
export function MarkdownText({ text, reference }: { text: string; reference?: ReferenceView }) {
  const blocks = <Blocks text={text} />;
  return reference === undefined ? blocks : <ReferenceContext value={reference}>{blocks}</ReferenceContext>;
}

function Blocks({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="grid min-w-0 gap-3">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other identity, and never change places
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.is) {
    case 'heading':
      return <Heading level={block.level}>{spans(block.text)}</Heading>;
    case 'paragraph':
      return <p className="max-w-[80ch]">{spans(block.text)}</p>;
    case 'quote':
      return <blockquote className="max-w-[80ch] border-s-2 ps-3 text-ink-2">{spans(block.text)}</blockquote>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
        <pre className="mono overflow-x-auto rounded-md bg-sunken p-3 text-xs" tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list': {
      const items = keyed(block.items).map(({ key, value }) => <li key={key}>{spans(value)}</li>);
      const look = 'grid max-w-[80ch] gap-1 ps-5';
      return block.isOrdered ? (
        <ol className={`list-decimal ${look}`}>{items}</ol>
      ) : (
        <ul className={`list-disc ${look}`}>{items}</ul>
      );
    }
    case 'table':
      return <TableView block={block} />;
  }
}

/** The page has the first two levels itself. */
function Heading({ level, children }: { level: Extract<Block, { is: 'heading' }>['level']; children: ReactNode }) {
  if (level === 1) return <h2 className="font-semibold text-lg">{children}</h2>;
  if (level === 2) return <h3 className="mt-2 border-b pb-1 font-semibold text-md">{children}</h3>;
  if (level === 3) return <h4 className="mt-1 font-semibold">{children}</h4>;
  return <h5 className="font-semibold text-ink-2">{children}</h5>;
}

function TableView({ block: { head, rows } }: { block: Extract<Block, { is: 'table' }> }) {
  const hasHead = head.some((cell) => cell.length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <div className="overflow-x-auto rounded-md border" tabIndex={0}>
      <table className="w-full text-start text-xs [&_td]:px-3 [&_td]:py-1.5 [&_td]:align-top [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-start [&_tr+tr]:border-t">
        {hasHead && (
          <thead className="border-b bg-sunken">
            <tr>
              {keyed(head).map(({ key, value }) =>
                // The corner of a table names nothing.
                value.length === 0 ? (
                  <td key={key} />
                ) : (
                  <th key={key} scope="col" className="font-medium text-ink-2">
                    {spans(value)}
                  </th>
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>
          {keyed(rows).map(({ key, value: row }) => (
            <tr key={key}>
              {keyed(row).map(({ key: column, value }) => (
                <td key={column}>{spans(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function spans(parts: readonly Span[]): ReactNode {
  return keyed(parts).map(({ key, value }) => <Fragment key={key}>{spanView(value)}</Fragment>);
}

function spanView(span: Span): ReactNode {
  switch (span.is) {
    case 'code':
      return <code className="rounded-sm bg-sunken px-1">{span.text}</code>;
    case 'bold':
      return <strong>{span.text}</strong>;
    case 'emphasis':
      return <em>{span.text}</em>;
    case 'link': {
      const url = safeUrl(span.href);
      if (url === undefined) return span.text;
      return (
        <a className="link text-accent underline" href={url} target="_blank" rel="noopener noreferrer nofollow">
          {span.text}
        </a>
      );
    }
    case 'reference':
      return <Reference href={span.href} text={span.text} />;
    case 'text':
      return span.text;
  }
}

function Reference({ href, text }: { href: string; text: string }) {
  return useContext(ReferenceContext)(href, text);
}

/** The place of a part is its identity: the text is as the package has it. */
function keyed<T>(values: readonly T[]): { key: number; value: T }[] {
  return values.map((value, key) => ({ key, value }));
}
