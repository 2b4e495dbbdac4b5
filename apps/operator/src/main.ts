import { operatorMain } from '@cro/operator/main';
import manifest from '../package.json' with { type: 'json' };

process.exitCode = await operatorMain(manifest.version, process.argv.slice(2), process.env);
