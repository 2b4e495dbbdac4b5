#!/usr/bin/env node
import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
