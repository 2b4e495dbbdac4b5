import type { Reply } from '../core/http.ts';

/** A text as the real server writes it: always as HTML. */
export function text(status: number, body: string): Reply {
  return { tag: 'html', status, body };
}

/** There is no such resource. */
export function notFound(path: string): Reply {
  return text(404, `[Error] Resource ${path.replace('/redfish/v1/', '')} not found.`);
}

/** The page of a server that fell over. */
export function crashed(): Reply {
  return text(
    500,
    '<!doctype html>\n<html lang=en>\n<title>500 Internal Server Error</title>\n<h1>Internal Server Error</h1>\n' +
      '<p>The server encountered an internal error and was unable to complete your request. Either the server is ' +
      'overloaded or there is an error in the application.</p>\n',
  );
}
