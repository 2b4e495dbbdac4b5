export {
  DEPLOYED,
  operatorAccess,
  webhookAccess,
  type OperatorAccessOptions,
  type WebhookAccessOptions,
} from './access.ts';
export { beyond } from './rbac/beyond.ts';
export { clusterRole, role, serviceAccount, type Account } from './rbac/roles.ts';
export { rulesOf, type PolicyRule } from './rbac/rules.ts';
export { OperatorConfigError } from './config-error.ts';
export { builtIn } from './main/definitions.ts';
export { startOperator, type OperatorConfig, type OperatorWorld, type RunningOperator } from './operator.ts';
export type { Decided } from './decided.ts';
export type { Events } from './services.ts';
export { settingsMarkdown } from './process/settings/settings-markdown.ts';
