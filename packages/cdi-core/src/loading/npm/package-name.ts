import { isBuiltin } from 'node:module';

/** npm's rules for the name of a new package: a scope or none, lower case, nothing that a path or a URL could be made of. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const LONGEST = 214;

/** Whether a text can be the name of an npm package, and not that of a module of Node's own. */
export function isPackageName(text: string): boolean {
  return text.length <= LONGEST && PACKAGE_NAME.test(text) && text !== 'node_modules' && !isBuiltin(text);
}
