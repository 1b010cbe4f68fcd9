// The child of npm run dev. It is a separate file because Next's helpers inherit the flags of their parent, and with `node -e …` each of
// them would start the server again.
const { main } = await import(`${process.argv[2]}/main.mjs`);
await main({ dev: true });
