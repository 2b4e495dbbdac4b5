import { endProcess, webhookMain } from '@cro/operator/main';
import manifest from '../package.json' with { type: 'json' };

const code = await webhookMain({
  version: manifest.version,
  argv: process.argv.slice(2),
  env: process.env,
  folder: import.meta.dirname,
  random: Math.random,
  newId: () => crypto.randomUUID(),
});

// All is saved and said by now. Timers of what was given up must not keep the process.
endProcess(code);
