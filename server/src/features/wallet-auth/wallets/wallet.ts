import type { Id } from '../../../kernel/ids.ts'

/** An embedded wallet as its keys see it. The uuids are fixed for life. */
export type Wallet = Readonly<{
  accountId: Id<'internalAccount'>
  customerId: Id<'customer'>
  organizationId: string
  walletId: string
  userId: string
}>

/** As what is signed names it. */
export type WalletName = Pick<Wallet, 'accountId' | 'organizationId' | 'walletId'>
