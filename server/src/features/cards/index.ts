export type { AuthorizationKind } from './authorization/decision.ts'
export { MAGIC_DESCRIPTORS, simulatedBy } from './authorization/sandbox-descriptor.ts'
export { MAGIC_CARDHOLDERS } from './issuance/sandbox-issuer.ts'
export { authorizeCard } from './authorization/authorize-card.ts'
export { authorizationRoute, type AuthorizationRouteDeps } from './network/take-authorization.ts'
export { cardEventRoute } from './network/take-event.ts'
export { cardOrders } from './card-orders.ts'
export { inGroups } from './issuance/number.ts'
export type { Provisioned } from './record/card.ts'
export { DECLINE_REASONS, merchantFromWire } from './transaction/card-transaction.ts'
export { findPlatformOfCardTransaction } from './transaction/store.ts'
export { countCardExceptions, findCardTransaction } from './transaction/store.ts'
export { cardTransactionToWire } from './transaction/wire.ts'
export { clearCard } from './clearing/clear-card.ts'
export {
  closeCard,
  closeCustomerCards,
  addOpenAuthorizationObstacle,
  lockCustomerCards,
} from './record/close-card.ts'
export { lockCard } from './record/find-card.ts'
export {
  adviseCardTransaction,
  returnCardTransaction,
  retryPull,
  reverseCardReturn,
} from './transaction/follow-card-transaction.ts'
export { mustFindCard } from './record/find-card.ts'
export { listFundingSources, saveDelegatedKey } from './funding/store.ts'
export { listCards } from './record/list-cards.ts'
export { inquireBalance } from './authorization/inquire-balance.ts'
export { cardJobs } from './jobs.ts'
export { frameAncestorsOf, isParentOrigin } from './reveal/parent-origin.ts'
export { findReveal, isRevealLive } from './reveal/reveal-card.ts'
export { routes } from './routes.ts'
export { findPlatformOfCard } from './record/store.ts'
export { readVault, type CardSecrets } from './reveal/vault.ts'
export { CARD_STATES } from './record/machine.ts'
export { updateCard } from './record/update-card.ts'
export { cardToWire } from './record/wire.ts'
export { CardSchema } from './schema.ts'
