export type { AuthorizationKind, Simulated } from './authorization.ts'
export { authorizeCard } from './authorize-card.ts'
export { inGroups } from './card-number.ts'
export type { Provisioned } from './card.ts'
export { DECLINE_REASONS } from './card-transaction.ts'
export { findPlatformOfCardTransaction } from './card-transaction-store.ts'
export {
  countCardExceptions,
  findCardTransaction,
  listCardExceptions,
} from './card-transaction-store.ts'
export { cardTransactionToWire } from './card-transaction-wire.ts'
export { clearCard } from './clear-card.ts'
export {
  closeCard,
  closeCustomerCards,
  findOpenAuthorizations,
  holdCustomerCards,
} from './close-card.ts'
export { lockCard } from './find-card.ts'
export {
  adviseCardTransaction,
  returnCardTransaction,
  retryPull,
  reverseCardReturn,
} from './follow-card-transaction.ts'
export { mustFindCard } from './find-card.ts'
export { listFundingSources, saveDelegatedKey } from './funding-source-store.ts'
export { listCards } from './list-cards.ts'
export { inquireBalance } from './inquire-balance.ts'
export { cardJobs } from './jobs.ts'
export { frameAncestorsOf, isParentOrigin } from './parent-origin.ts'
export { findReveal, isLive } from './reveal-card.ts'
export { routes } from './routes.ts'
export { findPlatformOfCard } from './store.ts'
export { readVault, type CardSecrets } from './vault.ts'
export { cardToWire } from './wire.ts'
