/** Name of the lease. The Go operator's: the two exclude each other. */
export const LEASE = 'c5744f42.hpsys.ibm.ie.com';

/** Name of the Secret that holds the webhook's authority and certificate. */
export const CERTIFICATE_SECRET = 'composable-resource-operator-webhook-cert';
