import type { Id } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { SideAccount } from '../external-accounts/index.ts'
import type { AccountSnapshot } from '../internal-accounts/index.ts'
import { findSides } from '../payment-terms/index.ts'

/** The two accounts of a transfer; undefined where not found. */
export type TransferSides = Readonly<{
  internal: AccountSnapshot | undefined
  external: SideAccount | undefined
}>

export type TransferEnds = Readonly<{
  platformId: Id<'platform'>
  internalId: Id<'internalAccount'>
  externalId: Id<'externalAccount'>
}>

/** Finds the accounts of transfers of any platforms in one round trip. */
export async function findTransferSides(
  tx: Tx,
  transfers: readonly TransferEnds[],
): Promise<TransferSides[]> {
  const sides = await findSides(tx, {
    internal: transfers.map(({ platformId, internalId: id }) => ({ platformId, id })),
    external: transfers.map(({ platformId, externalId: id }) => ({ platformId, id })),
    payers: [],
  })
  return transfers.map(({ platformId, internalId, externalId }) => ({
    internal: sides.internal({ platformId, id: internalId }),
    external: sides.external({ platformId, id: externalId }),
  }))
}
