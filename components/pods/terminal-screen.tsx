'use client';

import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import { nonceDocument, withNonces } from './nonce-document';

/** What the page does with its screen. */
export interface ScreenHandle {
  write(data: Uint8Array | string): void;
  focus(): void;
  /** The text that is selected; empty without. */
  selection(): string;
}

export interface TerminalScreenProps {
  readonly label: string;
  /** Called once, when the screen is there; the result is called when it goes. */
  readonly onReady: (screen: ScreenHandle) => () => void;
  readonly onInput: (data: Uint8Array) => void;
  readonly onSize: (columns: number, rows: number) => void;
}

const FONT = '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace';
const FONT_PX = 13;
const SCROLLBACK = 10_000;

/** The screen of a terminal (xterm.js). Shift+Tab leaves it, as a terminal takes the Tab key. */
export default function TerminalScreen({ label, onReady, onInput, onSize }: TerminalScreenProps) {
  const box = useRef<HTMLDivElement>(null);
  // The terminal is made once; its listeners stay the same.
  const handlers = useRef({ onReady, onInput, onSize });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const terminal = new Terminal({
      fontFamily: FONT,
      fontSize: FONT_PX,
      scrollback: SCROLLBACK,
      cursorBlink: false,
      screenReaderMode: true,
      minimumContrastRatio: 4.5,
      documentOverride: nonceDocument(),
      theme: themeOf(element),
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.attachCustomKeyEventHandler((event) => !isForBrowser(event, terminal));
    const encoder = new TextEncoder();
    terminal.onData((text) => handlers.current.onInput(encoder.encode(text)));
    terminal.onBinary((text) => handlers.current.onInput(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    terminal.onResize(({ cols, rows }) => handlers.current.onSize(cols, rows));
    withNonces(() => terminal.open(element));
    const observer = new ResizeObserver(() => fit.fit());
    observer.observe(element);
    const stopThemes = onThemeChange(() => {
      terminal.options.theme = themeOf(element);
    });
    const end = handlers.current.onReady({
      write: (data) => terminal.write(data),
      focus: () => terminal.focus(),
      selection: () => terminal.getSelection(),
    });
    // Cells are measured with the font, which may not be loaded yet.
    void document.fonts.load(`${FONT_PX}px ${FONT}`).then(() => {
      terminal.options.fontFamily = `${FONT} `;
      fit.fit();
    });
    return () => {
      end();
      stopThemes();
      observer.disconnect();
      terminal.dispose();
    };
  }, []);
  return (
    <section
      ref={box}
      aria-label={label}
      className="h-[min(62dvh,640px)] overflow-hidden bg-ground p-2 text-ink"
      data-terminal=""
    />
  );
}

/** Keys that are not the shell's: leaving by Shift+Tab, and copying what is selected. Pasting is Ctrl+Shift+V, which every browser has. */
function isForBrowser(event: KeyboardEvent, terminal: Terminal): boolean {
  if (event.key === 'Tab' && event.shiftKey) return true;
  const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && terminal.hasSelection();
  if (isCopy && event.type === 'keydown') void navigator.clipboard.writeText(terminal.getSelection());
  return isCopy;
}

/** The colours of the page. */
function themeOf(element: HTMLElement) {
  const { color, backgroundColor } = getComputedStyle(element);
  return {
    foreground: color,
    background: backgroundColor,
    cursor: color,
    cursorAccent: backgroundColor,
    selectionBackground: '#7d859066',
  };
}

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true });
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    scheme.removeEventListener('change', listener);
  };
}
