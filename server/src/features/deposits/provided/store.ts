/** The account that a deposit came from, as its provider named it: a return goes there. Kept sealed. */
import { seal, unseal } from '../../../crypto/seal.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Work } from '../../../infra/work/work.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import type { ArrivedMoney } from '../deposit.ts'
import type { ArrivedDeposit } from './read-deposit.ts'

type SenderAccount = Readonly<{ account: string; bank?: string }>
type Place = Pick<ArrivedMoney, 'environment' | 'id'>

const PURPOSE = 'deposit-sender'

/** Queued for the commit; nothing is kept where no account was named. */
export function saveSenderAccount(
  { tx, keyring }: Work,
  { environment, id }: Place,
  { sender }: ArrivedDeposit,
): void {
  if (sender?.account === undefined) return
  const { account, bank } = sender
  const content = JSON.stringify({ account, bank })
  tx.queueWrite(
    sql`update deposits set sender_account = ${seal(keyring, PURPOSE, content, id)}
        where platform_id = ${HOUSE_PLATFORM_IDS[environment]} and id = ${id}`,
  )
}

export async function readSenderAccount(
  { tx, keyring }: Work,
  { environment, id }: Place,
): Promise<SenderAccount | undefined> {
  const row = await tx.find<{ senderAccount: Buffer | null }>(
    sql`select sender_account from deposits
        where platform_id = ${HOUSE_PLATFORM_IDS[environment]} and id = ${id}`,
  )
  if (!row?.senderAccount) return undefined
  return JSON.parse(unseal(keyring, PURPOSE, row.senderAccount, id).toString('utf8'))
}
