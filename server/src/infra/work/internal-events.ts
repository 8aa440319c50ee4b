import type { Id } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'

/**
 * Internal events, by which a lower layer triggers reactions of higher ones without importing them. app/reactions.ts
 * lists the reactions; they run in the same transaction and may refuse.
 */
export type InternalEvents = {
  /**
   * Balances of internal accounts change. `accountIds` are those that may change, so that a reaction can read them while
   * the batch is still being decided; `balances` are those that did change, with their new amounts.
   */
  'balances.changed': {
    accountIds: readonly Id<'internalAccount'>[]
    balances: readonly AccountBalance[] | Promise<readonly AccountBalance[]>
  }
  /** The platform's list of currencies gained these codes. */
  'platform.currenciesAdded': { currencies: readonly string[] }
  /** Customers are created. Their rows are written with the commit, so the event has all that reactions need. */
  'customers.created': { customers: readonly CustomerCurrencies[] }
  /** Customers are created with a name, or a screened field of theirs changes: name, birth date, country … (PROV-100). */
  'customers.identityChanged': { customerIds: readonly Id<'customer'>[]; isNew: boolean }
  /** Existing customers gained these currencies. */
  'customers.currenciesAdded': { customers: readonly CustomerCurrencies[] }
  /**
   * A customer's list of currencies may change with this transaction. Raised before the customer's row is locked, since
   * payments lock accounts before their customer.
   */
  'customers.currenciesChanging': { customerId: Id<'customer'> }
  /** A customer loses these currencies: refused while there is money in one (CUST-56). */
  'customers.currenciesRemoved': { customerId: Id<'customer'>; currencies: readonly string[] }
  /** A customer's e-mail address or phone number changes or is removed. */
  'customers.contactChanged': {
    customerId: Id<'customer'>
    channel: 'email' | 'phone'
  }
  /** The platform changes or removes a customer's phone number; the row still has the former one (CUST-68). */
  'customers.phoneChanging': { customerId: Id<'customer'> }
  /**
   * Open SCA challenges of a customer may become void. Raised before the customer's row is locked, since payments are
   * locked before their customer.
   */
  'sca.proofsVoiding': { customerId: Id<'customer'> }
  /** Open SCA challenges of a customer are void (SCA-36, SCA-58). */
  'sca.proofsVoided': { customerId: Id<'customer'> }
  /** A customer loses fields that currencies require: refused where one of the currencies is in use (CUST-67). */
  'customers.fieldsCleared': {
    customerId: Id<'customer'>
    cleared: readonly ClearedFields[]
  }
  /** A customer gains fields that currencies require: deposits held for them may be credited (CUST-66). */
  'customers.fieldsFilled': { customerId: Id<'customer'> }
  /** Embedded wallets are created with their accounts. */
  'wallets.opened': { wallets: readonly OpenedWallet[] }
  /** A customer's kycStatus or kybStatus changes. */
  'customers.statusChanged': { customerId: Id<'customer'>; from: string; to: string }
  /**
   * The deletion of a customer begins: everything that could move its money is locked. Raised before the customer's row
   * is locked, since payments are locked before their customer.
   */
  'customers.deletionRequested': { customerId: Id<'customer'> }
  /**
   * The row of a customer that is to be deleted is locked: resources created meanwhile are locked as well, then
   * everything that prevents the deletion is added to `obstacles` (CUST-62).
   */
  'customers.deletionChecked': { customerId: Id<'customer'>; obstacles: DeletionObstacle[] }
  /** A customer is deleted, and its cards, quotes, accounts and wallet end with it (CUST-63). */
  'customers.deleting': { customerId: Id<'customer'> }
  /** An owner is added or changed whose business was submitted already (KYB-11). */
  'beneficialOwners.changed': { customerId: Id<'customer'> }
  /** An owner is created, or a screened field of it changes (PROV-101). */
  'beneficialOwners.identityChanged': { ownerId: Id<'beneficialOwner'>; isNew: boolean }
  /** Documents of a business or its owners were uploaded, replaced or deleted (KYB-11). */
  'documents.changed': { customerId: Id<'customer'> }
  /** A document is about to be replaced or deleted: refused while a verification uses it (DOC-12). */
  'documents.changing': { customerId: Id<'customer'>; documentId: Id<'document'> }
  /** An external account is created that a provider screens (PROV-102, PROV-103). */
  'externalAccounts.created': { externalAccountId: Id<'externalAccount'>; currency: string }
  /** Cards lose funding sources: the delegated keys for these end (CARD-32). */
  'cards.accountsUnbound': { fundingSourceIds: readonly Id<'cardFundingSource'>[] }
  /** The policy or status of agents changed. */
  'agents.changed': { agentIds: readonly Id<'agent'>[] }
  /** An agent's quote expires, and with it an action that waits for approval (ACT-30). */
  'quotes.expired': { transactionId: Id<'transaction'>; agentId: Id<'agent'> }
  /** A payment is about to be cancelled: refused while it waits for the platform's approval (TXN-15). */
  'transactions.cancelling': { transactionId: Id<'transaction'> }
  /** The operator settles a payment: refused while it waits for the platform's approval. */
  'transactions.settling': { transactionId: Id<'transaction'> }
  /** The money of a failed payment was collected after all, by this order. */
  'payments.collectedLate': { orderId: Id<'order'> }
  /** A provider is registered or its registration changed. */
  'providers.saved': { provider: RegisteredProvider }
  /** An operator resolves an exception; reactions apply the resolution to its order. */
  'exceptions.resolved': {
    type: string
    providerId: Id<'provider'> | null
    orderId: Id<'order'> | null
    subject: string | null
    details: Readonly<Record<string, unknown>>
    resolution: string
    /** With RETURNED: the amount that came back. */
    amount: bigint | undefined
  }
  /** A provider is about to be removed: refused while it has open orders or exceptions. */
  'providers.removing': { providerId: Id<'provider'> }
  /** One of the platform's API tokens is no longer valid. */
  'token.deleted': { tokenId: Id<'token'> }
}

/** Money of a customer that prevents its deletion, by the ids of the resources that hold it. */
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

/** Fields that one currency requires and a customer is about to lose. */
export type ClearedFields = Readonly<{
  currency: string
  /** Paths in the customer. */
  fields: readonly string[]
  /** The customer's own list has the currency, which alone makes it a currency in use. */
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
