export * from './contract/host.ts';
export * from './contract/listing.ts';
export * from './contract/provider.ts';
export * from './contract/ticket.ts';
