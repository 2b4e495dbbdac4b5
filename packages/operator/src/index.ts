export {
  DEPLOYED,
  operatorAccess,
  webhookAccess,
  type OperatorAccessOptions,
  type WebhookAccessOptions,
} from './access.ts';
export { builtIn } from './main/definitions.ts';
export {
  OperatorConfigError,
  startOperator,
  type OperatorConfig,
  type OperatorWorld,
  type RunningOperator,
} from './operator.ts';
export type { Decided } from './decided.ts';
export type { Events } from './services.ts';
