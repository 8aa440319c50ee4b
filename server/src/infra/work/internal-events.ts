import type { Id } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'

/**
 * Internal events, so that a lower layer can say what happened without knowing who cares. The list of who cares is
 * app/reactions.ts. Reactions run in the same transaction and may refuse.
 */
export type InternalEvents = {
  /**
   * Amounts of internal accounts change with this transaction. Which may, is known while it is still being decided:
   * what depends on them alone can be asked for meanwhile. Those that did, as they are after it.
   */
  'balances.changed': {
    accountIds: readonly Id<'internalAccount'>[]
    balances: readonly AccountBalance[] | Promise<readonly AccountBalance[]>
  }
  /** The platform's list of currencies gained these codes. */
  'platform.currenciesAdded': { currencies: readonly string[] }
  /**
   * Customers come to be. Their rows are written with the commit, so what a reaction needs to know of them is here.
   */
  'customers.created': { customers: readonly CustomerCurrencies[] }
  /** Customers come to be with a name, or what lists are searched for changes: name, birth date, country … (PROV-100). */
  'customers.identityChanged': { customerIds: readonly Id<'customer'>[]; isNew: boolean }
  /** Existing customers gained these currencies. */
  'customers.currenciesAdded': { customers: readonly CustomerCurrencies[] }
  /**
   * A customer's list of currencies may change with this transaction. Raised before the customer's row is locked, since
   * payments lock accounts before their customer.
   */
  'customers.currenciesChanging': { customerId: Id<'customer'> }
  /** A customer gives these currencies up: refused while there is money in one (CUST-56). */
  'customers.currenciesRemoved': { customerId: Id<'customer'>; currencies: readonly string[] }
  /** A customer's e-mail address or phone number becomes another one, or none. */
  'customers.contactChanged': {
    customerId: Id<'customer'>
    channel: 'email' | 'phone'
  }
  /** The platform gives a customer another phone number, or none; its row still has the former one (CUST-68). */
  'customers.phoneChanging': { customerId: Id<'customer'> }
  /**
   * What a customer was asked to prove may end with this transaction. Raised before the customer's row is locked, since
   * payments are locked before their customer.
   */
  'sca.proofsVoiding': { customerId: Id<'customer'> }
  /** What a customer was asked to prove can be proven no more (SCA-36, SCA-58). */
  'sca.proofsVoided': { customerId: Id<'customer'> }
  /** A customer loses fields that currencies ask for: refused where one of them is in use (CUST-67). */
  'customers.fieldsCleared': {
    customerId: Id<'customer'>
    cleared: readonly ClearedFields[]
  }
  /** A customer gains fields that currencies ask for: what waited for them may go on (CUST-66). */
  'customers.fieldsFilled': { customerId: Id<'customer'> }
  /** Embedded wallets come to be with their accounts. */
  'wallets.opened': { wallets: readonly OpenedWallet[] }
  /** A customer's kycStatus or kybStatus becomes another one. */
  'customers.statusChanged': { customerId: Id<'customer'>; from: string; to: string }
  /**
   * A customer is to be deleted: whatever could move its money is locked. Raised before the customer's row is locked,
   * since payments are locked before their customer.
   */
  'customers.deletionAsked': { customerId: Id<'customer'> }
  /**
   * The row of a customer that is to be deleted is locked: what came in between is locked as well, then everything that
   * stands against the deletion is added to `obstacles` (CUST-62).
   */
  'customers.deletionChecked': { customerId: Id<'customer'>; obstacles: DeletionObstacle[] }
  /** A customer is deleted with this transaction, and all that only it could use ends with it (CUST-63). */
  'customers.deleting': { customerId: Id<'customer'> }
  /** An owner is added or changed whose business was submitted already (KYB-11). */
  'beneficialOwners.changed': { customerId: Id<'customer'> }
  /** An owner comes to be, or what lists are searched for changes (PROV-101). */
  'beneficialOwners.identityChanged': { ownerId: Id<'beneficialOwner'>; isNew: boolean }
  /** Documents of a business or its owners were uploaded, replaced or deleted (KYB-11). */
  'documents.changed': { customerId: Id<'customer'> }
  /** A document is about to be replaced or deleted: refused while a verification rests on it (DOC-12). */
  'documents.changing': { customerId: Id<'customer'>; documentId: Id<'document'> }
  /** An external account comes to be that a provider outside screens (PROV-102, PROV-103). */
  'externalAccounts.created': { externalAccountId: Id<'externalAccount'>; currency: string }
  /** Cards let go of accounts that they spent from: what let them spend from them ends (CARD-32). */
  'cards.accountsUnbound': { fundingSourceIds: readonly Id<'cardFundingSource'>[] }
  /** What agents may do changed, or that they may do anything at all. */
  'agents.changed': { agentIds: readonly Id<'agent'>[] }
  /** An agent's quote expires with this transaction, and an action that waits on it ends with it (ACT-30). */
  'quotes.expired': { transactionId: Id<'transaction'>; agentId: Id<'agent'> }
  /** A payment is about to be called back: refused while it waits for the platform to approve it (TXN-15). */
  'transactions.cancelling': { transactionId: Id<'transaction'> }
  /** The operator says what became of a payment: refused while it waits for the platform to approve it. */
  'transactions.settling': { transactionId: Id<'transaction'> }
  /** The money of a payment that has failed came in after all, by this order. */
  'payments.collectedLate': { orderId: Id<'order'> }
  /** A provider is registered or its registration changed. */
  'providers.saved': { provider: RegisteredProvider }
  /** An operator resolves an exception; what follows for the order that it is about is done afterwards. */
  'exceptions.resolved': {
    type: string
    providerId: Id<'provider'> | null
    orderId: Id<'order'> | null
    subject: string | null
    details: Readonly<Record<string, unknown>>
    resolution: string
    /** With RETURNED: how much came back. */
    amount: bigint | undefined
  }
  /** A provider is to be removed: refused while it has open orders or exceptions, which are named then. */
  'providers.removing': { providerId: Id<'provider'> }
  /** One of the platform's API tokens is no longer valid. */
  'token.deleted': { tokenId: Id<'token'> }
}

/** Money of a customer that is not at rest, by the ids of what holds it. */
export type DeletionObstacle = Readonly<
  | { reason: 'BALANCE'; accountIds: readonly string[] }
  | { reason: 'PAYMENT_UNDER_WAY' | 'REFUND_FAILED'; transactionIds: readonly string[] }
  | { reason: 'CARD_AUTHORIZATION_OPEN'; cardTransactionIds: readonly string[] }
  | { reason: 'STABLECOIN_OPERATION_OPEN'; stablecoinOperationIds: readonly string[] }
>

/** A customer and the currencies in which it now needs an account. */
export type CustomerCurrencies = Readonly<{
  customerId: Id<'customer'>
  /** The full or legal name; where none is known yet, the platform's own id of the customer. */
  name: string
  email: string | undefined
  currencies: readonly string[]
}>

/** What one currency asks for and a customer is about to lose. */
export type ClearedFields = Readonly<{
  currency: string
  /** Paths of the customer. */
  fields: readonly string[]
  /** The customer's own list names the currency, which is in use by that alone. */
  isListed: boolean
}>

export type OpenedWallet = Readonly<{
  accountId: Id<'internalAccount'>
  customerId: Id<'customer'>
  email: string | undefined
}>

export type AccountBalance = Readonly<{
  accountId: Id<'internalAccount'>
  currency: string
  available: bigint
  held: bigint
}>

export type InternalEvent = keyof InternalEvents
