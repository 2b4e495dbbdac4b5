import type { Reply } from '../core/http.ts';

/**
 * A Redfish error (DSP0266, "Error responses"): `{error: {code, message, @Message.ExtendedInfo}}`. `messageId` is that of
 * a registry: `Composition.1.1.ResourceBlockInUse`.
 */
export function redfishError(status: number, messageId: string, message: string): Reply {
  const info = { MessageId: messageId, Message: message, MessageArgs: [], MessageSeverity: 'Critical' };
  return {
    tag: 'json',
    status,
    body: {
      error: {
        code: 'Base.1.18.GeneralError',
        message: 'A general error has occurred. See ExtendedInfo for more information.',
        '@Message.ExtendedInfo': [{ ...info, Resolution: 'Correct the request and send it again.' }],
      },
    },
  };
}

/** There is no such resource. */
export function missing(uri: string): Reply {
  return redfishError(404, 'Base.1.18.ResourceMissingAtURI', `The resource at the URI '${uri}' was not found.`);
}
