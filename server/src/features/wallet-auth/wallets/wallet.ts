import type { Id } from '../../../kernel/ids.ts'

/** An embedded wallet with the ids that signed payloads name; they never change. */
export type Wallet = Readonly<{
  accountId: Id<'internalAccount'>
  customerId: Id<'customer'>
  organizationId: string
  walletId: string
  userId: string
}>

/** The ids by which the payload of a quote names a wallet. */
export type WalletName = Pick<Wallet, 'accountId' | 'organizationId' | 'walletId'>
