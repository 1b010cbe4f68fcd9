/** The look of a snapshot: light and dark as the reader's system wants it, and black on white on paper. */
export const SNAPSHOT_STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --quiet: #5a616e; --line: #dfe2e8; --soft: #f3f5f8; --page: #ffffff;
  --ok: #0a7a4b; --run: #1668c7; --wait: #96600a; --fail: #b42318; --hold: #7a3fb0; --idle: #5a616e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaf0; --quiet: #a4acba; --line: #2c313b; --soft: #1b1f27; --page: #11141a;
  --ok: #57cf97; --run: #6db3ff; --wait: #e8b04b; --fail: #ff8a80; --hold: #cfa3ff; --idle: #a4acba; } }
@media print { :root { color-scheme: light; --ink: #000; --quiet: #444; --line: #bbb; --soft: #fff; --page: #fff;
  --ok: #0a7a4b; --run: #1668c7; --wait: #96600a; --fail: #b42318; --hold: #7a3fb0; --idle: #444; }
  body { max-width: none; padding: 0; font-size: 11px; } h2 { break-after: avoid; } tr, li { break-inside: avoid; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 32px 24px 64px; background: var(--page); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.25; } h2 { margin: 32px 0 8px; font-size: 16px; }
h3 { margin: 16px 0 4px; font-size: 13px; font-weight: 600; } p { margin: 4px 0 8px; }
code, pre { font: 12px/1.55 ui-monospace, monospace; }
pre { margin: 4px 0 12px; padding: 10px 12px; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
table { width: 100%; border-collapse: collapse; } caption { text-align: start; color: var(--quiet); padding-bottom: 4px; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { color: var(--quiet); font-weight: 500; } th, td.fixed { white-space: nowrap; overflow-wrap: normal; } td.bar { width: 30%; }
dl { display: grid; grid-template-columns: minmax(90px, 160px) 1fr; gap: 4px 16px; margin: 12px 0; } dt { color: var(--quiet); } dd { margin: 0; }
ol, ul { margin: 4px 0; padding-inline-start: 20px; } .quiet { color: var(--quiet); } .state { font-weight: 600; white-space: nowrap; }
.track { position: relative; height: 9px; margin-top: 6px; background: var(--soft); border-radius: 3px; }
.track i { position: absolute; top: 0; bottom: 0; min-width: 2px; border-radius: 3px; background: currentColor; print-color-adjust: exact; }
.ok { color: var(--ok); } .run { color: var(--run); } .wait { color: var(--wait); } .fail { color: var(--fail); } .hold { color: var(--hold); } .idle { color: var(--idle); }
footer { margin-top: 40px; padding-top: 12px; border-top: 1px solid var(--line); color: var(--quiet); font-size: 12px; }
@media (max-width: 560px) { body { padding: 20px 14px 40px; } .wide { display: none; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 6px; }
  td.time { white-space: normal; min-width: 84px; } }
`;
