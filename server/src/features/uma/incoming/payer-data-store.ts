import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'

/** Data about the payer that a receiver requested, by the names of the fields. */
export type PayerData = Readonly<Record<string, unknown>>

const PURPOSE = 'uma-payer-data'

export const sealPayerData = (
  keyring: Keyring,
  transactionId: Id<'transaction'>,
  data: PayerData,
): Buffer => seal(keyring, PURPOSE, JSON.stringify(data), transactionId)

/** Queues the sealed payer data of a payment for the commit. */
export function insertPayerData(
  tx: Tx,
  platformId: Id<'platform'>,
  { transactionId, sealed }: Readonly<{ transactionId: Id<'transaction'>; sealed: Buffer }>,
): void {
  tx.queueWrite(
    sql`insert into uma_payer_data (platform_id, transaction_id, data)
        values (${platformId}, ${transactionId}, ${sealed})`,
  )
}

export async function findPayerData(
  { tx, platform, keyring }: Pick<Work, 'tx' | 'platform' | 'keyring'>,
  transactionId: Id<'transaction'>,
): Promise<PayerData | undefined> {
  const row = await tx.find<{ data: Buffer }>(
    sql`select data from uma_payer_data where platform_id = ${platform.id} and transaction_id = ${transactionId}`,
  )
  return (
    row &&
    (JSON.parse(unseal(keyring, PURPOSE, row.data, transactionId).toString('utf8')) as PayerData)
  )
}
