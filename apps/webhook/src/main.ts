import { webhookMain } from '@cro/operator/main';
import manifest from '../package.json' with { type: 'json' };

process.exitCode = await webhookMain(manifest.version, process.argv.slice(2), process.env);
