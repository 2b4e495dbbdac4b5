/** ComposabilityRequests, as the API server calls them. */
export const REQUESTS = 'composabilityrequests.cro.hpsys.ibm.ie.com';
/** ComposableResources. */
export const RESOURCES = 'composableresources.cro.hpsys.ibm.ie.com';
