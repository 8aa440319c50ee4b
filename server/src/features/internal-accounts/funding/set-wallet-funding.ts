import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { PaymentInstructions } from './instructions.ts'
import { sparkAddressOfKey } from './sandbox-values/wallet-addresses.ts'
import { insertAddresses, saveFundingInstructions } from './store.ts'

/** A new wallet and its public key on the network. */
export type WalletToFund = Readonly<{ accountId: Id<'internalAccount'>; sparkKey: Uint8Array }>

const ASSET = 'USDB'

/**
 * Sets the address of a wallet in PRODUCTION, made from its owner's key, so that no bank has to open it. Deposits are
 * recognised by the address (IACC-10). Refuses nothing.
 */
export function setWalletFunding({ tx, platform }: Work, wallets: readonly WalletToFund[]): void {
  const funded = wallets.map(({ accountId: id, sparkKey }) => {
    const address = sparkAddressOfKey(sparkKey)
    const info = { accountType: 'SPARK_WALLET', assetType: ASSET, address }
    const instructions: PaymentInstructions[] = [
      { isPlatformAccount: false, accountOrWalletInfo: info },
    ]
    const owner = { kind: 'internalAccount', id } as const
    return { id, instructions, address: { owner, field: 'address', value: address } }
  })
  saveFundingInstructions(tx, platform.id, funded)
  insertAddresses(
    tx,
    platform.id,
    funded.map(({ address }) => address),
  )
}
