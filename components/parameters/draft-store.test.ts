import { beforeEach, describe, expect, it, vi } from 'vitest';

const stored = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, text: string) => stored.set(name, text),
  removeItem: (name: string) => stored.delete(name),
});

const KEY = 'bravo-parameter-drafts';
const ID = 'demo/db/1';

/** The store as a page that was just loaded has it, of somebody who has signed in. */
async function loadPage(account = '') {
  vi.stubGlobal('document', { querySelector: () => (account === '' ? null : { content: account }) });
  vi.resetModules();
  return await import('./draft-store');
}

describe('the store of drafts', () => {
  beforeEach(() => stored.clear());

  it('keeps a draft over a reload, without secrets', async () => {
    const before = await loadPage();
    before.keepInMemory(['PASSWORD']);
    before.useDraftStore.getState().edit(ID, 'SIZE', '5', '3');
    before.useDraftStore.getState().edit(ID, 'PASSWORD', 'hidden', null);
    expect(stored.get(KEY)).not.toContain('hidden');
    const after = await loadPage();
    after.loadDrafts();
    expect(after.useDraftStore.getState().drafts[ID]).toEqual({ values: { SIZE: '5' }, seen: { SIZE: '3' } });
  });

  it('gives nobody the drafts of who was signed in before', async () => {
    const jo = await loadPage('jo');
    jo.useDraftStore.getState().edit(ID, 'SIZE', '5', '3');
    const kim = await loadPage('kim');
    kim.loadDrafts();
    expect(kim.useDraftStore.getState().drafts).toEqual({});
    const again = await loadPage('jo');
    again.loadDrafts();
    expect(again.useDraftStore.getState().drafts[ID]?.values).toEqual({ SIZE: '5' });
  });

  it('keeps a typed secret while the Instance changes', async () => {
    const page = await loadPage();
    page.keepInMemory(['PASSWORD']);
    page.loadDrafts();
    page.useDraftStore.getState().edit(ID, 'PASSWORD', 'typed', null);
    page.loadDrafts();
    expect(page.useDraftStore.getState().drafts[ID]?.values).toEqual({ PASSWORD: 'typed' });
  });

  it('keeps the value that was stored when a field was first edited', async () => {
    const { useDraftStore } = await loadPage();
    useDraftStore.getState().edit(ID, 'SIZE', '5', '3');
    useDraftStore.getState().edit(ID, 'SIZE', '7', '4');
    useDraftStore.getState().edit(ID, 'COLOR', 're', null);
    useDraftStore.getState().edit(ID, 'COLOR', 'red', 'blue');
    expect(useDraftStore.getState().drafts[ID]?.seen).toEqual({ SIZE: '3', COLOR: null });
    useDraftStore.getState().clear(ID);
    expect(useDraftStore.getState().drafts[ID]).toBeUndefined();
  });
});
