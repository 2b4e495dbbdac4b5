import { operatorMain } from '@cro/operator/main';
import manifest from '../package.json' with { type: 'json' };

process.exitCode = await operatorMain({
  version: manifest.version,
  argv: process.argv.slice(2),
  env: process.env,
  random: Math.random,
  newId: () => crypto.randomUUID(),
});
