import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { inTurns } from './in-turns';

let begun: string[];
let turns: (() => void)[];
let handler: ReturnType<typeof inTurns>;

const response = { destroyed: false } as ServerResponse;
const come = (url: string, to = response) => handler({ url } as IncomingMessage, to);
const nextTurn = () => {
  for (const run of turns.splice(0)) run();
};

beforeEach(() => {
  begun = [];
  turns = [];
  handler = inTurns(
    ({ url }) => begun.push(String(url)),
    (run) => turns.push(run),
  );
});

describe('requests in turns', () => {
  it('begins one that comes alone at once', () => {
    come('a');
    expect(begun).toEqual(['a']);
  });

  it('begins two in a turn, in the order in which they came', () => {
    for (const url of ['a', 'b', 'c', 'd', 'e']) come(url);
    expect(begun).toEqual(['a', 'b']);
    nextTurn();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    nextTurn();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('lets one that comes later wait behind those that wait', () => {
    for (const url of ['a', 'b', 'c', 'd', 'e']) come(url);
    nextTurn();
    come('f');
    nextTurn();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('asks for a turn only when something was begun', () => {
    come('a');
    nextTurn();
    expect(turns).toEqual([]);
    come('b');
    come('c');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('leaves out one whose client has hung up, and takes the next in its place', () => {
    const gone = { destroyed: false } as ServerResponse;
    for (const url of ['a', 'b']) come(url);
    come('gone', gone);
    for (const url of ['c', 'd']) come(url);
    Object.assign(gone, { destroyed: true });
    nextTurn();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });
});
